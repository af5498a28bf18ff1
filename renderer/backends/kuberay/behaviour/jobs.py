"""How KubeRay follows edits of a RayJob: a job runs once, and under a new name once more."""

from collections.abc import Mapping

from renderer.backends.kuberay.behaviour.edits import (
    is_outside_spec,
    is_stopped,
    is_suspended,
    is_switched,
    new_plan,
    old_plan,
)
from renderer.backends.kuberay.derive.plan import INTERACTIVE, RayPlan
from renderer.backends.kuberay.plans import FLUX_PRUNE, KEPT_BY_ARGO, SYNC_OPTIONS
from renderer.derive.behaviour import NOTHING, ChangeKind, Row, Situation, Stage, all_of
from renderer.kubernetes.data import number
from renderer.values.changes import Effect

_SUSPEND = ("spec", "suspend")
#: What KubeRay looks at when the job is over, or if it is.
_WHEN_OVER = ("deletionPolicy", "shutdownAfterJobFinishes", "ttlSecondsAfterFinished")
#: Fields whose sentence needs no more than their place.
_FIELDS = {
    "activeDeadlineSeconds": "job-deadline",
    "preRunningDeadlineSeconds": "job-start-deadline",
    "backoffLimit": "job-retries",
    "deletionStrategy": "job-deletion",
}
_SHUTDOWN = ("shutdownAfterJobFinishes", "ttlSecondsAfterFinished")
_UNLESS_KEPT = ", unless that run is there from before, as after a revert: then nothing runs"


def _is_kept(plan: RayPlan) -> bool:
    """Whether a run stays in the cluster when it is in Git no more."""
    options = plan.annotations.get(SYNC_OPTIONS, "").split(",")
    is_disabled = plan.annotations.get(FLUX_PRUNE) == "disabled"
    return is_disabled or KEPT_BY_ARGO in (item.strip() for item in options)


def _was_kept(situation: Situation) -> bool:
    return _is_kept(old_plan(situation))


def _is_applied(situation: Situation) -> bool:
    return situation.after is not None


def _waits_for_id(situation: Situation) -> bool:
    return new_plan(situation).mode == INTERACTIVE


def _place(situation: Situation) -> Mapping[str, str]:
    """Where a job runs; what is kept may be there from before, and is not run a second time."""
    plan = new_plan(situation)
    place = "on a cluster of its own" if plan.is_own else f"on the cluster `{plan.cluster_name}`"
    return {"place": f"{place}{_UNLESS_KEPT if _is_kept(plan) else ''}"}


def _where(situation: Situation) -> Mapping[str, str]:
    """The destination of a run that is left, if the job went to another one."""
    is_elsewhere = situation.stage is Stage.MOVED
    return {"where": f" at `{situation.applied.destination}`" if is_elsewhere else ""}


def _shuts_down(situation: Situation) -> bool:
    """Whether KubeRay deletes the job's cluster when it is over."""
    plan = new_plan(situation)
    return plan.is_own and plan.spec.get("shutdownAfterJobFinishes") is True


def _delay(situation: Situation) -> Mapping[str, str]:
    return {"delay": str(number(new_plan(situation).spec, "ttlSecondsAfterFinished") or 0)}


