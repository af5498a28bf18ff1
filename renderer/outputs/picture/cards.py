"""Where the parts of places and cards go: from values to shapes, and to points for links."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.outputs.picture.measure import width, wrap
from renderer.outputs.picture.rows import (
    LINE,
    PAD,
    SMALL,
    Point,
    draw_pill,
    draw_row,
    fitted_tag,
    pill_width,
)
from renderer.outputs.picture.shapes import Arrow, Box, Line, Shape, Text
from renderer.values.picture import Group, Node, Reach

CARD = 520
_GROUP_PAD = 16
_TITLE = 15 * 1.1  # bold
_PORT = 13 * 1.1
_WIDEST = 200
_GAP, _ENTRANCE, _ENTRANCE_HEIGHT = 36, 92, 58
_INNER = CARD - 2 * PAD


class Drawn(NamedTuple):
    """Shapes, the points of their rows, and where they end."""

    shapes: tuple[Shape, ...]
    points: Mapping[str, Point]
    bottom: float


def group_width(groups: Sequence[Group]) -> float:
    """As wide as needed: the column of entrances is there if anything has one."""
    has_entrances = any(node.entrance for group in groups for node in group.nodes)
    return CARD + 2 * _GROUP_PAD + (_GAP + _ENTRANCE if has_entrances else 0)


def draw_groups(groups: Sequence[Group], x: float, y: float) -> Drawn:
    """Places below each other."""
    shapes: list[Shape] = []
    points: dict[str, Point] = {}
    wide = group_width(groups)
    for group in groups:
        drawn = _group(group, x, y, wide)
        shapes += drawn.shapes
        points |= drawn.points
        y = drawn.bottom + 18
    return Drawn(tuple(shapes), points, y)


def _group(group: Group, x: float, y: float, wide: float) -> Drawn:
    """A place: its title, its rows, and its cards below each other."""
    inner, room = x + _GROUP_PAD, wide - 2 * _GROUP_PAD
    shapes: list[Shape] = []
    points: dict[str, Point] = {}
    bottom = _headline(shapes, group.title, group.tags, Point(inner, y + 10), room)
    for row in group.rows:
        points[row.key] = Point(x, bottom + 9)
        text = f"{row.title}: {row.note}" if row.note else row.title
        bottom = _lines(shapes, text, "note", Point(inner, bottom), room)
    for node in group.nodes:
        card = _card(node, inner, bottom + 10)
        shapes += card.shapes
        points |= card.points
        bottom = card.bottom
    bottom += 14
    look = "group" if group.ours else "group foreign"
    return Drawn((Box(x, y, wide, bottom - y, look, 12), *shapes), points, bottom)


def _card(node: Node, x: float, y: float) -> Drawn:
    """A card: its title, what it says of itself, then a row for each thing that is called."""
    shapes: list[Shape] = []
    bottom = _headline(shapes, node.title, node.tags, Point(x + PAD, y + 6), _INNER)
    if node.lines:
        line = " · ".join(node.lines)
        bottom = _lines(shapes, line, "mono", Point(x + PAD, bottom - 3), _INNER)
    bottom += 5
    points: dict[str, Point] = {}
    column = min(max((width(row.title, _PORT) for row in node.rows), default=0), _WIDEST)
    for row in node.rows:
        shapes.append(Line(x, bottom, x + CARD, bottom, "edge"))
        points[row.key] = Point(x, bottom + 16)
        drawn = draw_row(row, Point(x + PAD, bottom + 4), column, _INNER)
        shapes += drawn.shapes
        bottom = drawn.bottom
    shapes += _entrance(node, points, x + CARD)
    return Drawn((Box(x, y, CARD, bottom - y, "card"), *shapes), points, bottom)


def _lines(shapes: list[Shape], text: str, look: str, at: Point, room: float) -> float:
    y = at.y
    for line in wrap(text, SMALL, room):
        shapes.append(Text(at.x, y + 13, line, look))
        y += LINE
    return y


def _headline(
    shapes: list[Shape], title: str, tags: tuple[str, ...], at: Point, room: float
) -> float:
    """A title, and its tags at the right: beside its last line, or below it if need be."""
    y = at.y
    used = 0.0
    for line in wrap(title, _TITLE, room):
        shapes.append(Text(at.x, y + 19, line, "title"))
        used = width(line, _TITLE)
        y += 22
    right = at.x + room
    for tag in reversed(tags):
        shown = fitted_tag(tag)
        if right - pill_width(shown) < at.x + used + 8:
            right, y, used = at.x + room, y + 22, 0
        draw_pill(shapes, shown, Point(right - pill_width(shown), y - 16), "pill plain")
        right -= pill_width(shown) + 6
    return y + 4


def _entrance(node: Node, points: Mapping[str, Point], edge: float) -> Iterator[Shape]:
    """The door at the right, and an arrow from it to each row that is called from inside."""
    rows = [points[row.key] for row in node.rows if row.reach is Reach.INSIDE]
    if not rows or not node.entrance:
        return
    high = max(rows[-1].y - rows[0].y + 28, _ENTRANCE_HEIGHT)
    top = (rows[0].y + rows[-1].y - high) / 2
    left = edge + _GAP
    yield Box(left, top, _ENTRANCE, high, "door")
    middle = top + high / 2 - (len(node.entrance) - 1) * 7.5 + 4
    for number, line in enumerate(node.entrance):
        look = "port" if number == 0 else "note"
        yield Text(left + _ENTRANCE / 2, middle + 15 * number, line, look, "middle")
    for point in rows:
        yield Line(edge + 8, point.y, left, point.y, "line inside")
        yield Arrow(edge + 1, point.y, "head inside", left=True)
