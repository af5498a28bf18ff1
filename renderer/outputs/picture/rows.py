"""A row of a card: its title, tag, address and note, on one line where they fit."""

from typing import NamedTuple

from renderer.outputs.picture.measure import width, wrap
from renderer.outputs.picture.shapes import Box, Shape, Text
from renderer.values.picture import Reach, Row

PAD = 14
SMALL = 12
LINE = 17
_TITLE = 13 * 1.1  # bold
_PILL = 11
_WIDEST_TAG = 190


class Point(NamedTuple):
    """A place in the drawing."""

    x: float
    y: float


class DrawnRow(NamedTuple):
    """The shapes of a row, and where it ends."""

    shapes: tuple[Shape, ...]
    bottom: float


def draw_row(row: Row, at: Point, column: float, room: float) -> DrawnRow:
    """The tag stands in its column; the note at the right; what does not fit goes below.

    What is called from inside has an arrow from the entrance, and needs no note.
    """
    shapes: list[Shape] = []
    tag = fitted_tag(row.tag)
    *above, last = wrap(row.title, _TITLE, room - pill_width(tag) - 8)
    y = at.y
    for line in above:
        shapes.append(Text(at.x, y + 16, line, "port"))
        y += LINE
    shapes.append(Text(at.x, y + 16, last, "port"))
    right = at.x + min(max(column, width(last, _TITLE)) + 8, room - pill_width(tag))
    if tag:
        draw_pill(shapes, tag, Point(right, y + 3.5), f"pill {row.reach}")
        right += pill_width(tag) + 10
    end = at.x + room
    beside = bool(row.address) and right + width(row.address, SMALL) <= end
    if beside:
        shapes.append(Text(right, y + 16, row.address, "mono"))
        right += width(row.address, SMALL) + 10
    note = "" if row.reach is Reach.INSIDE else row.note
    if note and right + width(note, SMALL) <= end:
        shapes.append(Text(end, y + 16, note, "note", "end"))
        note = ""
    y += 22
    below = [(line, "mono") for line in _wrapped("" if beside else row.address, room)]
    below += [(line, "note") for line in _wrapped(note, room)]
    for line, look in below:
        shapes.append(Text(at.x, y + 13, line, look))
        y += LINE
    return DrawnRow(tuple(shapes), y + (6 if below else 2))


def _wrapped(text: str, room: float) -> list[str]:
    return wrap(text, SMALL, room) if text else []


def fitted_tag(text: str) -> str:
    """As much of a tag as leaves room for a title."""
    return wrap(text, _PILL, _WIDEST_TAG, most=1)[0]


def pill_width(text: str) -> float:
    return width(text, _PILL) + 16 if text else 0


def draw_pill(shapes: list[Shape], text: str, at: Point, look: str) -> None:
    """A word on a round ground."""
    wide = pill_width(text)
    shapes.append(Box(at.x, at.y, wide, 17, look, 8.5))
    shapes.append(Text(at.x + wide / 2, at.y + 12.5, text, look, "middle"))
