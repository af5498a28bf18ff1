"""KServe: inference services and the runtimes that serve their models."""

from renderer.backends.base import Backend, BackendFunctions, Controller, RetiredCode
from renderer.values.kinds import DROP, Kind, Stage, TextFiles
from renderer.values.objects import StoredKind


def _load() -> BackendFunctions:
    from renderer.backends.kserve.backend import FUNCTIONS

    return FUNCTIONS


_GROUP = "serving.kserve.io"
#: Where an object goes that its users are told apart by.
_PLACED = (("name",), ("namespace",), ("destination",))
#: What trained models need to know of the server that they are on.
_SERVERS = (
    "model", "sklearn", "tensorflow", "xgboost", "pytorch", "triton", "onnx", "huggingface", "pmml",
    "lightgbm", "paddle",
)  # fmt: skip
_SERVER_FIELDS = ("modelFormat", "protocolVersion", "storageUri", "storage", "resources")
#: How the configurations are called that KServe lays below every LLM service.
LLM_PRESETS = "kserve-config-llm-"

KSERVE = Backend(
    "kserve",
    platform="kubernetes",
    place="Kubernetes cluster",
    maker="KServe",
    codes=("KSV101",),
    retired=(
        ("KSV197", RetiredCode("MAN204")),
        ("KSV210", RetiredCode("POL001", in_production=False)),
        ("KSV211", RetiredCode("POL001", in_production=True)),
        ("KSV310", RetiredCode("POL001", in_production=False)),
        ("KSV311", RetiredCode("POL001", in_production=True)),
        ("KSV378", RetiredCode("ENG120")),
    ),
    kinds=(
        Kind(
            "InferenceService",
            "spec/inferenceservice.json",
            summary=(
                ("name",),
                ("namespace",),
                ("destination",),
                ("annotations",),
                ("predictor", "volumes"),
                ("predictor", "workerSpec", "volumes"),
                ("predictor", "storageUris"),
                ("predictor", "containers", "*", "env"),
                ("predictor", "containers", "*", "resources"),
                *(("predictor", name, field) for name in _SERVERS for field in _SERVER_FIELDS),
            ),
        ),
        Kind(
            "ServingRuntime",
            "spec/servingruntime.json",
            prerequisite=True,
            metadata=("metadata",),
            drops=(DROP,),
        ),
        Kind(
            "ClusterServingRuntime",
            "spec/clusterservingruntime.json",
            prerequisite=True,
            cluster_wide=True,
            metadata=("metadata",),
            drops=(DROP,),
        ),
        Kind(
            "LLMInferenceService",
            "spec/llminferenceservice.json",
            metadata=("metadata",),
            drops=(DROP,),
            summary=(
                ("name",),
                ("namespace",),
                ("destination",),
                ("model", "name"),
                ("model", "lora", "adapters"),
                ("router", "route"),
                ("baseRefs",),
            ),
        ),
        Kind(
            "LLMInferenceServiceConfig",
            "spec/llminferenceserviceconfig.json",
            prerequisite=True,
            metadata=("metadata",),
            drops=(DROP,),
            implied_names=LLM_PRESETS,
        ),
        Kind(
            "InferenceGraph",
            "spec/inferencegraph.json",
            summary=(*_PLACED, ("nodes",)),
            given_stage=Stage.LAST,
        ),
        Kind(
            "TrainedModel",
            "spec/trainedmodel.json",
            summary=(*_PLACED, ("inferenceService",), ("model",)),
            given_stage=Stage.LAST,
        ),
        Kind(
            "ClusterStorageContainer",
            "spec/clusterstoragecontainer.json",
            cluster_wide=True,
            metadata=("metadata",),
            drops=(DROP,),
            summary=(("name",), ("destination",)),
            given_stage=Stage.FIRST,
        ),
        Kind(
            "LocalModelCache",
            "spec/localmodelcache.json",
            cluster_wide=True,
            summary=(("name",), ("destination",), ("sourceModelUri",), ("nodeGroups",)),
            given_stage=Stage.FIRST,
        ),
        Kind(
            "LocalModelNodeGroup",
            "spec/localmodelnodegroup.json",
            prerequisite=True,
            cluster_wide=True,
        ),
    ),
    stored=(
        StoredKind(
            _GROUP,
            "InferenceService",
            "manifests/kserve/inferenceservice.json",
            "InferenceService",
            version="v1beta1",
            health="kserve/health/inferenceservice",
        ),
        StoredKind(
            _GROUP,
            "ServingRuntime",
            "manifests/kserve/servingruntime.json",
            "ServingRuntime",
            version="v1alpha1",
        ),
        StoredKind(
            _GROUP,
            "ClusterServingRuntime",
            "manifests/kserve/clusterservingruntime.json",
            "ClusterServingRuntime",
            version="v1alpha1",
            is_namespaced=False,
        ),
        StoredKind(
            _GROUP,
            "LLMInferenceService",
            "manifests/kserve/llminferenceservice.json",
            "LLMInferenceService",
            version="v1alpha2",
            health="kserve/health/llminferenceservice",
        ),
        StoredKind(
            _GROUP,
            "LLMInferenceServiceConfig",
            "manifests/kserve/llminferenceserviceconfig.json",
            "LLMInferenceServiceConfig",
            version="v1alpha2",
        ),
        StoredKind(
            _GROUP,
            "InferenceGraph",
            "manifests/kserve/inferencegraph.json",
            "InferenceGraph",
            version="v1alpha1",
            health="kserve/health/inferencegraph",
        ),
        StoredKind(
            _GROUP,
            "TrainedModel",
            "manifests/kserve/trainedmodel.json",
            "TrainedModel",
            version="v1alpha1",
            health="kserve/health/trainedmodel",
        ),
        StoredKind(
            _GROUP,
            "ClusterStorageContainer",
            "manifests/kserve/clusterstoragecontainer.json",
            "ClusterStorageContainer",
            version="v1alpha1",
            is_namespaced=False,
        ),
        StoredKind(
            _GROUP,
            "LocalModelCache",
            "manifests/kserve/localmodelcache.json",
            "LocalModelCache",
            version="v1alpha1",
            health="kserve/health/localmodelcache",
            is_namespaced=False,
        ),
        StoredKind(
            _GROUP,
            "LocalModelNodeGroup",
            "manifests/kserve/localmodelnodegroup.json",
            "LocalModelNodeGroup",
            version="v1alpha1",
            is_namespaced=False,
        ),
    ),
    destination_schema="destination/kubernetes.json",
    settings_schema="environment/kserve.json",
    starter="kserve/starter",
    size_fields=("minReplicas", "maxReplicas", "resources"),
    load=_load,
    controller=Controller("kserve-controller-manager", "manager"),
    text_files=(
        TextFiles(("kserve", "config"), "kserve/cluster"),
        TextFiles(("destinations", "*", "kserve", "config"), "kserve/cluster"),
    ),
)
