"""From the text of a pattern to its parts, by the syntax of Go's package `regexp`."""

import re
from typing import NamedTuple

from renderer.kubernetes.gopatterns.brackets import bracketed, character_set, single
from renderer.kubernetes.gopatterns.characters import anything, span
from renderer.kubernetes.gopatterns.reading import Reader
from renderer.kubernetes.gopatterns.syntax import (
    Character,
    Choice,
    Edge,
    Part,
    Refused,
    Repeat,
    Sequence,
    Unsupported,
)
from renderer.text.expressions import expression

_LONGEST, _DEEPEST, _MOST_REPEATS = 10_000, 100, 1000
_REPEAT = expression(r"(?:[*+?]|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\})\??")
_BOUNDS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_GROUP = expression(r"\?(?:P?<[A-Za-z0-9_]+>|([imsU]*)(?:-([imsU]+))?([:)]))")
_EDGES = {
    "\\A": Edge.TEXT_START, "\\z": Edge.TEXT_END, "\\b": Edge.WORD, "\\B": Edge.NO_WORD,
}  # fmt: skip
_TWO = expression("..", re.DOTALL)
_QUOTED = expression(r"\\Q(.*?)(?:\\E|\Z)", re.DOTALL)


class _Flags(NamedTuple):
    """What `(?i)`, `(?m)` and `(?s)` set: cases alike, `^` in every line, `.` any character."""

    i: bool = False
    m: bool = False
    s: bool = False
    U: bool = False

    def changed(self, on: str, off: str) -> "_Flags":
        return self._replace(**dict.fromkeys(on, True) | dict.fromkeys(off, False))


def parse(pattern: str) -> Part:
    """The parts of a pattern; raises `Unusable`."""
    if len(pattern) > _LONGEST:
        raise Unsupported(f"it is longer than {_LONGEST:,} characters")
    parser = _Parser(Reader(pattern))
    part = parser.choice()
    if not parser.reader.is_done:
        raise Refused("a parenthesis is closed that was not opened")
    return part


class _Parser:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.flags = _Flags()
        self.depth = 0

    def choice(self) -> Part:
        """What stands between parentheses, or the whole."""
        branches = [self.sequence()]
        while self.reader.takes("|"):
            branches.append(self.sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def sequence(self) -> Part:
        parts: list[Part] = []
        is_repeat = False
        while not (self.reader.is_done or self.reader.sees("|") or self.reader.sees(")")):
            found = self.reader.take(_REPEAT)
            if found and (is_repeat or not parts):
                why = "this repeats a repetition" if is_repeat else "there is nothing to repeat"
                raise Refused(f"{found[0]}: {why}")
            if found:
                parts.append(_repeated(parts.pop(), found))
            else:
                parts += self._next()
            is_repeat = found is not None
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _next(self) -> list[Part]:
        """The parts that come next: none for flags, several for quoted text."""
        if self.reader.sees("\\"):
            return self._escaped()
        char = self.reader.next()
        if char == "(":
            return self._group()
        if char == "[":
            return [bracketed(self.reader, folded=self.flags.i)]
        if char == ".":
            return [Character(anything if self.flags.s else _anything_in_a_line)]
        if char == "^":
            return [Edge.LINE_START if self.flags.m else Edge.TEXT_START]
        if char == "$":
            return [Edge.LINE_END if self.flags.m else Edge.TEXT_END]
        return [self._literal(char)]

    def _literal(self, char: str) -> Part:
        return Character(span(char, char, folded=self.flags.i))

    def _escaped(self) -> list[Part]:
        edge = _EDGES.get(self.reader.rest(2))
        if edge:
            self.reader.take(_TWO)
            return [edge]
        if quoted := self.reader.take(_QUOTED):
            return [self._literal(char) for char in quoted[1]]
        test = character_set(self.reader, folded=self.flags.i)
        return [Character(test) if test else self._literal(single(self.reader))]

    def _group(self) -> list[Part]:
        """A group; flags that stand alone hold until the group around them ends."""
        before = self.flags
        if self.reader.sees("?"):
            found = self.reader.take(_GROUP)
            if found is None:
                raise Refused(f"({self.reader.rest(3)}: Go has no such group")
            self.flags = before.changed(found[1] or "", found[2] or "")
            if found[3] == ")":
                return []
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unsupported(f"its groups are nested more than {_DEEPEST} deep")
        part = self.choice()
        if not self.reader.takes(")"):
            raise Refused("a parenthesis is not closed")
        self.depth -= 1
        self.flags = before
        return [part]


def _anything_in_a_line(char: str) -> bool:
    return char != "\n"


def _repeated(part: Part, found: re.Match[str]) -> Part:
    least, most = _BOUNDS.get(found[0][0]) or _numbers(found)
    repeat = Repeat(part, least, most)
    if _times(repeat) > _MOST_REPEATS:
        raise Refused(f"{found[0]}: together more than {_MOST_REPEATS} repetitions")
    return repeat


def _numbers(found: re.Match[str]) -> tuple[int, int | None]:
    """The bounds in braces: `{2}`, `{2,}` or `{2,3}`."""
    texts = [found[1], found[1] if found[2] is None else found[3]]
    if any(text and len(text) > len(str(_MOST_REPEATS)) for text in texts):
        raise Refused(f"{found[0][:20]}: more than {_MOST_REPEATS} repetitions")
    least, most = int(texts[0]), int(texts[1]) if texts[1] else None
    if most is not None and most < least:
        raise Refused(f"{found[0]}: the second number is smaller")
    return least, most


def _times(part: Part) -> int:
    """How often something in a part is repeated at least, repetitions of repetitions included."""
    if isinstance(part, Repeat):
        if part.most == 0:
            return 1
        return max(part.least if part.most is None else part.most, 1) * _times(part.part)
    return max(map(_times, part.parts), default=1) if isinstance(part, Sequence | Choice) else 1
