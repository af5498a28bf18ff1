"""KServe: inference services and the runtimes that serve their models."""

from renderer.backends.base import Backend, BackendFunctions, Controller, RetiredCode
from renderer.values.kinds import DROP, Kind, TextFiles
from renderer.values.objects import StoredKind


def _load() -> BackendFunctions:
    from renderer.backends.kserve.backend import FUNCTIONS

    return FUNCTIONS


_GROUP = "serving.kserve.io"

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
        ),
        StoredKind(
            _GROUP,
            "LLMInferenceServiceConfig",
            "manifests/kserve/llminferenceserviceconfig.json",
            "LLMInferenceServiceConfig",
            version="v1alpha2",
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
