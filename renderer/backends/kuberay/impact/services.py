"""From the change of a RayService to what it does to its cluster and to Ray Serve."""

from collections.abc import Iterator
from enum import StrEnum

from renderer.backends.fields import text
from renderer.backends.kuberay.impact.cluster_hash import WORKERS, changes_hash, is_left_out
from renderer.backends.kuberay.impact.judgement import (
    CausedImpact,
    Judged,
    Pair,
    field_of,
    is_below,
    keys_at,
)
from renderer.backends.kuberay.impact.rendered_workload import RenderedWorkload, is_on
from renderer.backends.kuberay.impact.scaling import SCALING, scaled
from renderer.backends.kuberay.impact.whole_objects import impacts_on_object, switch
from renderer.values.changes import Change, How, ObjectChange, State

_SERVE_CONFIG, _CLUSTER = ("spec", "serveConfigV2"), "rayClusterConfig"
_WITHOUT_ADDRESS = ("", "ClusterIP")
_INCREMENTAL, _GATE = "NewClusterWithIncrementalUpgrade", "RayServiceIncrementalUpgrade"
#: What Ray Serve reads once, when it starts.
_READ_AT_START = frozenset(("http_options", "grpc_options", "proxy_location", "controller_options"))
#: What of an application or a deployment does not need other replicas.
_LIGHT = frozenset(("num_replicas", "user_config", "autoscaling_config", "max_ongoing_requests"))
_TOGETHER_SINCE, _SUSPENDED_IN_PLACE, _SUSPENDED_AT_START = (1, 4, 0), (1, 6, 1), (1, 7, 0)
#: Fields of the service besides its cluster and its configuration.
_OF_FIELDS = {
    "upgradeStrategy": "upgrade-strategy",
    "excludeHeadPodFromServeSvc": "exclude-head",
    "rayClusterDeletionDelaySeconds": "deletion-delay",
    "serviceUnhealthySecondThreshold": "thresholds",
    "deploymentUnhealthySecondThreshold": "thresholds",
}
_TIMEOUT = "ray.io/initializing-timeout"
#: What of labels and annotations the cluster has a use for, once it is made.
_OF_CLUSTER = ("ray.io/", "kueue.x-k8s.io/", "volcano.sh/", "yunikorn.apache.org/")


class Fate(StrEnum):
    """What becomes of the cluster that runs."""

    SAME = "same"
    UPDATED = "updated"
    REPLACED = "replaced"
    KEPT = "kept"


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What a service's changes do to the groups of its cluster."""
    return impacts_on_object(change, before, after, _edited)


def _fate(pair: Pair) -> Fate:
    """What KubeRay does about the cluster that runs."""
    where = pair.new.cluster_path
    found = [item for item in pair.changes if is_below(item, where) and _is_hashed(item, pair)]
    if _toggles_in_place(pair.old, pair.new):
        return Fate.UPDATED
    if not found:
        return Fate.SAME
    groups = [*pair.old.groups]
    is_longer = [*pair.new.groups][: len(groups)] == groups
    if is_longer and all(_adds_groups(item, pair) for item in found):
        return Fate.UPDATED
    return Fate.REPLACED if _is_upgraded(pair.new) else Fate.KEPT


def _is_hashed(item: Change, pair: Pair) -> bool:
    """Whether it is one that KubeRay starts another cluster for."""
    return changes_hash(item, pair.new.cluster_path, pair.new.dialect, of_service=True)


def _adds_groups(item: Change, pair: Pair) -> bool:
    depth = len(pair.new.cluster_path)
    is_group = len(item.path) in (depth + 1, depth + 2)
    return item.how is How.ADDED and is_group and item.path[depth] == WORKERS


def _toggles_in_place(old: RenderedWorkload, new: RenderedWorkload) -> bool:
    """Whether KubeRay suspends or resumes the cluster, and updates the rest of it with that."""
    was, now = (is_on(side.spec, _CLUSTER, "suspend") for side in (old, new))
    return was != now and _SUSPENDED_IN_PLACE <= new.dialect.version < _SUSPENDED_AT_START


def _is_upgraded(service: RenderedWorkload) -> bool:
    """Whether a new cluster may take the place of the old one."""
    strategy = text(service.spec, "upgradeStrategy", "type")
    return strategy in ("", "NewCluster") or _is_gradual(service)


