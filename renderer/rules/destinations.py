"""Destinations that were meant to be inherited ones."""

from collections.abc import Iterable, Iterator

from renderer.compose.environment_rules import MISNAMED_DESTINATION
from renderer.schema.rules import MISSING_KEY
from renderer.schema.validation import ShapeError
from renderer.text.wording import misspelt
from renderer.values.model import Environment
from renderer.values.tree import Node


def with_misnamed(faults: Iterable[ShapeError], environment: Environment) -> Iterator[ShapeError]:
    """The faults; what lacks all but the name of an inherited destination, as one of its name."""
    told: set[tuple[str | int, ...]] = set()
    for fault in faults:
        place = (fault.unreliable_path or ())[:2]
        name = environment.tree.get(*place, "name") if place[:1] == ("destinations",) else None
        is_missing = fault.diagnostic.code == MISSING_KEY.code
        meant = _meant(name, environment) if name and is_missing else ""
        if not name or not meant:
            yield fault
        elif place not in told:
            told.add(place)
            message = f"no environment above has a destination {name.value!r}"
            fix = f"did you mean {meant!r}? Otherwise {fault.diagnostic.fix}"
            yield ShapeError(place, MISNAMED_DESTINATION.at(name.origin, message, fix))


def _meant(name: Node, environment: Environment) -> str:
    """An inherited destination that has nearly this name."""
    others = (d for d in environment.destinations if d.tree.origin.file != environment.file)
    return misspelt(str(name.value), [item.name for item in others])
