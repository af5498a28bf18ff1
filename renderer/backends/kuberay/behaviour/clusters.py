"""How KubeRay follows edits of a RayCluster: it replaces no pod that runs, unless by Recreate."""

from collections.abc import Mapping

from renderer.backends.fields import is_true
from renderer.backends.kuberay.behaviour.cluster_objects import (
    COMPANION_ROWS,
    MADE_ONCE_ROWS,
    OBJECT_CHANGES,
)
from renderer.backends.kuberay.behaviour.edits import (
    SCALING,
    are_pods_recreated,
    begins_empty,
    changes_group_list,
    edit,
    is_about_other_group,
    is_about_workers,
    is_added,
    is_held,
    is_outside_spec,
    is_removed,
    is_reordered,
    is_suspended,
    keys_at,
    new_plan,
    old_plan,
    scaling_rows,
)
from renderer.backends.kuberay.derive.clusters import has_own_token, token_secret
from renderer.backends.kuberay.derive.upgrades import (
    RECREATES_SINCE,
    WORKERS,
    changes_hash,
    leaves_pods,
)
from renderer.backends.kuberay.workloads import ENABLES_SERVE
from renderer.derive.behaviour import ANY, NOTHING, ChangeKind, Row, Situation, all_of, always
from renderer.derive.pods import unit_bounds
from renderer.values.changes import Effect

_SPEC, _SUSPEND = ("spec",), ("spec", "suspend")
_GROUPS = ("spec", WORKERS)
_GROUP = (*_GROUPS, ANY)
_AUTH = ("spec", "authOptions")
_AUTOSCALING, _OPTIONS = ("spec", "enableInTreeAutoscaling"), ("spec", "autoscalerOptions")
_HEAD_FIELDS = ("enableInTreeAutoscaling", "autoscalerOptions", "headServiceAnnotations")
#: What Ray's autoscaler reads of the cluster each time that it looks.
_READ_BY_AUTOSCALER = ("idleTimeoutSeconds", "upscalingMode", "priority")
#: Fields that change what pods are made of in ways that are not worked out here.
_POD_FIELDS = ("gcsFaultToleranceOptions", "tlsOptions", "historyServerOptions")
#: All other fields whose effect on pods, Services and the rest is worked out.
_KNOWN = frozenset((
    "headGroupSpec", WORKERS, "rayVersion", "enableInTreeAutoscaling", "autoscalerOptions",
    "headServiceAnnotations", "suspend", "managedBy", "authOptions",
))  # fmt: skip
_KNOWN_OF_GROUPS = frozenset((
    "groupName", "template", "rayStartParams", "resources", "labels", "suspend", "serviceType",
    "enableIngress", "ingressOptions", "headService",
))  # fmt: skip


def _is_switched(situation: Situation) -> bool:
    return old_plan(situation).is_suspended != is_suspended(situation)


def _asks_to_serve(situation: Situation) -> bool:
    is_given = edit(situation).after is not None
    return is_given and ENABLES_SERVE in keys_at(situation, 2)


def _is_metadata_only(situation: Situation) -> bool:
    """Annotations may be read for pods; those are as others that pods are made of."""
    return is_outside_spec(situation) and not situation.differs("Pod")


def _recreates(situation: Situation) -> bool:
    dialect = new_plan(situation).dialect
    is_seen = changes_hash(edit(situation), _SPEC, dialect, of_service=False)
    return is_seen and are_pods_recreated(situation)


def _reaches_new_pods(situation: Situation) -> bool:
    return str(situation.path[-1]) not in SCALING and are_pods_recreated(situation)


def _leaves_pods(situation: Situation) -> bool:
    return leaves_pods(old_plan(situation), new_plan(situation), situation.unit)


def _is_group_switched(situation: Situation) -> bool:
    return is_true(edit(situation).before) or _is_group_off(situation)


def _is_group_off(situation: Situation) -> bool:
    return is_true(edit(situation).after)


def _begins_to_scale(situation: Situation) -> bool:
    return new_plan(situation).cluster.is_scaled and not old_plan(situation).cluster.is_scaled


def _stops_to_scale(situation: Situation) -> bool:
    return old_plan(situation).cluster.is_scaled and not new_plan(situation).cluster.is_scaled


def _is_read_by_autoscaler(situation: Situation) -> bool:
    return keys_at(situation, 2) <= {*_READ_BY_AUTOSCALER}


def _grows(situation: Situation) -> bool:
    """Whether a group gets more pods by the same change."""
    return unit_bounds(situation.old_unit)[0] < unit_bounds(situation.new_unit)[0]


def _cannot_recreate(situation: Situation) -> bool:
    return not new_plan(situation).dialect.knows(RECREATES_SINCE)


