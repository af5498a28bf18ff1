"""How many pods a group of a Ray cluster has: the one place that works it out."""

from renderer.backends.kuberay.vocabulary import CLUSTER_FIELD
from renderer.backends.kuberay.workloads import Group
from renderer.values.named_tuple import NamedTuple

#: The default of `maxReplicas` in KubeRay's CRD, which bounds nothing.
_UNBOUNDED = 2**31 - 1
_EMBEDDED = {key for path in CLUSTER_FIELD.values() for key in path}


class PodNumbers(NamedTuple):
    """How many pods there are at the start, and from `least` to `most` of them later.

    Nothing bounds them if `most` is None.
    """

    start: int
    least: int
    most: int | None


def pod_numbers(group: Group, *, is_scaled: bool) -> PodNumbers:
    """The pods of a group in a cluster that runs; `is_scaled` if Ray's autoscaler is on.

    The operator brings `replicas` within the bounds, and makes a pod for each host of a replica
    (recorded: pods-replicas-above-max, pods-several-hosts).
    """
    if group.is_head:
        return PodNumbers(1, 1, 1)
    if group.is_suspended:
        return PodNumbers(0, 0, 0)
    least, most = group.number("minReplicas") or 0, most_replicas(group)
    wanted = max(least, group.number("replicas") or 0)
    start = (wanted if most is None else min(wanted, most)) * hosts(group)
    if not is_scaled:
        return PodNumbers(start, start, start)
    return PodNumbers(start, least * hosts(group), None if most is None else most * hosts(group))


def most_replicas(group: Group) -> int | None:
    """What `maxReplicas` allows; None where nothing bounds a group."""
    most = group.number("maxReplicas")
    return None if most is None or most >= _UNBOUNDED else most


def hosts(group: Group) -> int:
    """How many pods a replica has.

    Of a job or service, 0 is left out of the RayCluster that the operator makes, and the default
    counts (observed).
    """
    given = group.number("numOfHosts")
    is_copied = bool(_EMBEDDED & {*group.path})
    return 1 if given is None or (given == 0 and is_copied) else max(given, 0)
