"""How environments differ, and what of it a promotion carries."""

from collections.abc import Mapping
from enum import StrEnum

from renderer.values.changes import Change, Comparison, Edit
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


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


class UncarriedDifference(NamedTuple):
    """A difference that no edit of the target's own files could bring there, and why."""

    spec: str
    change: Change | None
    reason: str


class LeftSpec(NamedTuple):
    """A spec that only one of the two environments has, and why that stays so."""

    spec: str
    environment: str
    reason: str


class CarriedVariable(NamedTuple):
    """A variable that the target gets from the source, and the other specs that refer to it.

    `changes` are those of them that it changes, `reaches` those that stay as they are.
    """

    name: str
    changes: tuple[str, ...]
    reaches: tuple[str, ...]
    value: Node


class Promotion(NamedTuple):
    """What is to be written so that some specs of the target are as those of the source.

    `carried` are the differences that go with it, `kept` those that may be, `created` the specs
    that are new in the target. `files` are the bytes to be written, by path, `former` those that
    are there now, `owners` the specs that they belong to; `edits` say what is new in them.
    `findings` are the errors of the target with all of that, or of the source that keep it from
    being carried; `comparison` is what it does to what runs.
    """

    source: str
    target: str
    specs: tuple[str, ...]
    carried: tuple[SpecDifference, ...] = ()
    created: tuple[str, ...] = ()
    kept: tuple[SpecDifference, ...] = ()
    left: tuple[LeftSpec, ...] = ()
    not_carried: tuple[UncarriedDifference, ...] = ()
    variables: tuple[CarriedVariable, ...] = ()
    edits: tuple[Edit, ...] = ()
    files: Mapping[str, bytes] = {}
    former: Mapping[str, bytes] = {}
    owners: Mapping[str, str] = {}
    findings: tuple[Diagnostic, ...] = ()
    comparison: Comparison = Comparison()

    @property
    def is_complete(self) -> bool:
        """Whether all of it can be written, and comes to what it should."""
        return not self.findings and not self.not_carried
