"""What KubeRay makes beside the pods of a RayCluster, and what of it an edit makes or leaves."""

from collections.abc import Mapping

from renderer.backends.kuberay.behaviour.edits import are_pods_recreated, new_plan, old_plan
from renderer.backends.kuberay.derive.plan import RayPlan
from renderer.backends.kuberay.workloads import HEAD
from renderer.derive.behaviour import NOTHING, ChangeKind, Row, Situation, all_of
from renderer.text.wording import listed
from renderer.values.changes import Effect, How

_FAULT_TOLERANCE = ("spec", "gcsFaultToleranceOptions")
#: What the autoscaler needs, and how Services end by which hosts of a replica find each other.
_ACCESS, _HEADLESS = ("ServiceAccount", "Role", "RoleBinding"), "-headless"
_FINALIZER = "ray.io/gcs-ft-redis-cleanup-finalizer"


def _changes_service(situation: Situation) -> bool:
    """Whether a Service should be another one, beside that of replicas of several hosts."""
    return any(
        item.object.kind == "Service" and not item.object.name.endswith(_HEADLESS)
        for item in situation.differences
    )


def _head_service(situation: Situation) -> Mapping[str, str]:
    return {"service": old_plan(situation).head_service}


def _needed_objects(situation: Situation, how: How) -> list[str]:
    """What the autoscaler or replicas of several hosts need, as far as it comes or goes."""
    return [
        f"the {item.object.kind} `{item.object.name}`"
        for item in situation.differences
        if item.is_whole
        and item.change.how is how
        and (item.object.kind in _ACCESS or item.object.name.endswith(_HEADLESS))
    ]


def _makes_objects(situation: Situation) -> bool:
    return bool(_needed_objects(situation, How.ADDED))


def _leaves_objects(situation: Situation) -> bool:
    return bool(_needed_objects(situation, How.REMOVED))


def _made_objects(situation: Situation) -> Mapping[str, str]:
    return {"objects": listed(_needed_objects(situation, How.ADDED))}


def _left_objects(situation: Situation) -> Mapping[str, str]:
    return {"objects": listed(_needed_objects(situation, How.REMOVED))}


def _begins_to_clear(situation: Situation) -> bool:
    old, new = (_clears_redis(side(situation)) for side in (old_plan, new_plan))
    return situation.unit == HEAD and new and not old


def _stops_to_clear(situation: Situation) -> bool:
    old, new = (_clears_redis(side(situation)) for side in (old_plan, new_plan))
    return situation.unit == HEAD and old and not new


def _clears_redis(plan: RayPlan) -> bool:
    """Whether KubeRay clears the cluster's Redis before it lets the cluster go."""
    options = plan.content.get("gcsFaultToleranceOptions")
    return isinstance(options, dict) and options.get("backend") != "rocksdb"


OBJECT_CHANGES = {
    # Services
    "head-service": ChangeKind(
        Effect.IGNORED,
        "The head's Service should be another one now, but KubeRay makes it once and does not "
        "change it.",
        "Delete the Service `{service}` when it suits: KubeRay makes it anew.",
    ),
    "serve-service": ChangeKind(
        Effect.IN_PLACE,
        "KubeRay makes the Service `{name}-serve-svc`{observed}, if it is not there.",
    ),
    "ingress": ChangeKind(Effect.IN_PLACE, "{field} changed: KubeRay makes the Ingress."),
    "ingress-left": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: KubeRay makes no Ingress any more, but leaves one that is there.",
        "Delete the Ingress `{name}-head-ingress`.",
        shown_by=(NOTHING,),
        pods=False,
    ),
    # what pods need beside them
    "objects-made": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay makes {objects}{observed}."
    ),
    "objects-left": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: KubeRay does not need {objects} any more, but leaves what is "
        "there{observed}.",
        "Delete what nobody uses any more.",
        shown_by=(NOTHING,),
        pods=False,
    ),
    "finalizer-added": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: KubeRay adds the finalizer "
        f"`{_FINALIZER}`, and a cluster that is deleted stays until its Redis is cleared.",
        shown_by=(),
    ),
    "finalizer-left": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: KubeRay leaves the finalizer "
        f"`{_FINALIZER}` on the cluster, but takes it off by itself only with fault tolerance on "
        "(inferred): a cluster that is deleted would stay.",
        "Remove the finalizer by hand before you delete the cluster.",
        shown_by=(),
        pods=False,
    ),
}
#: Before rows about pods, whatever becomes of these.
COMPANION_ROWS = (
    Row("objects-made", when=_makes_objects, words=_made_objects, goes_on=True),
    Row("objects-left", when=_leaves_objects, words=_left_objects, goes_on=True),
    Row("finalizer-added", at=_FAULT_TOLERANCE, when=_begins_to_clear, goes_on=True),
    Row("finalizer-left", at=_FAULT_TOLERANCE, when=_stops_to_clear, goes_on=True),
    # where all pods are made anew, Services stay (edit-cluster-service-type-recreate)
    Row("ingress-left", made="Ingress", how=How.REMOVED, when=are_pods_recreated, goes_on=True),
    Row("ingress", made="Ingress", how=How.ADDED, when=are_pods_recreated, goes_on=True),
    Row(
        "head-service",
        when=all_of(are_pods_recreated, _changes_service),
        words=_head_service,
        goes_on=True,
    ),
)
#: After rows about pods: what is made once, and not changed later (edit-cluster-service-type).
MADE_ONCE_ROWS = (
    Row("ingress-left", made="Ingress", how=How.REMOVED),
    Row("ingress", made="Ingress"),
    Row("head-service", when=_changes_service, words=_head_service),
)
