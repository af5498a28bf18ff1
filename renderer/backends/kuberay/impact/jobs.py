"""From the change of a RayJob to what runs: a job runs once, and under a new name once more."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.impact.judgement import (
    CausedImpact,
    Judged,
    Pair,
    elsewhere,
    field_of,
    impacts_of,
    is_below,
)
from renderer.backends.kuberay.impact.rendered_workload import RenderedWorkload
from renderer.backends.kuberay.impact.whole_objects import edits_of, switch
from renderer.backends.kuberay.plans import FLUX_PRUNE, KEPT_BY_ARGO, SYNC_OPTIONS
from renderer.values.changes import Change, ObjectChange, State

#: What KubeRay looks at again while the job runs, and what once it is over.
_WHILE_RUNNING = frozenset(("activeDeadlineSeconds", "preRunningDeadlineSeconds"))
_WHEN_OVER = frozenset((
    "backoffLimit", "deletionPolicy", "deletionStrategy", "shutdownAfterJobFinishes",
    "ttlSecondsAfterFinished",
))  # fmt: skip
_UNLESS_KEPT = ", unless that run is there from before, as after a revert: then nothing runs"


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What a job's changes do to its cluster and its submitter."""
    old = RenderedWorkload.of(change.before, before, after) if change.before else None
    new = RenderedWorkload.of(change.after, after, before) if change.after else None
    if new and (old is None or change.is_renamed):
        yield from impacts_of([_runs(old, new)], new)
    elif old and not new:
        yield from impacts_of([_left(old, after)], old)
    elif old and new:
        yield from impacts_of(edits_of(Pair(old, new, change), _edited), new)


def is_kept(job: RenderedWorkload) -> bool:
    """Whether it stays in the cluster when it is in Git no more."""
    notes = ("metadata", "annotations")
    options = text(job.manifest.tree, *notes, SYNC_OPTIONS).split(",")
    is_disabled = text(job.manifest.tree, *notes, FLUX_PRUNE) == "disabled"
    return is_disabled or KEPT_BY_ARGO in (item.strip() for item in options)


def _runs(old: RenderedWorkload | None, new: RenderedWorkload) -> Judged:
    """A new object: what its content was before does not matter to it.

    What is kept may be there from before, as after a revert, and is not run a second time.
    """
    place = f"on the cluster `{new.selects}`" if new.selects else "on a cluster of its own"
    unless = _UNLESS_KEPT if is_kept(new) else ""
    words = {"place": f"{place}{unless}", "before": old.name if old else ""}
    if new.is_suspended:
        return Judged(None, "created-suspended", new.units)
    if old is None:
        return Judged(None, "runs", new.units, words)
    kind = "runs-again" if is_kept(old) else "runs-instead"
    return Judged(None, kind, new.units, words)


def _left(old: RenderedWorkload, after: State) -> Judged:
    """A job that is in Git no more, or at another destination."""
    target = elsewhere(old.manifest, after)
    words = {"where": f" at `{old.manifest.destination}`" if target else ""}
    return Judged(None, "job-kept" if is_kept(old) else "job-deleted", old.units, words)


def _edited(pair: Pair) -> Iterator[Judged]:
    """A job of a fixed name."""
    if cause := switch(pair, "suspend"):
        kind = "job-suspended" if pair.new.is_suspended else "job-resumed"
        yield Judged(cause, kind, pair.units)
    else:
        yield from (Judged(item, _kind(item, pair.new), pair.units) for item in pair.changes)


def _kind(item: Change, new: RenderedWorkload) -> str:
    if not is_below(item, ("spec",)):
        return "metadata"
    if new.is_suspended:
        return "not-running"
    field = field_of(item)
    if field == "jobId" and text(new.spec, "submissionMode") == "InteractiveMode":
        return "job-id"
    if field in _WHILE_RUNNING:
        return "job-deadline"
    return "job-cleanup" if field in _WHEN_OVER else "job-ignored"
