"""What a pattern consists of, and why one cannot be used."""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple


class Unusable(Exception):
    """Values cannot be compared with a pattern; the text says why."""

    says: str
    fix: str


class Refused(Unusable):
    """Go does not accept the pattern, so the API server accepts no CRD that has it."""

    says = "the API server refuses this pattern"
    fix = "write it in Go's syntax, in the cluster's CRD as well"


class Unsupported(Unusable):
    """Go accepts the pattern; here it is not matched."""

    says = "this pattern is not used"
    fix = "write a simpler one, or delete it from this copy"


class Edge(Enum):
    """A place between two characters."""

    TEXT_START = "start of the text"
    TEXT_END = "end of the text"
    LINE_START = "start of a line"
    LINE_END = "end of a line"
    WORD = "start or end of a word"
    NO_WORD = "neither start nor end of a word"


class Character(NamedTuple):
    """One character of a set; `size` is what it takes to look at the set."""

    test: Callable[[str], bool]
    size: int = 1


class Sequence(NamedTuple):
    """One part after the other; without any it is the empty text."""

    parts: tuple["Part", ...]


class Choice(NamedTuple):
    """Any one of the parts."""

    parts: tuple["Part", ...]


class Repeat(NamedTuple):
    """A part several times; without `most`, as often as one likes."""

    part: "Part"
    least: int
    most: int | None


Part = Character | Edge | Sequence | Choice | Repeat
