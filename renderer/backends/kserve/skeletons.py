"""Skeletons of new specs, with what their environment has already."""

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
