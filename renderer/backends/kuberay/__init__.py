"""KubeRay: clusters, jobs and services of Ray, and the compute templates that size their pods."""

from renderer.backends.base import Backend, BackendFunctions
from renderer.values.model import Kind
from renderer.values.objects import Stored


def _load() -> BackendFunctions:
    from renderer.backends.kuberay.backend import FUNCTIONS

    return FUNCTIONS


_GROUP = "ray.io"
_PLACE = (("name",), ("namespace",), ("destination",))
_NAMED = ("metadata", "name")

KUBERAY = Backend(
    "kuberay",
    platform="kubernetes",
    place="Kubernetes cluster",
    codes=("RAY101", "POL009"),
    kinds=(
        Kind(
            "ComputeTemplate",
            "spec/computetemplate.json",
            prerequisite=True,
            takes_snake_case=True,
        ),
        Kind(
            "RayCluster",
            "spec/raycluster.json",
            takes_snake_case=True,
            summary=(
                *_PLACE,
                ("annotations", "ray.io/enable-serve-service"),
                ("headGroupSpec", "headService", *_NAMED),
            ),
        ),
        Kind(
            "RayJob",
            "spec/rayjob.json",
            takes_snake_case=True,
            summary=(*_PLACE, ("clusterSelector",), ("name_suffix",)),
        ),
        Kind(
            "RayService",
            "spec/rayservice.json",
            takes_snake_case=True,
            summary=(*_PLACE, ("serveService", *_NAMED), ("upgradeStrategy", "type")),
        ),
    ),
    stored=(
        Stored(_GROUP, "RayCluster", "manifests/kuberay/raycluster.json", "RayCluster"),
        Stored(_GROUP, "RayJob", "manifests/kuberay/rayjob.json", "RayJob"),
        Stored(_GROUP, "RayService", "manifests/kuberay/rayservice.json", "RayService"),
        Stored("", "ConfigMap", "manifests/kuberay/computetemplate.json", "ComputeTemplate"),
    ),
    destination_schema="destination/kubernetes.json",
    settings_schema="environment/kuberay.json",
    load=_load,
)
