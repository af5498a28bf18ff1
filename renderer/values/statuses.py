"""How specs fare: the state that a platform tells, and whether it is what Git says."""

from collections.abc import Iterable
from enum import StrEnum

from renderer.values.derivations import Applied, Derivation
from renderer.values.live import Live, LiveObject, LiveObjects
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.tree import Plain


class Health(StrEnum):
    """What a state means, whichever platform tells it."""

    READY = "ready"
    PROGRESSING = "progressing"
    SUSPENDED = "suspended"
    FAILED = "failed"
    UNKNOWN = "unknown"


class ObservedObject(NamedTuple):
    """An object of ours that was found, and all that is around it.

    `applied` is the live object with the live objects that it refers to, and the derivation is what
    the platform should have made of these: whether they are what Git says is another question.
    """

    applied: Applied
    destination: str
    object: LiveObject
    live: Live
    derivation: Derivation = Derivation()

    @property
    def spec(self) -> Spec:
        return self.applied.spec

    @property
    def environment(self) -> Environment:
        return self.applied.environment

    @property
    def here(self) -> LiveObjects:
        return self.live[self.destination]


class LiveDifference(NamedTuple):
    """A value that is not what Git says; a side without a value is nothing.

    Without an object, it is one of the spec's own.
    """

    path: str
    in_git: Plain
    live: Plain
    object: str = ""


class UnitStatus(NamedTuple):
    """How a unit fares; without numbers where nobody tells them.

    `reported` is the platform's word for it, where what runs shows another state.
    """

    unit: str
    destination: str
    state: str
    health: Health
    ready: int | None = None
    wanted: int | None = None
    endpoints: tuple[str, ...] = ()
    reason: str = ""
    message: str = ""
    since: str = ""
    reported: str = ""


class ObjectStatus(NamedTuple):
    """How an object and its units fare, in the words of the platform.

    `differences` are those of objects that the platform made of it; `response` is what the
    platform's own API answers, as far as it can be told from objects. A state that `sums_up_units`
    says nothing that the units do not show; it was written at the time `written`. Where what runs
    shows something else than the state, `disagreement` is the sentence that says so.
    """

    state: str
    health: Health
    reason: str = ""
    message: str = ""
    since: str = ""
    endpoints: tuple[str, ...] = ()
    units: tuple[UnitStatus, ...] = ()
    differences: tuple[LiveDifference, ...] = ()
    notes: tuple[str, ...] = ()
    response: Plain = None
    sums_up_units: bool = False
    written: str = ""
    disagreement: str = ""


#: Of an object that is not there.
NOT_APPLIED = ObjectStatus("not applied", Health.UNKNOWN)


class SpecStatus(NamedTuple):
    """A spec at one destination: how it fares, and where its object is not what Git says."""

    spec: str
    destination: str
    object: str
    status: ObjectStatus
    differences: tuple[LiveDifference, ...] = ()

    @property
    def is_applied(self) -> bool:
        return self.status is not NOT_APPLIED

    @property
    def equals_git(self) -> bool:
        return self.is_applied and not self.differences and not self.status.differences

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong: what is on its way may get there."""
        units = (unit.health for unit in self.status.units)
        return self.equals_git and Health.FAILED not in (self.status.health, *units)

    @property
    def is_calm(self) -> bool:
        """Whether it has arrived, and nothing is left to say of it."""
        states = {self.status.health, *(unit.health for unit in self.status.units)}
        remarks = (self.status.notes, self.status.disagreement, self.status.message)
        return self.is_well and not any(remarks) and states == {Health.READY}

    @property
    def badness(self) -> int:
        """The lower, the worse: failed, not applied, not as in Git, then what is on its way."""
        units = {unit.health for unit in self.status.units}
        if Health.FAILED in {self.status.health, *units}:
            return 0
        if not self.equals_git:
            return 2 if self.is_applied else 1
        return 4 if self.is_calm else 3


class LeftoverObject(NamedTuple):
    """An object that was rendered once and is no longer in Git."""

    destination: str
    object: str


class MissingObject(NamedTuple):
    """An object that an environment says is there already, and is not; `file` is where."""

    destination: str
    object: str
    file: str


class EnvironmentStatus(NamedTuple):
    """All that was asked for, in the order of destinations and specs.

    `missing` are objects that specs need and that nobody here makes.
    """

    environment: str
    specs: tuple[SpecStatus, ...]
    left_behind: tuple[LeftoverObject, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[MissingObject, ...] = ()

    def only_failing(self) -> "EnvironmentStatus":
        """The same without the specs that nothing is wrong with."""
        return self._replace(specs=tuple(item for item in self.specs if not item.is_well))

    @property
    def is_well(self) -> bool:
        return not self.missing and all(item.is_well for item in self.specs)

    def add_notes(self, elsewhere: Iterable[Spec]) -> "EnvironmentStatus":
        """The same, with a word on specs that others apply."""
        notes = (
            f"{spec} is applied elsewhere: no destination has its object" for spec in elsewhere
        )
        return self._replace(notes=(*self.notes, *notes))


class Expectation(NamedTuple):
    """A rendered object that should be live, and what becomes of it."""

    manifest: Manifest
    applied: Applied
    derivation: Derivation = Derivation()
