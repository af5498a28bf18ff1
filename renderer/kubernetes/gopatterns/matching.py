"""Whether a text matches a pattern: all ways are gone at once, and each set of ways only once.

A situation is what may come next. Where a character leads from it is remembered, so that a text of
the usual kind takes one look into a table for each of its characters.
"""

from collections.abc import Callable, Iterable
from enum import Enum, auto
from functools import cache
from itertools import chain

from renderer.kubernetes.gopatterns.characters import is_word
from renderer.kubernetes.gopatterns.parsing import parse
from renderer.kubernetes.gopatterns.program import END, Fork, Program, Take
from renderer.kubernetes.gopatterns.syntax import Edge, Unusable

_MOST_REMEMBERED = 10_000
_MOST_WORK = 2_000_000
_THE_END = ""  # in the place of a character


class TooLong(Exception):
    """A text takes too long to be compared with a pattern."""


class _Before(Enum):
    """What the character before a place was, as far as a pattern can tell."""

    NOTHING = auto()
    NEWLINE = auto()
    WORD = auto()
    OTHER = auto()


_EDGES: dict[Edge, Callable[[_Before, str], bool]] = {
    Edge.TEXT_START: lambda before, _char: before is _Before.NOTHING,
    Edge.TEXT_END: lambda _before, char: char == _THE_END,
    Edge.LINE_START: lambda before, _char: before in (_Before.NOTHING, _Before.NEWLINE),
    Edge.LINE_END: lambda _before, char: char in (_THE_END, "\n"),
    Edge.WORD: lambda before, char: (before is _Before.WORD) != is_word(char),
    Edge.NO_WORD: lambda before, char: (before is _Before.WORD) == is_word(char),
}


class _Situation:
    """The steps that may come next, and where characters lead; `None` is a match."""

    __slots__ = ("before", "leads", "steps")

    def __init__(self, steps: frozenset[int], before: _Before) -> None:
        self.steps = steps
        self.before = before
        self.leads: dict[str, _Situation | None] = {}


class Pattern:
    """A pattern made ready."""

    def __init__(self, text: str) -> None:
        self._program = Program(parse(text))
        self._work = 0
        self._forget()

    def matches(self, text: str) -> bool:
        """Whether it is found anywhere in a text; raises `TooLong`."""
        self._work = 0
        situation = self._first
        for char in chain(text, (_THE_END,)):
            if char in situation.leads:
                following = situation.leads[char]
            else:
                following = self._followed(situation, char)
            if following is None:
                return True
            situation = following
        return False

    def _forget(self) -> None:
        self._remembered = 0
        self._known: dict[tuple[frozenset[int], _Before], _Situation] = {}
        self._first = self._situation(frozenset(), _Before.NOTHING)

    def _situation(self, steps: frozenset[int], before: _Before) -> _Situation:
        return self._known.setdefault((steps, before), _Situation(steps, before))

    def _followed(self, situation: _Situation, char: str) -> _Situation | None:
        """What a character leads to; a pattern may be found from every place on."""
        if self._remembered > _MOST_REMEMBERED:
            self._forget()
        taking = self._reached({*situation.steps, self._program.start}, situation.before, char)
        following = None
        if taking is not None:
            taken = frozenset(step.then for step in taking if char and step.character.test(char))
            following = self._situation(taken, _kind(char))
        situation.leads[char] = following
        self._remembered += 1 + len(taking or ())
        return following

    def _reached(self, steps: set[int], before: _Before, char: str) -> list[Take] | None:
        """The steps that take a character, or nothing if the end is reached without one."""
        taking, waiting = [], list(steps)
        while waiting:
            number = waiting.pop()
            if number == END:
                return None
            step = self._program.steps[number]
            following: Iterable[int] = ()
            if isinstance(step, Take):
                taking.append(step)
                self._work += step.character.size
            elif isinstance(step, Fork):
                following = step.ways
            elif _EDGES[step.edge](before, char):
                following = (step.then,)
            new = set(following) - steps
            steps |= new
            waiting += new
        self._work += len(steps)
        if self._work > _MOST_WORK:
            raise TooLong
        return taking


def _kind(char: str) -> _Before:
    if char == "\n":
        return _Before.NEWLINE
    return _Before.WORD if is_word(char) else _Before.OTHER


@cache
def ready(pattern: str) -> Pattern:
    """A pattern made ready once; raises `Unusable`."""
    return Pattern(pattern)


@cache
def unusable(pattern: str) -> Unusable | None:
    """Why values cannot be compared with a pattern, if they cannot."""
    try:
        ready(pattern)
    except Unusable as problem:
        return problem.with_traceback(None)
    return None


def matches(pattern: str, text: str) -> bool:
    """Whether a text is known to match."""
    try:
        return ready(pattern).matches(text)
    except TooLong:
        return False
