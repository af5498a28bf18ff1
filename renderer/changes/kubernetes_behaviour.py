"""What a difference means for the kinds of objects that Kubernetes and its neighbours have.

Whoever makes them, their own controllers act alike. A backend adds only how its controller departs
from making what the applied object says.
"""

from collections.abc import Mapping

from renderer.derive.behaviour import ANY, ChangeKind, Row, Situation, Stage
from renderer.values.changes import Effect, How

KNATIVE_SERVICE = "Service.serving.knative.dev"
_TEMPLATE = ("spec", "template")
_WORKLOADS = ("Deployment", "StatefulSet", "LeaderWorkerSet", KNATIVE_SERVICE, "Job", "Pod")

KINDS: Mapping[str, ChangeKind] = {
    # the applied object as a whole
    "created": ChangeKind(Effect.CREATE, "{maker} creates {objects}."),
    "mended": ChangeKind(
        Effect.CREATE,
        "The spec had errors, so that nothing was rendered: what runs is of an earlier state, if "
        "anything does. {maker} creates {objects}, or changes it to what the spec says now.",
    ),
    "deleted": ChangeKind(Effect.DELETE, "{maker} deletes {objects}."),
    "renamed": ChangeKind(
        Effect.RECREATE,
        "`{before}` is now `{after}`: a new one under another name starts, and the old one is "
        "deleted.",
        "Callers must change the address; keep both until they have.",
        by_platform=False,
    ),
    "moved": ChangeKind(
        Effect.RECREATE,
        "It moves from the destination `{before}` to `{after}`: what runs is deleted there and "
        "made anew here.",
        "Callers must change the address; keep both until they have.",
        by_platform=False,
    ),
    "refused": ChangeKind(
        Effect.REFUSED,
        "The API server rejects the object: {reason}; what runs stays as it is.",
        "{remedy}",
    ),
    # by rules of the repository's own CRDs: evidence of edits is of other objects
    "refused-by-crd": ChangeKind(
        Effect.REFUSED,
        "The API server rejects the object, as {reason}; what runs stays as it is.",
        "{remedy}",
        shown_by=(),
    ),
    "broken": ChangeKind(
        Effect.BREAKS,
        "{maker} cannot make it{observed}: {reason}; what runs stays as it is, and no change is "
        "applied.",
        "{remedy}",
    ),
    # what is made of it
    "selector": ChangeKind(
        Effect.BREAKS,
        "The selector of {objects} cannot be changed: {maker} fails at the update.",
        "Add it under another name and switch its callers.",
    ),
    "job-template": ChangeKind(
        Effect.BREAKS,
        "{field} changed, and the template of a Job cannot: {maker} fails at the update.",
        "Delete the Job, or run it under another name.",
    ),
    "recreated": ChangeKind(
        Effect.RECREATE,
        "{field} changed what the pods of `{workload}` are made of{observed}: by its strategy "
        "Recreate all of them stop before new ones start, and nobody answers meanwhile.",
        "Use the strategy RollingUpdate if there is room for a pod more.",
    ),
    "rolling": ChangeKind(
        Effect.ROLLING,
        "{field} changed what the pods of `{workload}` are made of{observed}: they are replaced "
        "one by one{moved_port}.",
    ),
    "revision": ChangeKind(
        Effect.REPLACE,
        "{field} changed what the pods of `{workload}` are made of{observed}: Knative starts a new "
        "revision beside the old one.",
    ),
    "groups": ChangeKind(
        Effect.ROLLING, "{field} changed: the pods of `{workload}` are replaced group by group."
    ),
    "workload-added": ChangeKind(Effect.CREATE, "{maker} creates {objects}."),
    "workload-removed": ChangeKind(Effect.DELETE, "{maker} deletes {objects}."),
    "scaled": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed and no pod is replaced{observed}: `{workload}` now has {pods_after} "
        "(before: {pods_before}).",
    ),
    "strategy": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed in place{observed}: the next rollout of `{workload}` follows it.",
    ),
    "pod-fixed": ChangeKind(
        Effect.UNKNOWN,
        "{field} changed what pods are made of; it is not known whether those that run follow.",
        "Try it where nobody depends on it.",
    ),
    "in-place": ChangeKind(
        Effect.IN_PLACE, "{field} changed: {changed} changes in place; no pod is replaced."
    ),
    # these may stand beside what replaces pods, and recordings show the fate of pods
    "object-made": ChangeKind(
        Effect.IN_PLACE, "{field} changed: {maker} makes {made}{new_numbers}.", shown_by=()
    ),
    "object-deleted": ChangeKind(
        Effect.IN_PLACE, "{field} changed: {maker} deletes {gone}{new_numbers}.", shown_by=()
    ),
    "not-known": ChangeKind(
        Effect.UNKNOWN,
        "{field} changed, and it is not known what this does: {gap}.",
        "Try it where nobody depends on it.",
    ),
    # that depends on both values, and recordings of a field had other ones
    "same": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed, but what runs of `{unit}` comes out the same.",
        shown_by=(),
    ),
}  # fmt: skip


