"""KubeRay: clusters, jobs and services of Ray, and the compute templates that size their pods."""

from renderer.backends.base import Backend, BackendFunctions, Controller, RetiredCode
from renderer.values.kinds import Kind, Verb
from renderer.values.objects import StoredKind


def _load() -> BackendFunctions:
    from renderer.backends.kuberay.backend import FUNCTIONS

    return FUNCTIONS


_GROUP = "ray.io"
_PLACE = (("name",), ("namespace",), ("destination",))
_NAMED = ("metadata", "name")

#: What Ray's autoscaler writes into a cluster; without it, these are the user's own.
_AUTOSCALED = tuple(
    f"select(.spec.enableInTreeAutoscaling == true) | .spec.workerGroupSpecs[].{field}"
    for field in ("replicas", "scaleStrategy")
)

_VERBS = (Verb("create"), Verb("get"), Verb("list"), Verb("delete"))

KUBERAY = Backend(
    "kuberay",
    platform="kubernetes",
    place="Kubernetes cluster",
    maker="KubeRay",
    codes=("RAY101",),
    retired=(
        ("POL009", RetiredCode("POL001")),
        ("POL011", RetiredCode("POL002")),
        ("RAY245", RetiredCode("MAN204")),
    ),
    kinds=(
        Kind(
            "ComputeTemplate",
            "spec/computetemplate.json",
            prerequisite=True,
            takes_snake_case=True,
            verbs=_VERBS,
        ),
        Kind(
            "RayCluster",
            "spec/raycluster.json",
            takes_snake_case=True,
            summary=(
                *_PLACE,
                ("suspend",),
                ("annotations", "ray.io/enable-serve-service"),
                ("headGroupSpec", "headService", *_NAMED),
            ),
            verbs=_VERBS,
        ),
        Kind(
            "RayJob",
            "spec/rayjob.json",
            takes_snake_case=True,
            summary=(*_PLACE, ("clusterSelector",), ("name_suffix",)),
            verbs=_VERBS,
        ),
        Kind(
            "RayService",
            "spec/rayservice.json",
            takes_snake_case=True,
            summary=(*_PLACE, ("serveService", *_NAMED), ("upgradeStrategy", "type")),
            verbs=(*_VERBS, Verb("update")),
        ),
    ),
    stored=(
        StoredKind(
            _GROUP,
            "RayCluster",
            "manifests/kuberay/raycluster.json",
            "RayCluster",
            health="kuberay/health/raycluster",
            ignored_differences=_AUTOSCALED,
        ),
        StoredKind(
            _GROUP,
            "RayJob",
            "manifests/kuberay/rayjob.json",
            "RayJob",
            health="kuberay/health/rayjob",
            ends=True,
        ),
        StoredKind(
            _GROUP,
            "RayService",
            "manifests/kuberay/rayservice.json",
            "RayService",
            health="kuberay/health/rayservice",
        ),
        StoredKind("", "ConfigMap", "manifests/kuberay/computetemplate.json", "ComputeTemplate"),
    ),
    destination_schema="destination/kubernetes.json",
    settings_schema="environment/kuberay.json",
    starter="kuberay/starter",
    size_fields=("replicas", "minReplicas", "maxReplicas", "resources"),
    load=_load,
    controller=Controller("kuberay-operator", "kuberay-operator"),
)
