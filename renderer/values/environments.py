"""Two environments of one state side by side: where their specs differ, and whether they may."""

from enum import StrEnum
from typing import NamedTuple

from renderer.values.changes import Change
from renderer.values.diagnostics import Diagnostic, Origin


class Reason(StrEnum):
    """Why a difference between two environments is no surprise."""

    NAME = "name"
    DESTINATION = "destination"
    KEPT = "promote.keep"
    VARIABLE = "variable of the target"


class SpecDifference(NamedTuple):
    """A difference of one spec between two environments; unexpected unless there is a reason."""

    spec: str
    change: Change
    reason: Reason | None = None


class LoneSpec(NamedTuple):
    """A spec that only one of the two environments has."""

    spec: str
    environment: str
    origin: Origin


class EnvironmentComparison(NamedTuple):
    """Two environments compared: `compared` specs are in both.

    `findings` are the errors of the second one, `incomparable` those of the first.
    """

    before: str
    after: str
    compared: int
    differences: tuple[SpecDifference, ...] = ()
    alone: tuple[LoneSpec, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    incomparable: tuple[Diagnostic, ...] = ()

    @property
    def is_as_expected(self) -> bool:
        return not self.alone and all(item.reason for item in self.differences)