def _is_gradual(service: RenderedWorkload) -> bool:
    strategy = text(service.spec, "upgradeStrategy", "type")
    return strategy == _INCREMENTAL and service.settings.has(_GATE)


def _edited(pair: Pair) -> Iterator[Judged]:
    """A service that stays."""
    is_switched = pair.new.dialect.knows(_SUSPENDED_AT_START)
    is_off = is_switched and is_on(pair.new.spec, "suspend")
    if is_switched and (cause := switch(pair, "suspend")):
        yield Judged(cause, "suspended" if is_off else "resumed", pair.units)
    elif is_off:
        yield from (Judged(item, "not-running", pair.units) for item in pair.changes)
    else:
        fate = _fate(pair)
        for item in pair.changes:
            yield from _judged(item, fate, pair)


def _judged(item: Change, fate: Fate, pair: Pair) -> Iterator[Judged]:
    if not is_below(item, ("spec",)):
        yield Judged(item, _of_metadata(item, fate), pair.units)
    elif is_below(item, _SERVE_CONFIG):
        yield Judged(item, _of_config(item, fate, pair), pair.units)
    elif is_below(item, pair.new.cluster_path):
        yield from _of_cluster(item, fate, pair)
    elif field_of(item) == "serveService":
        kind = "with-new-cluster" if fate is Fate.REPLACED else "service-later"
        yield Judged(item, kind, pair.units)
    else:
        yield Judged(item, _OF_FIELDS.get(field_of(item), "stored"), pair.units)


def _of_metadata(item: Change, fate: Fate) -> str:
    keys = keys_at(item, 2)
    if _TIMEOUT in keys:
        return "initializing-timeout"
    if not any(key.startswith(_OF_CLUSTER) for key in keys):
        return "metadata"
    return {Fate.REPLACED: "with-new-cluster", Fate.KEPT: "kept"}.get(fate, "metadata-later")


def _of_config(item: Change, fate: Fate, pair: Pair) -> str:
    """What Ray Serve makes of a change of its configuration."""
    if fate is Fate.REPLACED:
        is_safe = pair.new.dialect.knows(_TOGETHER_SINCE)
        return "config-with-cluster" if is_safe else "config-with-cluster-old"
    if item.texts_only:
        return "config-text"
    if field_of(item, len(_SERVE_CONFIG)) in _READ_AT_START:
        return "config-fixed"
    return "config-light" if str(item.path[-1]) in _LIGHT else "config"


def _of_cluster(item: Change, fate: Fate, pair: Pair) -> Iterator[Judged]:
    """What a change within the cluster does; a new cluster concerns every group."""
    if fate is Fate.UPDATED:
        yield from _updated(item, pair)
    elif fate is Fate.KEPT:
        yield Judged(item, "kept", pair.concerned(item))
    elif fate is Fate.REPLACED and item.path[-1] == "serviceType" and _loses_its_address(pair):
        yield Judged(item, "type-breaks", pair.units)
    elif fate is Fate.REPLACED and _is_hashed(item, pair):
        kind = "replaced-gradually" if _is_gradual(pair.new) else "replaced"
        yield Judged(item, kind, pair.units, {"delay": str(pair.new.deletion_delay)})
    elif fate is Fate.REPLACED:
        yield Judged(item, "with-new-cluster", pair.concerned(item))
    else:
        where, dialect = pair.new.cluster_path, pair.new.dialect
        is_late = is_left_out(item, where, dialect, of_service=True)
        yield Judged(item, "later" if is_late else "stored", pair.concerned(item))


def _loses_its_address(pair: Pair) -> bool:
    """Whether the head's Service, which has no address, should be one that needs it."""
    path = ("headGroupSpec", "serviceType")
    was, now = (text(side.spec, _CLUSTER, *path) for side in (pair.old, pair.new))
    return was in _WITHOUT_ADDRESS and now not in _WITHOUT_ADDRESS


def _updated(item: Change, pair: Pair) -> Iterator[Judged]:
    """What becomes of a change where KubeRay updates the cluster that runs."""
    if item.path == (*pair.new.cluster_path, "suspend"):
        kind = "cluster-suspended" if pair.new.is_suspended else "cluster-resumed"
        yield Judged(item, kind, pair.units)
    elif _adds_groups(item, pair):
        yield Judged(item, "group-added", pair.concerned(item))
    elif str(item.path[-1]) in SCALING:
        yield scaled(item, pair)
    else:
        yield Judged(item, "later-pods", pair.concerned(item))
