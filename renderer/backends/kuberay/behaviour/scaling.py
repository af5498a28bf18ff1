"""Rows for edits of how many pods a group has, where KubeRay follows them."""

from collections.abc import Callable, Iterator, Mapping

from renderer.backends.kuberay.behaviour.edits import edit, is_scaled, keeps_its_number
from renderer.derive.behaviour import Row, Situation
from renderer.derive.pods import unit_bounds
from renderer.values.changes import How
from renderer.values.diagnostics import Path

SCALING = ("replicas", "minReplicas", "maxReplicas", "numOfHosts")


def scaling_rows(group: Path, when: Callable[[Situation], bool]) -> Iterator[Row]:
    """Of the numbers below a group, in a situation."""

    def is_left(situation: Situation) -> bool:
        is_gone = edit(situation).how is How.REMOVED
        return when(situation) and is_scaled(situation) and is_gone

    def is_same(situation: Situation) -> bool:
        return when(situation) and keeps_its_number(situation)

    def moves_bounds(situation: Situation) -> bool:
        return when(situation) and is_scaled(situation)

    yield Row("replicas-left", at=(*group, "replicas"), when=is_left, words=_least)
    for field in SCALING:
        yield Row("scaled-same", at=(*group, field), when=is_same)
        yield Row("bounds", at=(*group, field), when=moves_bounds)
        yield Row("scaled", at=(*group, field), when=when)


def _least(situation: Situation) -> Mapping[str, str]:
    return {"least": str(unit_bounds(situation.new_unit)[0])}
