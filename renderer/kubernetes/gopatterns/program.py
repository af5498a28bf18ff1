"""A pattern as a list of steps; what is repeated a number of times stands there as often."""

from typing import NamedTuple

from renderer.kubernetes.gopatterns.syntax import (
    Character,
    Choice,
    Edge,
    Part,
    Repeat,
    Sequence,
    Unsupported,
)

_MOST_STEPS = 10_000


class Take(NamedTuple):
    """Go past one character of a set."""

    character: Character
    then: int


class Stand(NamedTuple):
    """Go on if this is such a place."""

    edge: Edge
    then: int


class Fork(NamedTuple):
    """Go on in several ways."""

    ways: tuple[int, ...]


Step = Take | Stand | Fork
END = 0  # the number of the step at which a text has matched


class Program:
    """The steps of a pattern, written from its end to its start."""

    def __init__(self, part: Part) -> None:
        self._size = 0
        self.steps: list[Step] = [Fork(())]
        self.start = self._written(part, END)

    def _added(self, step: Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1

    def _written(self, part: Part, then: int) -> int:
        """The number of the step at which a part starts that is followed by another step."""
        self._size += part.size if isinstance(part, Character) else 1
        if self._size > _MOST_STEPS:
            raise Unsupported(f"it takes more than {_MOST_STEPS:,} steps")
        match part:
            case Character():
                return self._added(Take(part, then))
            case Edge():
                return self._added(Stand(part, then))
            case Choice(parts):
                return self._added(Fork(tuple(self._written(one, then) for one in parts)))
            case Sequence(parts):
                for one in reversed(parts):
                    then = self._written(one, then)
                return then
            case Repeat():
                return self._repeated(part, then)

    def _repeated(self, repeat: Repeat, then: int) -> int:
        if repeat.most is None:
            then = self._loop(repeat.part, then)
        else:
            end = then
            for _ in range(repeat.most - repeat.least):
                then = self._added(Fork((self._written(repeat.part, then), end)))
        for _ in range(repeat.least):
            then = self._written(repeat.part, then)
        return then

    def _loop(self, part: Part, then: int) -> int:
        fork = self._added(Fork(()))
        self.steps[fork] = Fork((self._written(part, fork), then))
        return fork
