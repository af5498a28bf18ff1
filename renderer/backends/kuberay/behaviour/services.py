"""How KubeRay follows edits of a RayService: with another cluster, or through Ray Serve."""

from collections.abc import Mapping

from renderer.backends.kuberay.behaviour.edits import (
    begins_empty,
    changes_group_list,
    edit,
    is_about_other_group,
    is_added,
    is_held,
    is_outside_spec,
    is_stopped,
    is_suspended,
    is_switched,
    keys_at,
    new_plan,
    old_plan,
    scaling_rows,
)
from renderer.backends.kuberay.derive.upgrades import (
    WORKERS,
    Fate,
    changes_hash,
    fate,
    is_ignored_by_hash,
)
from renderer.derive.behaviour import (
    ANY,
    NOTHING,
    ChangeKind,
    Condition,
    Row,
    Situation,
    Stage,
    all_of,
)
from renderer.kubernetes.data import number
from renderer.values.changes import Effect, How

_METADATA, _CONFIG, _SUSPEND = ("metadata",), ("spec", "serveConfigV2"), ("spec", "suspend")
_CLUSTER = ("spec", "rayClusterConfig")
_GROUPS = (*_CLUSTER, WORKERS)
_SERVICE = ("spec", "serveService")
_SERVICE_NAME = (*_SERVICE, "metadata", "name")
_APPLICATION = (*_CONFIG, "applications", ANY)
#: What Ray Serve reads once, when it starts.
_READ_AT_START = ("http_options", "grpc_options", "proxy_location", "controller_options")
#: What of an application or a deployment does not need other replicas.
_LIGHT = frozenset(("num_replicas", "user_config", "autoscaling_config", "max_ongoing_requests"))
#: Since when a config that changes together with the cluster goes to the new cluster only.
_SENT_ONCE_SINCE = (1, 4, 0)
#: Fields of the service besides its cluster and its configuration.
_FIELDS = {
    "upgradeStrategy": "upgrade-strategy",
    "excludeHeadPodFromServeSvc": "exclude-head",
    "rayClusterDeletionDelaySeconds": "deletion-delay",
    "serviceUnhealthySecondThreshold": "thresholds",
    "deploymentUnhealthySecondThreshold": "thresholds",
}
#: Fields that have no effect of their own; the rows above cover what they change.
_KNOWN = frozenset(("rayClusterConfig", "suspend", "managedBy"))
_TIMEOUT = "ray.io/initializing-timeout"
#: What of labels and annotations the cluster has a use for, once it is made.
_CLUSTER_PREFIXES = ("ray.io/", "kueue.x-k8s.io/", "volcano.sh/", "yunikorn.apache.org/")
#: Seconds that the operator keeps the old cluster where the spec sets none.
_DELETION_DELAY = 60
_REPLACED = (Fate.REPLACED, Fate.DOUBLED)


def _has_fate(*fates: Fate) -> Condition:
    """Whether one of these becomes of the cluster that runs."""

    def has(situation: Situation) -> bool:
        return fate(old_plan(situation), new_plan(situation)) in fates

    return has


_is_replaced, _is_updated = _has_fate(*_REPLACED), _has_fate(Fate.UPDATED)
_is_kept, _is_doubled = _has_fate(Fate.KEPT), _has_fate(Fate.DOUBLED)


def _is_timeout(situation: Situation) -> bool:
    return _TIMEOUT in keys_at(situation, 2)


def _is_metadata_only(situation: Situation) -> bool:
    is_for_cluster = any(key.startswith(_CLUSTER_PREFIXES) for key in keys_at(situation, 2))
    return is_outside_spec(situation) and not is_for_cluster


def _is_sent_to_both(situation: Situation) -> bool:
    return _is_replaced(situation) and not new_plan(situation).dialect.knows(_SENT_ONCE_SINCE)


def _is_same_config(situation: Situation) -> bool:
    return edit(situation).texts_only