JOB_CHANGES = {
    "job-mended": ChangeKind(
        Effect.CREATE,
        "The spec had errors, so that nothing was rendered: the job runs now, as `{name}`, "
        "{place}. KubeRay does not begin anew with a job of that name that is there.",
        "If the state with errors was applied all the same, delete the RayJob.",
        pods=True,
    ),
    "runs": ChangeKind(Effect.RUNS, "The job runs once, as `{name}`, {place}.", pods=True),
    "runs-again": ChangeKind(
        Effect.RUNS,
        "The job is another one now: it runs as `{name}`, {place}; the run `{before}` "
        "stays in the cluster, marked not to be pruned, and goes on if it is not over.",
        pods=True,
    ),
    "runs-instead": ChangeKind(
        Effect.RUNS,
        "The job is another one now: it runs as `{name}`, {place}; the run `{before}` "
        "is deleted, and stopped if it is not over.",
        pods=True,
    ),
    "job-kept": ChangeKind(
        Effect.ORPHANS,
        "The job is in Git no more, but is marked not to be pruned: `{name}` stays{where}, and "
        "goes on if it is not over.",
        "Delete it by hand, or set `prune: true` first.",
    ),
    "job-deleted": ChangeKind(
        Effect.DELETE, "`{name}` is deleted{where}, and stopped if it is not over."
    ),
    "job-ignored": ChangeKind(
        Effect.IGNORED,
        "The job changed under its fixed name, and nothing runs anew{observed}: KubeRay does not "
        "read it again once it was started, unless to retry it.",
        "Give the job another name, or leave `name_suffix` out.",
    ),
    "job-deadline": ChangeKind(
        Effect.IN_PLACE,
        "{field} counts at once, also for a job that runs already: one that has run for longer "
        "fails.",
    ),
    "job-start-deadline": ChangeKind(
        Effect.IN_PLACE,
        "{field} counts until the job runs: one that runs already goes on as before{observed}.",
        shown_by=(NOTHING,),
    ),
    "job-retries": ChangeKind(
        Effect.IN_PLACE,
        "{field} counts when the job fails: one that has failed already is not started "
        "again{observed}.",
        shown_by=(NOTHING,),
    ),
    "job-deletion": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: KubeRay deletes what it names, workers, the cluster or the RayJob "
        "itself, when the job is over; if it is over already, at once or when the time of the "
        "rule has passed.",
        shown_by=(),
    ),
    "job-id": ChangeKind(
        Effect.IN_PLACE, "KubeRay has waited for {what}, and follows the job of that id now."
    ),
    "job-cleanup": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay reads it when the job is over, or if it is."
    ),
    "job-shutdown": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: KubeRay deletes the job's cluster {delay} s after the job is over, and "
        "at once if it has been over for longer.",
        shown_by=(),
    ),
    "job-suspended": ChangeKind(
        Effect.DELETE,
        "The job is suspended: KubeRay deletes its cluster and its submitter{observed}, unless it "
        "is over, and starts it from the beginning once it is resumed.",
    ),
    "job-resumed": ChangeKind(
        Effect.RUNS,
        "The job is suspended no more: it runs from the beginning, as it is now.",
        pods=True,
    ),
}
JOB_ROWS = (
    *(
        Row("created-suspended", stage=stage, when=all_of(_is_applied, is_suspended))
        for stage in (Stage.RENAMED, Stage.MOVED)
    ),
    Row("runs", stage=Stage.CREATED, words=_place),
    Row("job-mended", stage=Stage.MENDED, words=_place),
    Row("runs", stage=Stage.MOVED, when=_is_applied, words=_place),
    Row("runs-again", stage=Stage.RENAMED, when=_was_kept, words=_place),
    Row("runs-instead", stage=Stage.RENAMED, words=_place),
    *(
        row
        for stage in (Stage.DELETED, Stage.MOVED)
        for row in (
            Row("job-kept", stage=stage, when=_was_kept, words=_where),
            Row("job-deleted", stage=stage, words=_where),
        )
    ),
    Row("job-suspended", at=_SUSPEND, when=all_of(is_switched, is_stopped), reaches_all=True),
    Row("job-resumed", at=_SUSPEND, when=is_switched, reaches_all=True),
    Row("", when=is_switched, reaches_all=True),
    Row("metadata", when=is_outside_spec, reaches_all=True),
    Row("not-running", when=is_stopped, reaches_all=True),
    Row("job-id", at=("spec", "jobId"), when=_waits_for_id, reaches_all=True),
    *(Row(kind, at=("spec", field), reaches_all=True) for field, kind in _FIELDS.items()),
    *(
        Row("job-shutdown", at=("spec", field), when=_shuts_down, words=_delay, reaches_all=True)
        for field in _SHUTDOWN
    ),
    *(Row("job-cleanup", at=("spec", field), reaches_all=True) for field in _WHEN_OVER),
    Row("job-ignored", reaches_all=True),
)
