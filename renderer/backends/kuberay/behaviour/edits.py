"""What rows ask of an edit, and the rows for edits of how many pods a group has."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import text
from renderer.backends.kuberay.derive.plan import RayPlan, plan_of
from renderer.backends.kuberay.derive.upgrades import WORKERS, is_recreated, plan_after
from renderer.backends.kuberay.workloads import HEAD
from renderer.derive.behaviour import Condition, Row, Situation, Stage, all_of
from renderer.derive.pods import unit_bounds
from renderer.text.wording import counted
from renderer.values.changes import Change, How
from renderer.values.diagnostics import Path

SCALING = ("replicas", "minReplicas", "maxReplicas", "numOfHosts")


def new_plan(situation: Situation) -> RayPlan:
    """The object as KubeRay will follow it, or as it was if it goes."""
    plan = plan_of(situation.applied)
    stays = situation.stage is Stage.EDITED
    return plan_after(old_plan(situation), plan) if stays else plan


def old_plan(situation: Situation) -> RayPlan:
    """The object as it was, or as it will be if it comes."""
    return plan_of(situation.before or situation.applied)


def mode_words(situation: Situation) -> Iterator[str]:
    """All of an object that decides what KubeRay does with an edit of another field."""
    plan = new_plan(situation)
    strategy = text(situation.applied.tree, "spec", "upgradeStrategy", "type")
    yield from ["incremental"] if plan.is_incremental else [strategy] if strategy else []
    if plan.cluster.is_scaled:
        yield "autoscaled"
    if plan.is_suspended:
        yield "suspended"


def is_stopped(situation: Situation) -> bool:
    return new_plan(situation).is_stopped


def is_suspended(situation: Situation) -> bool:
    return new_plan(situation).is_suspended


def edit(situation: Situation) -> Change:
    """The change of an object that stays."""
    assert situation.change is not None, "rows are about edits"  # noqa: S101
    return situation.change


def is_outside_spec(situation: Situation) -> bool:
    return situation.path[:1] != ("spec",)


def is_about_workers(situation: Situation) -> bool:
    return situation.unit != HEAD


def keys_at(situation: Situation, depth: int) -> set[str]:
    """The keys at a depth of its path that an edit is about; all of them if it is above it."""
    change = edit(situation)
    if len(change.path) > depth:
        return {str(change.path[depth])}
    sides = (side.items for side in (change.before, change.after) if side)
    return {key for items in sides for key in items}


def are_pods_recreated(situation: Situation) -> bool:
    """Whether all pods of a cluster are made anew, by this edit or another one."""
    return is_recreated(old_plan(situation), new_plan(situation))


def is_held(situation: Situation) -> bool:
    """Whether a cluster stays suspended although nothing says so any more."""
    return new_plan(situation).held


def is_switched(situation: Situation) -> bool:
    """Whether a job or service is suspended on one side only."""
    return old_plan(situation).is_stopped != new_plan(situation).is_stopped


def changes_group_list(situation: Situation) -> bool:
    """Whether groups of workers come, go, or stand in another order."""
    rest = _path_in_cluster(situation)
    return rest[:1] == (WORKERS,) and len(rest) <= 2  # noqa: PLR2004 - the list, or a group


def is_about_other_group(situation: Situation) -> bool:
    """Whether an edit is inside of a group of workers that is not the unit."""
    rest = _path_in_cluster(situation)
    return len(rest) > 1 and rest[0] == WORKERS and rest[1] != f"[{situation.unit}]"


def _path_in_cluster(situation: Situation) -> tuple[str | int, ...]:
    where = new_plan(situation).cluster.path
    return situation.path[len(where) :] if situation.path[: len(where)] == where else ()


def is_added(situation: Situation) -> bool:
    return situation.old_unit is None


def begins_empty(situation: Situation) -> bool:
    """Whether a unit has no pods to begin with; Ray's autoscaler may give it some."""
    return not any(pods.start for pods in situation.new_unit.pods) if situation.new_unit else False


def is_removed(situation: Situation) -> bool:
    return situation.new_unit is None


def is_reordered(situation: Situation) -> bool:
    return edit(situation).how is How.MOVED


def keeps_pod_count(situation: Situation) -> bool:
    return unit_bounds(situation.old_unit) == unit_bounds(situation.new_unit)


def is_scaled(situation: Situation) -> bool:
    """Whether Ray's autoscaler decides how many workers there are."""
    return new_plan(situation).cluster.is_scaled


def scaling_rows(group: Path, when: Condition) -> Iterator[Row]:
    """Rows for the numbers of a group, where a condition holds."""
    is_left = all_of(when, is_scaled, _removes_field)
    yield Row("replicas-left", at=(*group, "replicas"), when=is_left, words=_floor)
    for field in SCALING:
        yield Row("scaled-same", at=(*group, field), when=all_of(when, keeps_pod_count))
        yield Row("bounds", at=(*group, field), when=all_of(when, is_scaled))
        yield Row("scaled", at=(*group, field), when=when)


def _removes_field(situation: Situation) -> bool:
    return edit(situation).how is How.REMOVED


def _floor(situation: Situation) -> Mapping[str, str]:
    """How many pods the CRD's default of 0 means (edit-cluster-autoscaling-on-replicas-…)."""
    least = unit_bounds(situation.new_unit)[0]
    return {"floor": f", which counts as {counted(least, 'pod')} by `minReplicas`" if least else ""}