def _stops_first(situation: Situation) -> bool:
    unit = situation.new_unit or situation.old_unit
    return unit is not None and any(pods.stop_first for pods in unit.pods)


def _has_gap(situation: Situation) -> bool:
    return bool(situation.present.gap)


def _makes_object(situation: Situation) -> bool:
    """Whether an object comes beside the workload, which stays."""
    units = (situation.old_unit, situation.new_unit)
    first = [unit.identities[:1] if unit else () for unit in units]
    return first[0] == first[1] and bool(situation.new_objects)


def _deletes_object(situation: Situation) -> bool:
    """Whether all that differs is that objects go."""
    gone = {item.identity for item in situation.gone_objects}
    return bool(gone) and all(item.object.identity in gone for item in situation.differences)


def _row(kind: str, made: str, *where: str) -> Row:
    return Row(kind, of=ANY, made=made, where=where)


#: In order: what is worst comes first, as an edit is of the kind of the first that fits.
ROWS = (
    *(Row(stage.value, of=ANY, stage=stage) for stage in Stage if stage is not Stage.EDITED),
    Row("object-made", of=ANY, when=_makes_object, goes_on=True),
    _row("selector", "Deployment", "spec", "selector"),
    _row("job-template", "Job", *_TEMPLATE),
    Row("recreated", of=ANY, made="Deployment", where=_TEMPLATE, when=_stops_first),
    _row("rolling", "Deployment", *_TEMPLATE),
    _row("rolling", "StatefulSet", *_TEMPLATE),
    _row("rolling", "DaemonSet", *_TEMPLATE),
    _row("revision", KNATIVE_SERVICE, *_TEMPLATE),
    _row("groups", "LeaderWorkerSet", "spec", "leaderWorkerTemplate"),
    *(Row("workload-added", of=ANY, made=kind, how=How.ADDED) for kind in _WORKLOADS),
    *(Row("workload-removed", of=ANY, made=kind, how=How.REMOVED) for kind in _WORKLOADS),
    _row("scaled", "Deployment", "spec", "replicas"),
    _row("scaled", "StatefulSet", "spec", "replicas"),
    _row("scaled", "HorizontalPodAutoscaler", "spec", "minReplicas"),
    _row("scaled", "HorizontalPodAutoscaler", "spec", "maxReplicas"),
    _row("scaled", "ScaledObject", "spec", "minReplicaCount"),
    _row("scaled", "ScaledObject", "spec", "maxReplicaCount"),
    _row("strategy", "Deployment", "spec", "strategy"),
    _row("pod-fixed", "Pod", "spec"),
    Row("", of=ANY, when=_makes_object),
    Row("object-deleted", of=ANY, when=_deletes_object),
    _row("in-place", ANY),
    Row("not-known", of=ANY, when=_has_gap),
    Row("same", of=ANY),
)
