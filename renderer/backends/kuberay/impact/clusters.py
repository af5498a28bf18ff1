"""From the change of a RayCluster to what it does to its groups of pods."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.impact.cluster_hash import WORKERS, changes_hash
from renderer.backends.kuberay.impact.judgement import (
    CausedImpact,
    Judged,
    Pair,
    field_of,
    groups_in,
    is_below,
    keys_at,
)
from renderer.backends.kuberay.impact.rendered_workload import is_on
from renderer.backends.kuberay.impact.scaling import SCALING, bounds, scaled
from renderer.backends.kuberay.impact.whole_objects import impacts_on_object, switch
from renderer.backends.kuberay.workloads import HEAD
from renderer.values.changes import Change, How, ObjectChange, State

_SPEC = ("spec",)
_RECREATES_SINCE, _RECREATE = (1, 6, 0), "Recreate"
_WHOLE_REPLICAS = "RayMultiHostIndexing"
_SERVES = "ray.io/enable-serve-service"
#: Fields of the head's group and of the cluster that are about its Service.
_OF_SERVICE = frozenset(("serviceType", "headService", "headServiceAnnotations"))
#: What Ray's autoscaler reads of the cluster each time that it looks.
_READ_BY_AUTOSCALER = frozenset(("idleTimeoutSeconds", "upscalingMode", "priority"))
_OF_FIELDS = {"upgradeStrategy": "recreate-strategy", "networkPolicy": "network-policy"}


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What a cluster's changes do to its groups."""
    return impacts_on_object(change, before, after, _edited)


def _is_recreated(pair: Pair) -> bool:
    """Whether KubeRay deletes all pods and makes new ones."""
    is_known = pair.new.dialect.knows(_RECREATES_SINCE)
    if not is_known or text(pair.new.spec, "upgradeStrategy", "type") != _RECREATE:
        return False
    return any(is_below(item, _SPEC) and _is_hashed(item, pair) for item in pair.changes)


def _is_hashed(item: Change, pair: Pair) -> bool:
    return changes_hash(item, _SPEC, pair.new.dialect, of_service=False)


def _edited(pair: Pair) -> Iterator[Judged]:
    """A cluster that stays."""
    if cause := switch(pair, "suspend"):
        kind = "cluster-suspended" if pair.new.is_suspended else "cluster-resumed"
        yield Judged(cause, kind, pair.units)
    elif pair.new.is_suspended:
        yield from (Judged(item, "not-running", pair.concerned(item)) for item in pair.changes)
    else:
        recreates = _is_recreated(pair)
        for item in pair.changes:
            yield from _judged(item, pair, recreates=recreates)


def _judged(item: Change, pair: Pair, *, recreates: bool) -> Iterator[Judged]:
    if not is_below(item, _SPEC):
        is_served = item.after and _SERVES in keys_at(item, 2)
        yield Judged(item, "serve-service" if is_served else "metadata", pair.units)
    elif recreates and _is_hashed(item, pair):
        yield Judged(item, "recreated", pair.units)
    elif recreates and str(item.path[-1]) not in SCALING:
        yield Judged(item, "with-new-pods", pair.concerned(item))
    elif is_below(item, ("spec", WORKERS)):
        yield from _of_workers(item, pair)
    else:
        yield Judged(item, _of_field(item, pair), _units_of_field(item, pair))


def _units_of_field(item: Change, pair: Pair) -> tuple[str, ...]:
    """What is about the head's pod, or about all of them."""
    of_head = ("autoscalerOptions", "enableInTreeAutoscaling", "headServiceAnnotations")
    return (HEAD,) if field_of(item) in of_head else pair.concerned(item)


def _of_field(item: Change, pair: Pair) -> str:
    """What a change of the cluster itself, or of its head, does."""
    field, inside = field_of(item), field_of(item, 2)
    if field == "enableInTreeAutoscaling":
        return _of_autoscaling(pair)
    if field in _OF_SERVICE or inside in _OF_SERVICE:
        return "head-service"
    if inside in ("enableIngress", "ingressOptions"):
        is_made = is_on(pair.new.spec, "headGroupSpec", "enableIngress")
        return "ingress" if is_made else "ingress-left"
    if field == "autoscalerOptions" and keys_at(item, 2) <= _READ_BY_AUTOSCALER:
        return "autoscaler-reads"
    return _OF_FIELDS.get(field) or _not_rolled(pair)


def _of_autoscaling(pair: Pair) -> str:
    was, now = (side.cluster is not None and side.cluster.is_scaled for side in pair[:2])
    if was == now:
        return "stored"
    return "autoscaler-missing" if now else "autoscaler-left"


def _not_rolled(pair: Pair) -> str:
    return "not-rolled" if pair.new.dialect.knows(_RECREATES_SINCE) else "not-rolled-old"


def _of_workers(item: Change, pair: Pair) -> Iterator[Judged]:
    """What a change of groups of workers does."""
    field, units = field_of(item, 3), pair.concerned(item)
    if not field:
        yield from _of_groups(item, pair)
    elif field == "numOfHosts" and _counts_replicas(units[0], pair):
        yield Judged(item, "hosts-left", units)
    elif field in SCALING:
        yield scaled(item, pair)
    elif field == "suspend":
        is_off = is_on(pair.new.groups[units[0]].node, "suspend")
        yield Judged(item, "group-suspended" if is_off else "group-resumed", units)
    elif field in _READ_BY_AUTOSCALER:
        yield Judged(item, "autoscaler-reads", units)
    elif field == "scaleStrategy":
        yield Judged(item, "workers-to-delete", units)
    else:
        kind = "half-rolled" if _grows(units[0], pair) else _not_rolled(pair)
        yield Judged(item, kind, units)


def _of_groups(item: Change, pair: Pair) -> Iterator[Judged]:
    """Groups that come or go; one of another name does both."""
    if item.how is How.MOVED:
        yield Judged(item, "reordered", pair.units)
        return
    for side, kind in ((item.before, "group-left"), (item.after, "group-added")):
        for name in groups_in(side):
            yield Judged(item, kind, (name,), {"unit": name})


def _counts_replicas(unit: str, pair: Pair) -> bool:
    """Whether KubeRay begins to count whole replicas of several hosts, which no pod is part of."""
    was, now = (side.groups[unit].number("numOfHosts") or 1 for side in (pair.old, pair.new))
    return pair.new.settings.has(_WHOLE_REPLICAS) and was == 1 < now


def _grows(unit: str, pair: Pair) -> bool:
    """Whether a group gets more pods by the same change."""
    return bounds(unit, pair.old)[0] < bounds(unit, pair.new)[0]