def _is_light(situation: Situation) -> bool:
    return str(situation.path[-1]) in _LIGHT


def _changes_type(situation: Situation) -> bool:
    return bool({"serviceType", "headService"} & {*situation.path}) and _is_doubled(situation)


def _starts_cluster(situation: Situation) -> bool:
    """Whether KubeRay starts another cluster for the edit."""
    dialect = new_plan(situation).dialect
    is_hashed = changes_hash(edit(situation), _CLUSTER, dialect, of_service=True)
    return is_hashed and _is_replaced(situation)


def _starts_cluster_in_steps(situation: Situation) -> bool:
    return new_plan(situation).is_incremental and _starts_cluster(situation)


def _waits_for_next_cluster(situation: Situation) -> bool:
    dialect = new_plan(situation).dialect
    return is_ignored_by_hash(edit(situation), _CLUSTER, dialect, of_service=True)


def _renames_service(situation: Situation) -> bool:
    return old_plan(situation).serve_service != new_plan(situation).serve_service


def _is_about_service_name(situation: Situation) -> bool:
    path = situation.path
    return path == _SERVICE_NAME[: len(path)] and _renames_service(situation)


def _service_names(situation: Situation) -> Mapping[str, str]:
    old, new = old_plan(situation), new_plan(situation)
    return {"service": new.serve_service, "old_service": old.serve_service}


def _adds_application(situation: Situation) -> bool:
    return _is_whole_application(situation) and edit(situation).how is How.ADDED


def _removes_application(situation: Situation) -> bool:
    return _is_whole_application(situation) and edit(situation).how is How.REMOVED


def _renames_application(situation: Situation) -> bool:
    return edit(situation).how is How.RENAMED and situation.path == _APPLICATION[:-1]


def _is_whole_application(situation: Situation) -> bool:
    return len(situation.path) == len(_APPLICATION)


def _is_unknown(situation: Situation) -> bool:
    return len(situation.path) > 1 and str(situation.path[1]) not in _KNOWN


def _delay(situation: Situation) -> Mapping[str, str]:
    given = number(new_plan(situation).spec, "rayClusterDeletionDelaySeconds")
    return {"delay": str(_DELETION_DELAY if given is None else given)}


