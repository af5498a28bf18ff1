"""What a drawing is made of: shapes with the classes that colour them, and text of some width.

How wide text is, is known only nearly: fonts differ, so it is rather taken for too wide.
"""

import re
from collections.abc import Iterator
from unicodedata import combining, east_asian_width

from renderer.values.named_tuple import NamedTuple

_EM = 0.62
_WIDE = {"M": 1.0, "W": 1.0, "m": 1.0, "w": 0.85, "@": 1.0, "%": 0.95}
_CAPITAL = 0.76
_BREAKS = re.compile(r"[^-./:, ·]*[-./:, ·]*")


class Text(NamedTuple):
    """A line of text; its place is the start, the middle or the end of its baseline."""

    x: float
    y: float
    text: str
    look: str
    anchor: str = "start"


class Box(NamedTuple):
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    look: str
    radius: float = 8


class Line(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    look: str


class Dot(NamedTuple):
    """A filled circle, or a ring."""

    x: float
    y: float
    radius: float
    look: str


class Arrow(NamedTuple):
    """An arrowhead whose tip is at a point; it points to the right or to the left."""

    x: float
    y: float
    look: str
    left: bool = False


Shape = Text | Box | Line | Dot | Arrow


def columns(text: str) -> int:
    """The width of a text where all characters are alike: wide ones count twice."""
    return sum(2 if east_asian_width(c) in "WF" else not combining(c) for c in text)


def width(text: str, size: float) -> float:
    """The width of a text in a font of a size."""
    return size * sum(map(_ems, text))


def _ems(character: str) -> float:
    if character in _WIDE:
        return _WIDE[character]
    return columns(character) * (_CAPITAL if character.isupper() else _EM)


def wrap(text: str, size: float, room: float, most: int = 6) -> list[str]:
    """The text in lines that fit, broken after a dash or dot where possible; cut after `most`."""
    lines = [""]
    for piece in _pieces(text, size, room):
        if lines[-1] and width((lines[-1] + piece).rstrip(), size) > room:
            lines.append("")
        if len(lines) > most:
            return [*lines[: most - 1], f"{lines[most - 1].rstrip()[:-1]}…"]
        lines[-1] += piece
    return [line.strip() for line in lines]


def _pieces(text: str, size: float, room: float) -> Iterator[str]:
    """Parts that are not to be broken, unless one alone is too wide."""
    for piece in _BREAKS.findall(text):
        start = 0
        for end in range(1, len(piece) + 1):
            if width(piece[start:end].rstrip(), size) > room:
                yield piece[start : end - 1]
                start = end - 1
        yield piece[start:]