def _is_unknown(situation: Situation) -> bool:
    _, *path = situation.path
    if len(path) > 1 and path[0] in ("headGroupSpec", WORKERS):
        field = path[1:2] if path[0] == "headGroupSpec" else path[2:3]
        return bool(field) and str(field[0]) not in _KNOWN_OF_GROUPS
    return bool(path) and str(path[0]) not in _KNOWN


def _makes_token(situation: Situation) -> bool:
    return has_own_token(new_plan(situation)) and not has_own_token(old_plan(situation))


def _leaves_token(situation: Situation) -> bool:
    return has_own_token(old_plan(situation)) and not has_own_token(new_plan(situation))


def _token_secret(situation: Situation) -> Mapping[str, str]:
    return {"secret": token_secret(new_plan(situation))}


_OR_RECREATE = "; a custom resource may have Recreate in `upgradeStrategy` instead."
CLUSTER_CHANGES = {
    **OBJECT_CHANGES,
    # pods
    "recreated": ChangeKind(
        Effect.RECREATE,
        "By the cluster's `upgradeStrategy` Recreate KubeRay deletes all its pods, then makes new "
        "ones{observed}; nothing runs meanwhile, and what Ray holds in memory is lost.",
        "Merge it when the cluster is idle.",
    ),
    "with-new-pods": ChangeKind(
        Effect.RECREATE, "{field} counts in the new pods, which this change makes anyway."
    ),
    "not-rolled": ChangeKind(
        Effect.IGNORED,
        "What pods are made of changed, but KubeRay replaces none that runs{observed}: only pods "
        "that are made later have it.",
        f"Delete the pods when it suits{_OR_RECREATE}",
        shown_by=(Effect.IN_PLACE, NOTHING),
    ),
    "not-rolled-old": ChangeKind(
        Effect.IGNORED,
        "What pods are made of changed, but KubeRay replaces none that runs: only pods that are "
        "made later have it.",
        "Delete the pods when it suits, or add the cluster under another name.",
    ),
    "half-rolled": ChangeKind(
        Effect.IGNORED,
        "What pods are made of changed, but KubeRay replaces none that runs: those that this "
        "change adds to the group have it, the other ones do not.",
        "Delete the old pods when it suits.",
    ),
    "recreate-strategy": ChangeKind(
        Effect.IN_PLACE,
        "The next change of the cluster follows the new `upgradeStrategy`; with Recreate, pods "
        "that are not as Git has them since an earlier change are replaced at once.",
    ),
    # numbers
    "scaled": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: the group `{unit}` now has {pods_after} (before: {pods_before}); the "
        "other pods stay.",
    ),
    "scaled-same": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed, but the group `{unit}` still has {pods_after}.",
        shown_by=(),
    ),
    "bounds": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: Ray's autoscaler gives the group `{unit}` {pods_after} from now on "
        "(before: {pods_before}).",
        shown_by=(),
    ),
    "replicas-left": ChangeKind(
        Effect.IN_PLACE,
        "{field} is in Git no more: it falls back to 0 once{floor}, and is Ray's autoscaler's from "
        "then on; KubeRay deletes no pod because of it.",
        shown_by=(),
    ),
    "hosts-left": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: KubeRay makes pods of whole replicas, but does not count those that ran "
        "before as such, and leaves them alone.",
        "Delete the group's old pods.",
        shown_by=(Effect.IN_PLACE,),
    ),
    "workers-to-delete": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay deletes the pods that it names."
    ),
    "autoscaler-missing": ChangeKind(
        Effect.IGNORED,
        "Autoscaling is on, but the head's pod stays as it is{observed}: it runs without an "
        "autoscaler until it is made anew, and KubeRay deletes no workers any more: nobody scales.",
        f"Delete the head's pod when it suits{_OR_RECREATE}",
        shown_by=(Effect.IN_PLACE, NOTHING),
    ),
    "autoscaler-left": ChangeKind(
        Effect.IGNORED,
        "Autoscaling is off, but the head's pod stays as it is{observed}: the autoscaler in it "
        "goes on, and changes `replicas`, until it is made anew.",
        f"Delete the head's pod when it suits{_OR_RECREATE}",
    ),
    "autoscaler-reads": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: Ray's autoscaler reads it when it looks next (inferred); no pod is "
        "replaced{observed}.",
        shown_by=(Effect.IN_PLACE, NOTHING),
    ),
    # groups
    "group-added": ChangeKind(Effect.CREATE, "KubeRay makes the pods of the new group."),
    "group-empty": ChangeKind(
        Effect.IN_PLACE,
        "KubeRay makes no pod of the new group `{unit}` to begin with{observed}; it has "
        "{pods_after}.",
        shown_by=(NOTHING,),
    ),
    "group-left": ChangeKind(
        Effect.ORPHANS,
        "The group `{unit}` is in the cluster no more, but KubeRay leaves its pods alone"
        "{observed}: they go on running.",
        "First set its `replicas` and `minReplicas` to 0, or delete its pods.",
    ),
    "group-suspended": ChangeKind(
        Effect.DELETE, "The group is suspended: KubeRay deletes its pods."
    ),
    "group-resumed": ChangeKind(
        Effect.CREATE, "The group is suspended no more: KubeRay makes its pods."
    ),
    "reordered": ChangeKind(
        Effect.IN_PLACE, "The groups stand in another order, which means nothing here."
    ),
    # tokens
    "token-made": ChangeKind(
        Effect.IGNORED,
        "{field} changed: KubeRay makes the Secret `{secret}` with a token, but replaces no pod "
        "that runs{observed}: only pods that are made later ask for it, and the others do not.",
        f"Delete all pods when it suits{_OR_RECREATE}",
        shown_by=(Effect.IN_PLACE,),
    ),
    "token-left": ChangeKind(
        Effect.IGNORED,
        "{field} changed: KubeRay leaves the Secret `{secret}` with the token where it is, and "
        "replaces no pod that runs{observed}: only pods that are made later do without it.",
        f"Delete all pods when it suits, then the Secret{_OR_RECREATE}",
        shown_by=(NOTHING,),
    ),
    "network-policy": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay changes the NetworkPolicy; no pod is replaced."
    ),
}
CLUSTER_ROWS = (
    Row("cluster-held", at=_SUSPEND, when=is_held, reaches_all=True),
    Row(
        "cluster-suspended", at=_SUSPEND, when=all_of(_is_switched, is_suspended), reaches_all=True
    ),
    Row("cluster-resumed", at=_SUSPEND, when=_is_switched, reaches_all=True),
    Row("", when=_is_switched, reaches_all=True),
    Row("not-running", when=is_suspended),
    Row("serve-service", at=("metadata",), when=_asks_to_serve),
    Row("metadata", when=_is_metadata_only),
    *COMPANION_ROWS,
    # pods that are all made anew (recorded: edit-cluster-image-recreate)
    Row("recreated", at=_SPEC, when=_recreates, reaches_all=True),
    Row("with-new-pods", at=_SPEC, when=_reaches_new_pods),
    # groups of workers
    Row("reordered", at=_GROUPS, when=is_reordered, reaches_all=True),
    Row("group-left", at=_GROUPS, when=is_removed),
    Row("group-empty", at=_GROUPS, when=all_of(is_added, begins_empty)),
    Row("group-added", at=_GROUPS, when=is_added),
    Row("", at=_GROUPS, when=changes_group_list),
    Row("", when=is_about_other_group),
    Row("hosts-left", at=(*_GROUP, "numOfHosts"), when=_leaves_pods),
    *scaling_rows(_GROUP, always),
    Row("group-suspended", at=(*_GROUP, "suspend"), when=_is_group_off),
    Row("group-resumed", at=(*_GROUP, "suspend"), when=_is_group_switched),
    Row("workers-to-delete", at=(*_GROUP, "scaleStrategy")),
    *(Row("autoscaler-reads", at=(*_GROUP, field)) for field in _READ_BY_AUTOSCALER),
    # the autoscaler is in the head's pod, which is not replaced (edit-cluster-autoscaling-on)
    *(Row("", at=("spec", field), when=is_about_workers) for field in _HEAD_FIELDS),
    Row("autoscaler-missing", at=_AUTOSCALING, when=_begins_to_scale),
    Row("autoscaler-left", at=_AUTOSCALING, when=_stops_to_scale),
    Row("autoscaler-reads", at=_OPTIONS, when=_is_read_by_autoscaler),
    Row("recreate-strategy", at=("spec", "upgradeStrategy")),
    Row("network-policy", at=("spec", "networkPolicy")),
    Row("token-made", at=_AUTH, when=_makes_token, words=_token_secret),
    Row("token-left", at=_AUTH, when=_leaves_token, words=_token_secret),
    # what is made once, and not changed later (edit-cluster-image, edit-cluster-service-type)
    Row("half-rolled", made="Pod", when=_grows),
    Row("not-rolled-old", made="Pod", when=_cannot_recreate),
    Row("not-rolled", made="Pod"),
    *(Row("not-rolled", at=("spec", field)) for field in _POD_FIELDS),
    *MADE_ONCE_ROWS,
    Row("unknown", when=_is_unknown),
)