_MANUAL_EDIT = "To have it sooner, change the same field of the RayCluster that runs by hand."
SERVICE_CHANGES = {
    "service-mended": ChangeKind(
        Effect.CREATE,
        "The spec had errors, so that nothing was rendered: KubeRay makes a cluster of it now, if "
        "none is there. It does not replace one that never became ready.",
        "If the state with errors was applied all the same, delete its RayCluster.",
        pods=True,
    ),
    # another cluster
    "replaced": ChangeKind(
        Effect.REPLACE,
        "{field} changed: KubeRay starts a second cluster beside the one that runs{observed}, so "
        "that both ask for resources; once all applications run there, requests go to it, and the "
        "old one is deleted {delay} s later.",
    ),
    "replaced-gradually": ChangeKind(
        Effect.REPLACE,
        "{field} changed: KubeRay starts a second cluster beside the one that runs{observed} and "
        "moves requests to it in steps, as `upgradeStrategy` says; both ask for resources until "
        "then.",
    ),
    "type-breaks": ChangeKind(
        Effect.BREAKS,
        "KubeRay starts a second cluster but never switches to it{observed}: the Service "
        "`{name}-head-svc` has no address of its own, and Kubernetes does not let it become "
        "another type; both clusters go on.",
        "Delete the Service `{name}-head-svc` when this is applied: KubeRay makes it anew.",
        pods=True,
    ),
    "with-new-cluster": ChangeKind(
        Effect.REPLACE, "{field} counts in the new cluster, which this change starts anyway."
    ),
    "kept": ChangeKind(
        Effect.IGNORED,
        "The cluster should be another one now, but `upgradeStrategy` allows no second one: what "
        "runs stays as it is.",
        "Let `upgradeStrategy.type` be NewCluster, or delete the RayCluster when it suits.",
    ),
    "later": ChangeKind(
        Effect.DEFERRED,
        "{field} is not among what KubeRay compares: it does not reach the cluster that runs"
        "{observed}, only the next one.",
        _MANUAL_EDIT,
        shown_by=(NOTHING,),
        pods=False,
    ),
    "later-pods": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: KubeRay updates the RayCluster, but only pods that are made from now on "
        "have it.",
        pods=False,
    ),
    "upgrade-strategy": ChangeKind(
        Effect.IN_PLACE,
        "The next change of the cluster follows the new `upgradeStrategy`; what was ignored before "
        "and is allowed now starts a new cluster at once.",
    ),
    # what Ray Serve runs
    "config": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: KubeRay sends the configuration to the cluster that runs and replaces no "
        "pod{observed}; Ray Serve replaces the replicas of what it changes.",
    ),
    "application-added": ChangeKind(
        Effect.IN_PLACE,
        "{field} is new: KubeRay sends the configuration to the cluster that runs and replaces no "
        "pod{observed}; Ray Serve starts the application, and the other ones go on.",
    ),
    "application-removed": ChangeKind(
        Effect.IN_PLACE,
        "{field} is there no more: KubeRay sends the configuration to the cluster that runs and "
        "replaces no pod{observed}; Ray Serve stops the application, and the other ones go on.",
    ),
    "application-renamed": ChangeKind(
        Effect.IN_PLACE,
        "{field} has another name in it: KubeRay sends the configuration to the cluster that runs "
        "and replaces no pod{observed}; Ray Serve stops the application of the old name and starts "
        "that of the new one.",
    ),
    "config-light": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: KubeRay sends the configuration to the cluster that runs and replaces no "
        "pod{observed}; Ray Serve applies it without replacing replicas.",
    ),
    "config-text": ChangeKind(
        Effect.IN_PLACE,
        "The text of `serveConfigV2` is another one, but says the same: KubeRay sends it once "
        "more{observed}, and Ray Serve finds nothing to do.",
    ),
    "config-fixed": ChangeKind(
        Effect.IGNORED,
        "Ray Serve reads {what} when it starts: the cluster that runs keeps the old value, and the "
        "next one has the new one.",
        "To have it now, change the cluster too, for example an annotation of its head's pods.",
    ),
    "config-with-cluster": ChangeKind(
        Effect.REPLACE,
        "{field} changed together with the cluster: only the new cluster gets it{observed}, and "
        "the old one serves as before until then.",
    ),
    "config-with-cluster-old": ChangeKind(
        Effect.REPLACE,
        "{field} changed together with the cluster: KubeRay before 1.4 may send it to the old "
        "cluster as well.",
        "Make it two commits: first the one that the other does not need.",
    ),
    # other fields of a service
    "service-later": ChangeKind(
        Effect.DEFERRED,
        "{field} changed, but not the Service for requests{observed}: KubeRay updates it only when "
        "another cluster takes over.",
        "To have it sooner, delete the Service `{service}`: KubeRay makes it anew.",
        shown_by=(NOTHING,),
        pods=False,
    ),
    "service-renamed": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: KubeRay makes the Service `{service}` for requests and leaves "
        "`{old_service}` as it is{observed}; that one leads nowhere once another cluster takes "
        "over (inferred).",
        "Once nobody calls `{old_service}` any more, delete it.",
        shown_by=(Effect.IN_PLACE,),
        pods=False,
    ),
    "with-new-service": ChangeKind(
        Effect.IN_PLACE, "{field} counts in the new Service `{service}`, which this change makes."
    ),
    "exclude-head": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay labels the head's pod anew; no pod is replaced."
    ),
    "deletion-delay": ChangeKind(
        Effect.IN_PLACE, "{field} counts for clusters that are replaced from now on."
    ),
    "thresholds": ChangeKind(
        Effect.IGNORED, "KubeRay does not read {what} any more.", "Remove it."
    ),
    "initializing-timeout": ChangeKind(
        Effect.IN_PLACE, "{field} counts from now on, while the service is not ready yet."
    ),
    "metadata-later": ChangeKind(
        Effect.DEFERRED,
        "KubeRay copies {what} to the RayCluster when it makes one: the one that runs does not get "
        "it.",
        _MANUAL_EDIT,
        pods=False,
    ),
}
SERVICE_ROWS = (
    Row("service-mended", stage=Stage.MENDED),
    Row("suspended", at=_SUSPEND, when=all_of(is_switched, is_stopped), reaches_all=True),
    Row("resumed", at=_SUSPEND, when=is_switched, reaches_all=True),
    Row("", when=is_switched, reaches_all=True),
    Row("not-running", when=is_stopped, reaches_all=True),
    # metadata, of which the cluster has a copy
    Row("initializing-timeout", at=_METADATA, when=_is_timeout),
    Row("metadata", when=_is_metadata_only),
    Row("with-new-cluster", at=_METADATA, when=_is_replaced),
    Row("kept", at=_METADATA, when=_is_kept),
    Row("metadata-later", at=_METADATA),
    # what Ray Serve runs
    Row("config-with-cluster-old", at=_CONFIG, when=_is_sent_to_both),
    Row("config-with-cluster", at=_CONFIG, when=_is_replaced),
    Row("config-text", at=_CONFIG, when=_is_same_config),
    *(Row("config-fixed", at=(*_CONFIG, field)) for field in _READ_AT_START),
    Row("application-added", at=_APPLICATION, when=_adds_application),
    Row("application-removed", at=_APPLICATION, when=_removes_application),
    Row("application-renamed", at=_APPLICATION[:-1], when=_renames_application),
    Row("config-light", at=_CONFIG, when=_is_light),
    Row("config", at=_CONFIG),
    # the cluster, where KubeRay updates the one that runs
    Row("cluster-held", at=(*_CLUSTER, "suspend"), when=is_held),
    Row("cluster-suspended", at=(*_CLUSTER, "suspend"), when=all_of(_is_updated, is_suspended)),
    Row("cluster-resumed", at=(*_CLUSTER, "suspend"), when=_is_updated),
    Row("group-empty", at=_GROUPS, when=all_of(is_added, _is_updated, begins_empty)),
    Row("group-added", at=_GROUPS, when=all_of(is_added, _is_updated)),
    Row("", at=_GROUPS, when=all_of(changes_group_list, _is_updated)),
    # the cluster, where it starts another one
    Row("type-breaks", at=_CLUSTER, when=_changes_type, reaches_all=True),
    Row("replaced-gradually", at=_CLUSTER, when=_starts_cluster_in_steps, reaches_all=True),
    Row("replaced", at=_CLUSTER, when=_starts_cluster, words=_delay, reaches_all=True),
    Row("", when=is_about_other_group),
    *scaling_rows((*_GROUPS, ANY), _is_updated),
    Row("later-pods", at=_CLUSTER, when=_is_updated),
    Row("kept", at=_CLUSTER, when=_is_kept),
    Row("with-new-cluster", at=_CLUSTER, when=_is_replaced),
    Row("later", at=_CLUSTER, when=_waits_for_next_cluster),
    # the Service for requests: one of another name is made at once (edit-service-serve-service-…)
    Row("service-renamed", at=_SERVICE, when=_is_about_service_name, words=_service_names),
    Row("with-new-service", at=_SERVICE, when=_renames_service, words=_service_names),
    Row("with-new-cluster", at=_SERVICE, when=_is_replaced),
    Row("service-later", at=_SERVICE, words=_service_names),
    *(Row(kind, at=("spec", field)) for field, kind in _FIELDS.items()),
    Row("unknown", when=_is_unknown),
)
