"""The pods of a Ray cluster, by their groups."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.workloads import HEAD
from renderer.kubernetes.status import POD_READS
from renderer.values.derivations import Applied, DerivedUnit
from renderer.values.live import LiveObject, Query
from renderer.values.statuses import Health, ObservedObject, UnitStatus

_CLUSTER, _GROUP = "ray.io/cluster", "ray.io/group"
_HEAD_GROUP = "headgroup"
#: Where an object says which cluster it runs in, if it is none itself; the first that is there.
_NAMES = {
    "RayJob": (("status", "rayClusterName"),),
    "RayService": (
        ("status", "activeServiceStatus", "rayClusterName"),
        ("status", "pendingServiceStatus", "rayClusterName"),
    ),
}


def related(applied: Applied, destination: str) -> Iterator[Query]:
    """The pods of all Ray clusters in the namespace."""
    namespace = text(applied.tree, "metadata", "namespace")
    yield Query(destination, "v1", "Pod", namespace, _CLUSTER, required=False, reads=POD_READS)


def workloads(observed: ObservedObject, unit: DerivedUnit) -> list[LiveObject] | None:
    """The pods of a group, which are known by their labels; nothing if there is no cluster yet."""
    name = cluster_name(observed.object)
    if "Pod" in observed.here.unread or not name:
        return None
    group = _HEAD_GROUP if unit.unit == HEAD else unit.unit
    return [item for item in pods_of(observed, name) if item.label(_GROUP) == group]


def pods_of(observed: ObservedObject, cluster: str) -> Iterator[LiveObject]:
    """The pods of a cluster that are to stay."""
    namespace = observed.object.namespace
    pods = observed.here.objects_with_label("Pod", namespace, _CLUSTER, cluster)
    return (item for item in pods if not item.is_being_deleted)


def cluster_name(found: LiveObject) -> str:
    """The cluster that an object is, or that it runs in by now; of a new service, that to come."""
    if found.kind not in _NAMES:
        return found.name
    return next(filter(None, (text(found.tree, *path) for path in _NAMES[found.kind])), "")


def group_statuses(
    observed: ObservedObject, health: Health, *, must_run: bool = False
) -> tuple[UnitStatus, ...]:
    """The head and the groups of workers, of which KubeRay itself says nothing.

    Without pods to look at, they fare as the whole does. If KubeRay says that they `must_run`, none
    is waited for that is not there.
    """
    groups = [unit for unit in observed.derivation.units if unit.path[-1] != "submitterPodTemplate"]
    is_visible = "Pod" not in observed.here.unread and cluster_name(observed.object)
    numbers = (
        ("", Health.READY if must_run else Health.UNKNOWN)
        if is_visible and health is not Health.SUSPENDED
        else (health.value, health)
    )
    return tuple(UnitStatus(unit.unit, observed.destination, *numbers) for unit in groups)
