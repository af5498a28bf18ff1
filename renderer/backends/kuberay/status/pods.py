"""The pods of a Ray cluster, by their groups."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.pod_numbers import pod_numbers
from renderer.backends.kuberay.workloads import Cluster, Group
from renderer.kubernetes.status import UNTOLD, conditions
from renderer.values.derivations import Applied
from renderer.values.live import LiveObject, Query
from renderer.values.statuses import Health, ObservedObject, UnitStatus

_CLUSTER, _GROUP = "ray.io/cluster", "ray.io/group"
_HEAD_GROUP = "headgroup"
_READS = (("status", "conditions"),)


def related(applied: Applied, destination: str) -> Iterator[Query]:
    """The pods of all Ray clusters in the namespace."""
    namespace = text(applied.tree, "metadata", "namespace")
    yield Query(destination, "v1", "Pod", namespace, _CLUSTER, required=False, reads=_READS)


def group_statuses(
    observed: ObservedObject, described: Cluster, name: str, health: Health
) -> Iterator[UnitStatus]:
    """The head and the groups of workers of a cluster that is called so.

    Without pods to look at, they fare as the whole does.
    """
    if "Pod" in observed.here.unread or not name:
        for group in described.groups:
            yield UnitStatus(group.name, observed.destination, health.value, health)
        return
    found = observed.here.objects_with_label("Pod", observed.object.namespace, _CLUSTER, name)
    pods = [item for item in found if not item.is_being_deleted]
    for group in described.groups:
        known_as = _HEAD_GROUP if group.is_head else group.name
        own = [item for item in pods if item.label(_GROUP) == known_as]
        yield _group_status(group, own, observed.destination, health, described.is_scaled)


def _group_status(
    group: Group, pods: list[LiveObject], destination: str, health: Health, is_scaled: bool
) -> UnitStatus:
    """Where Ray scales workers, nobody says how many there should be but the pods themselves."""
    ready = sum(conditions(item.tree).get("Ready", UNTOLD).is_true for item in pods)
    if health is Health.SUSPENDED:
        return UnitStatus(group.name, destination, "suspended", health, ready, 0)
    is_moved = is_scaled and not group.is_head
    wanted = len(pods) if is_moved else pod_numbers(group, is_scaled=is_scaled).start
    is_there = ready >= wanted
    state, own = ("ready", Health.READY) if is_there else ("not ready", Health.PROGRESSING)
    return UnitStatus(group.name, destination, state, own, ready, wanted)
