"""Where a value comes from, as values that any output can show."""

from typing import NamedTuple

from renderer.values.diagnostics import Origin
from renderer.values.tree import Plain


class Event(NamedTuple):
    """One word about a value; without a file it is servingctl's own, and the note says why."""

    origin: Origin
    value: Plain
    deleted: bool
    wins: bool


class Trace(NamedTuple):
    """A value as it is rendered, its history in order, and the destinations it holds for."""

    value: Plain
    exists: bool
    events: tuple[Event, ...]
    destinations: tuple[str, ...] = ()

    def tells_the_same_as(self, other: "Trace") -> bool:
        """Whether both have one history, at whatever destinations."""
        return self._replace(destinations=()) == other._replace(destinations=())
