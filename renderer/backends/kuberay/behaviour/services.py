"""How KubeRay follows edits of a RayService: with another cluster, or through Ray Serve."""

from collections.abc import Callable, Mapping

from renderer.backends.kuberay.behaviour.edits import (
    comes,
    edit,
    is_of_another_group,
    is_of_list,
    is_outside_spec,
    is_stopped,
    is_suspended,
    keys_at,
    new_plan,
    old_plan,
)
from renderer.backends.kuberay.behaviour.scaling import scaling_rows
from renderer.backends.kuberay.derive.cluster_hash import WORKERS, changes_hash, is_left_out
from renderer.backends.kuberay.derive.upgrades import Fate, fate
from renderer.derive.behaviour import ANY, Row, Situation
from renderer.kubernetes.data import number

_METADATA, _CONFIG, _SUSPEND = ("metadata",), ("spec", "serveConfigV2"), ("spec", "suspend")
_CLUSTER = ("spec", "rayClusterConfig")
_GROUPS = (*_CLUSTER, WORKERS)
_SERVICE = ("spec", "serveService")
#: What Ray Serve reads once, when it starts.
_READ_AT_START = ("http_options", "grpc_options", "proxy_location", "controller_options")
#: What of an application or a deployment does not need other replicas.
_LIGHT = frozenset(("num_replicas", "user_config", "autoscaling_config", "max_ongoing_requests"))
_TOGETHER_SINCE = (1, 4, 0)
#: Fields of the service besides its cluster and its configuration.
_FIELDS = {
    "upgradeStrategy": "upgrade-strategy",
    "excludeHeadPodFromServeSvc": "exclude-head",
    "rayClusterDeletionDelaySeconds": "deletion-delay",
    "serviceUnhealthySecondThreshold": "thresholds",
    "deploymentUnhealthySecondThreshold": "thresholds",
}
#: Fields that come out the same if no row says more of them.
_KNOWN = frozenset(("rayClusterConfig", "suspend", "managedBy"))
_TIMEOUT = "ray.io/initializing-timeout"
#: What of labels and annotations the cluster has a use for, once it is made.
_OF_CLUSTER = ("ray.io/", "kueue.x-k8s.io/", "volcano.sh/", "yunikorn.apache.org/")
_DELETION_DELAY = 60
_REPLACED = (Fate.REPLACED, Fate.DOUBLED)


def _has_fate(*fates: Fate) -> Callable[[Situation], bool]:
    """Whether one of these becomes of the cluster that runs."""

    def has(situation: Situation) -> bool:
        return fate(old_plan(situation), new_plan(situation)) in fates

    return has


_is_replaced, _is_updated = _has_fate(*_REPLACED), _has_fate(Fate.UPDATED)
_is_kept, _is_doubled = _has_fate(Fate.KEPT), _has_fate(Fate.DOUBLED)


def _is_switched(situation: Situation) -> bool:
    return old_plan(situation).is_stopped != new_plan(situation).is_stopped


def _is_switched_off(situation: Situation) -> bool:
    return _is_switched(situation) and is_stopped(situation)


def _is_timeout(situation: Situation) -> bool:
    return _TIMEOUT in keys_at(situation, 2)


def _is_of_object_only(situation: Situation) -> bool:
    is_for_cluster = any(key.startswith(_OF_CLUSTER) for key in keys_at(situation, 2))
    return is_outside_spec(situation) and not is_for_cluster


def _is_sent_to_both(situation: Situation) -> bool:
    return _is_replaced(situation) and not new_plan(situation).dialect.knows(_TOGETHER_SINCE)


def _is_same_config(situation: Situation) -> bool:
    return edit(situation).texts_only


def _is_light(situation: Situation) -> bool:
    return str(situation.path[-1]) in _LIGHT


def _is_cluster_off(situation: Situation) -> bool:
    return _is_updated(situation) and is_suspended(situation)


def _is_added(situation: Situation) -> bool:
    return comes(situation) and _is_updated(situation)


def _is_of_updated_list(situation: Situation) -> bool:
    return is_of_list(situation) and _is_updated(situation)


def _changes_type(situation: Situation) -> bool:
    return situation.path[-1] == "serviceType" and _is_doubled(situation)


def _is_seen(situation: Situation) -> bool:
    """Whether KubeRay starts another cluster for the edit."""
    dialect = new_plan(situation).dialect
    is_hashed = changes_hash(edit(situation), _CLUSTER, dialect, of_service=True)
    return is_hashed and _is_replaced(situation)


def _is_seen_in_steps(situation: Situation) -> bool:
    return new_plan(situation).is_incremental and _is_seen(situation)


def _is_late(situation: Situation) -> bool:
    dialect = new_plan(situation).dialect
    return is_left_out(edit(situation), _CLUSTER, dialect, of_service=True)


def _is_unknown(situation: Situation) -> bool:
    return len(situation.path) > 1 and str(situation.path[1]) not in _KNOWN


def _delay(situation: Situation) -> Mapping[str, str]:
    given = number(new_plan(situation).spec, "rayClusterDeletionDelaySeconds")
    return {"delay": str(_DELETION_DELAY if given is None else given)}


SERVICE_ROWS = (
    Row("suspended", at=_SUSPEND, when=_is_switched_off, reaches_all=True),
    Row("resumed", at=_SUSPEND, when=_is_switched, reaches_all=True),
    Row("", when=_is_switched, reaches_all=True),
    Row("not-running", when=is_stopped, reaches_all=True),
    # metadata, of which the cluster has a copy
    Row("initializing-timeout", at=_METADATA, when=_is_timeout),
    Row("metadata", when=_is_of_object_only),
    Row("with-new-cluster", at=_METADATA, when=_is_replaced),
    Row("kept", at=_METADATA, when=_is_kept),
    Row("metadata-later", at=_METADATA),
    # what Ray Serve runs
    Row("config-with-cluster-old", at=_CONFIG, when=_is_sent_to_both),
    Row("config-with-cluster", at=_CONFIG, when=_is_replaced),
    Row("config-text", at=_CONFIG, when=_is_same_config),
    *(Row("config-fixed", at=(*_CONFIG, field)) for field in _READ_AT_START),
    Row("config-light", at=_CONFIG, when=_is_light),
    Row("config", at=_CONFIG),
    # the cluster, where KubeRay updates the one that runs
    Row("cluster-suspended", at=(*_CLUSTER, "suspend"), when=_is_cluster_off),
    Row("cluster-resumed", at=(*_CLUSTER, "suspend"), when=_is_updated),
    Row("group-added", at=_GROUPS, when=_is_added),
    Row("", at=_GROUPS, when=_is_of_updated_list),
    # the cluster, where it starts another one
    Row("type-breaks", at=_CLUSTER, when=_changes_type, reaches_all=True),
    Row("replaced-gradually", at=_CLUSTER, when=_is_seen_in_steps, reaches_all=True),
    Row("replaced", at=_CLUSTER, when=_is_seen, words=_delay, reaches_all=True),
    Row("", when=is_of_another_group),
    *scaling_rows((*_GROUPS, ANY), _is_updated),
    Row("later-pods", at=_CLUSTER, when=_is_updated),
    Row("kept", at=_CLUSTER, when=_is_kept),
    Row("with-new-cluster", at=_CLUSTER, when=_is_replaced),
    Row("later", at=_CLUSTER, when=_is_late),
    Row("with-new-cluster", at=_SERVICE, when=_is_replaced),
    Row("service-later", at=_SERVICE),
    *(Row(kind, at=("spec", field)) for field, kind in _FIELDS.items()),
    Row("unknown", when=_is_unknown),
)
