"""Skeletons of new specs, with what their environment has already."""

from renderer.backends.kserve.plain_objects import NODE_GROUP
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, SERVING_RUNTIME, Runtime
from renderer.backends.kserve.settings import PLATFORM
from renderer.backends.object_places import destination_line
from renderer.text.yaml_writer import scalar_text
from renderer.values.model import Environment

_SERVICE = """\
# A model that KServe serves, in the words of its InferenceService.
{destination}predictor:
  minReplicas: {replicas}
  model:
{model}    # Yours to fill in. The claim has to be there (REF001 where references are closed);
    # s3:// and gs:// need a serviceAccountName that has their credentials.
    storageUri: pvc://models/{name}/v1
    resources:
      requests: {{cpu: 500m, memory: 1Gi}}
      limits: {{cpu: "1", memory: 1Gi}}
"""
_RUNTIME = """\
# How models of a format are served. It is rendered where an InferenceService uses it.
supportedModelFormats:
  - {{name: {name}, version: "1", autoSelect: true}}
protocolVersions: [v2]
containers:
  - name: kserve-container
    image: registry.example/team/{name}:1.0
    args: ["--model_name={{{{.Name}}}}", --model_dir=/mnt/models]
    resources:
      requests: {{cpu: "1", memory: 2Gi}}
      limits: {{cpu: "1", memory: 2Gi}}
"""
_LLM = """\
# A large language model that KServe serves, in the words of its LLMInferenceService.
{destination}model:
  # Yours to fill in. hf:// needs the network; a claim has to be there.
  uri: hf://Qwen/Qwen2.5-7B-Instruct
replicas: {replicas}
template:
  containers:
    - name: main   # presets bring image, command, ports and probes of this container
      resources:
        requests: {{cpu: "4", memory: 32Gi, nvidia.com/gpu: "1"}}
        limits: {{cpu: "4", memory: 32Gi, nvidia.com/gpu: "1"}}
# The route, the gateway and the scheduler that KServe makes.
router:
  route: {{}}
  gateway: {{}}
  scheduler: {{}}
"""
_LLM_CONFIG = """\
# What some LLM services have in common. It is rendered where one of them names it in baseRefs.
template:
  containers:
    - name: main
      resources:
        requests: {cpu: "4", memory: 32Gi, nvidia.com/gpu: "1"}
        limits: {cpu: "4", memory: 32Gi, nvidia.com/gpu: "1"}
  nodeSelector: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB}
"""
_GRAPH = """\
# Services that answer a request together, in the words of KServe's InferenceGraph.
{destination}nodes:
  root:   # requests come in here
    routerType: Sequence   # or Splitter, Switch, Ensemble
    steps:
      # Yours to fill in: InferenceServices of the namespace, one after the other
      # (KSV600 until they are there).
      - {{name: first, serviceName: {name}-first, data: $request}}
      - {{name: second, serviceName: {name}-second, data: $response}}
minReplicas: {replicas}
"""
_TRAINED_MODEL = """\
# A model on a server that has several, in the words of KServe's TrainedModel.
{destination}# Yours to fill in: an InferenceService of the namespace without a model of its own
# (KSV621 until it is there).
inferenceService: shared
model:
  storageUri: s3://models/{name}/v1
  framework: sklearn
  memory: 256Mi   # of the server's limit; it cannot change later
"""
_STORAGE_CONTAINER = """\
# How KServe fetches models from addresses of its own kind. It is there for the whole cluster.
{destination}supportedUriFormats:
  - prefix: {name}://
container:
  name: storage-initializer
  image: registry.example/team/{name}:1.0
  resources:
    requests: {{cpu: 100m, memory: 1Gi}}
    limits: {{cpu: "1", memory: 1Gi}}
"""
_CACHE = """\
# A model that nodes keep, in the words of KServe's LocalModelCache: services with exactly this
# address find it on the node. They have to be applied after it.
{destination}sourceModelUri: hf://acme/{name}   # yours to fill in; it cannot change later
modelSize: 16Gi
nodeGroups: [{group}]   # LocalModelNodeGroups (KSV640 until they are there)
"""
_NODE_GROUP = """\
# Nodes that keep models: KServe's LocalModelNodeGroup, rendered where a LocalModelCache names it.
storageLimit: 500Gi
persistentVolumeSpec:
  accessModes: [ReadWriteOnce]
  volumeMode: Filesystem
  capacity: {{storage: 500Gi}}
  storageClassName: local-storage
  hostPath: {{path: /models, type: DirectoryOrCreate}}
  nodeAffinity:   # these are the nodes
    required:
      nodeSelectorTerms:
        - matchExpressions:
            - {{key: example.com/model-cache, operator: In, values: [{name}]}}
persistentVolumeClaimSpec:
  accessModes: [ReadWriteOnce]
  storageClassName: local-storage
  resources: {{requests: {{storage: 500Gi}}}}
"""


def service(name: str, environment: Environment) -> str:
    """A model for the only runtime of the repository, or for one that KServe ships."""
    return _SERVICE.format(
        name=name,
        destination=destination_line(environment, PLATFORM),
        replicas=2 if environment.is_production else 1,
        model=_model(environment),
    )


def _model(environment: Environment) -> str:
    kinds = (SERVING_RUNTIME, CLUSTER_RUNTIME)
    own = [Runtime.of(spec) for spec in environment.specs if spec.kind.name in kinds]
    if len(own) != 1 or not own[0].formats:
        return "    modelFormat: {name: sklearn}   # KServe chooses a runtime by it\n"
    first = own[0].formats[0]
    version = f", version: {scalar_text(first.version)}" if first.version else ""
    return (
        f"    modelFormat: {{name: {scalar_text(first.name)}{version}}}\n"
        f"    runtime: {scalar_text(own[0].name)}\n"
    )


def runtime(name: str, environment: Environment) -> str:  # noqa: ARG001
    """One container, which finds its model in a folder."""
    return _RUNTIME.format(name=name)


def llm_service(name: str, environment: Environment) -> str:  # noqa: ARG001
    """One pod with an accelerator, behind the route and the scheduler that KServe makes."""
    destination = destination_line(environment, PLATFORM)
    return _LLM.format(destination=destination, replicas=2 if environment.is_production else 1)


def llm_config(name: str, environment: Environment) -> str:  # noqa: ARG001
    """The accelerators of a pool of nodes."""
    return _LLM_CONFIG


def graph(name: str, environment: Environment) -> str:
    """Two services, one after the other."""
    return _GRAPH.format(**_words(name, environment))


def trained_model(name: str, environment: Environment) -> str:
    """A model in a bucket."""
    return _TRAINED_MODEL.format(**_words(name, environment))


def storage_container(name: str, environment: Environment) -> str:
    """A container for addresses that begin with its name."""
    return _STORAGE_CONTAINER.format(**_words(name, environment))


def cache(name: str, environment: Environment) -> str:
    """A model on the nodes of the only group that there is."""
    groups = environment.names(NODE_GROUP)
    return _CACHE.format(**_words(name, environment), group=scalar_text([*groups, "gpu"][0]))


def node_group(name: str, environment: Environment) -> str:
    """The nodes with a label."""
    return _NODE_GROUP.format(**_words(name, environment))


def _words(name: str, environment: Environment) -> dict[str, object]:
    return {
        "name": name,
        "destination": destination_line(environment, PLATFORM),
        "replicas": 2 if environment.is_production else 1,
    }
