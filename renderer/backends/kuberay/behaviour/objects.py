"""What holds for clusters, jobs and services alike, and the behaviour of each of them."""

from renderer.backends.kuberay.behaviour.clusters import CLUSTER_CHANGES, CLUSTER_ROWS
from renderer.backends.kuberay.behaviour.edits import is_suspended, mode_words, new_plan
from renderer.backends.kuberay.behaviour.jobs import JOB_CHANGES, JOB_ROWS
from renderer.backends.kuberay.behaviour.services import SERVICE_CHANGES, SERVICE_ROWS
from renderer.backends.kuberay.derive.units import SUBMITTER
from renderer.backends.kuberay.workloads import HEAD
from renderer.derive.behaviour import NOTHING, Behaviour, ChangeKind, Row, Setting, Situation, Stage
from renderer.values.changes import Effect

_READER = "only a running KubeRay API server reads it"
_OBJECT_CHANGES = {
    "created": ChangeKind(Effect.CREATE, "KubeRay starts the pods of `{name}`."),
    "created-suspended": ChangeKind(
        Effect.CREATE, "`{name}` is suspended: no pod starts until `suspend` is false."
    ),
    "deleted": ChangeKind(Effect.DELETE, "KubeRay deletes the pods of `{name}`."),
    "refused": ChangeKind(
        Effect.REFUSED,
        "The API server rejects it{observed}: {what} may not be changed once it has a value; what "
        "runs stays as it is.",
        "Keep it, or add the {kind} under another name.",
    ),
    "other-manager": ChangeKind(
        Effect.IN_PLACE,
        "`managedBy` leaves the {kind} to another controller: KubeRay does not look at it any "
        "more, and what the other one does is not foretold.",
    ),
    "suspended": ChangeKind(
        Effect.DELETE, "`{name}` is suspended: KubeRay deletes its clusters and its Services."
    ),
    "resumed": ChangeKind(
        Effect.CREATE, "`{name}` is suspended no more: KubeRay starts a new cluster."
    ),
    "cluster-suspended": ChangeKind(
        Effect.DELETE,
        "The cluster is suspended: KubeRay deletes all its pods{observed}; what Ray holds in "
        "memory is lost.",
    ),
    "cluster-resumed": ChangeKind(
        Effect.CREATE, "The cluster is suspended no more: KubeRay makes its pods as they are now."
    ),
    "cluster-held": ChangeKind(
        Effect.IGNORED,
        "{field} is in Git no more, but the cluster stays suspended{observed}: KubeRay resumes it "
        "only where `suspend` is false.",
        "Write `suspend: false`.",
        shown_by=(Effect.IN_PLACE, NOTHING),
    ),
    "not-running": ChangeKind(
        Effect.DEFERRED, "`{name}` is suspended: {what} counts once it is resumed.", pods=False
    ),
    "metadata": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed on the object only; no pod is replaced.",
        shown_by=(NOTHING,),
    ),
    "unknown": ChangeKind(
        Effect.UNKNOWN,
        "{field} changed, and it is not known what KubeRay makes of it.",
        "Try it where nobody depends on it.",
    ),
}
_TEMPLATE_CHANGES = {
    "template-created": ChangeKind(
        Effect.CREATE, f"The ConfigMap of the template is made; {_READER}."
    ),
    "template-edited": ChangeKind(
        Effect.IN_PLACE,
        f"The ConfigMap of the template changes; {_READER}, for what is created from then on.",
    ),
    "template-deleted": ChangeKind(
        Effect.DELETE, f"The ConfigMap of the template is deleted; {_READER}."
    ),
}
KINDS = {
    **_OBJECT_CHANGES,
    **_TEMPLATE_CHANGES,
    **CLUSTER_CHANGES,
    **JOB_CHANGES,
    **SERVICE_CHANGES,
}


def _setting(situation: Situation) -> Setting:
    unit = situation.unit if situation.unit in (HEAD, SUBMITTER) else "workers"
    version = str(new_plan(situation).dialect)
    return Setting("kuberay", version, " ".join(mode_words(situation)), unit)


def _has_other_manager(situation: Situation) -> bool:
    return bool(new_plan(situation).manager)


_ROWS = (
    Row("created-suspended", stage=Stage.CREATED, when=is_suspended),
    Row("other-manager", when=_has_other_manager, reaches_all=True),
)


_CLUSTER_ROWS = (*_ROWS, *CLUSTER_ROWS)
_JOB_ROWS = (*_ROWS, *JOB_ROWS)
_SERVICE_ROWS = (*_ROWS, *SERVICE_ROWS)


def cluster_behaviour() -> Behaviour:
    return Behaviour(KINDS, _CLUSTER_ROWS, _setting)


def job_behaviour() -> Behaviour:
    return Behaviour(KINDS, _JOB_ROWS, _setting)


def service_behaviour() -> Behaviour:
    return Behaviour(KINDS, _SERVICE_ROWS, _setting)


def template_behaviour() -> Behaviour:
    """Of the ConfigMap of a compute template: its values reach pods by what names the template."""
    rows = (
        Row("template-created", stage=Stage.CREATED),
        Row("template-deleted", stage=Stage.DELETED),
        *(Row("template-edited", stage=stage) for stage in Stage),
    )
    return Behaviour(KINDS, rows, unit="template")
