"""What a repository has, where a value comes from, what runs: values that any output can show."""

from typing import TYPE_CHECKING

from renderer.values.derivations import DerivedUnit
from renderer.values.diagnostics import Origin
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

if TYPE_CHECKING:  # few environments ask for them
    from renderer.values.engines import EngineLine
    from renderer.values.references import Need


class Row(NamedTuple):
    """A spec in an environment: where it goes, what of it runs by itself, and its files.

    Of one that `is_broken`, no more than its files is known; its kind only if it is known.
    """

    environment: str
    kind: str
    stem: str
    name: str
    destinations: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    is_broken: bool = False


class Listing(NamedTuple):
    """All rows, in order; and environments that are left out, as they are only inherited from."""

    rows: tuple[Row, ...]
    only_inherited: tuple[str, ...] = ()


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


class PartChange(NamedTuple):
    """An object or file of a unit that would be another one, as lines of a unified diff."""

    destination: str
    unit: str
    name: str
    lines: tuple[str, ...]


class Preview(NamedTuple):
    """Every unit of a spec, destination by destination.

    `needs` are what it refers to in the cluster; nothing where nobody asks for that. `engines` are
    the command lines of servers of language models that it runs.
    """

    spec: str
    environment: str
    units: tuple[DerivedUnit, ...]
    needs: "tuple[Need, ...]" = ()
    engines: "tuple[EngineLine, ...]" = ()
