"""Where the parts of places and cards go: from values to shapes, and to points for links."""

from collections.abc import Iterator, Mapping, Sequence

from renderer.outputs.picture.limits import noted
from renderer.outputs.picture.shapes import Arrow, Box, Line, Shape, Text, width, wrap
from renderer.values.named_tuple import NamedTuple
from renderer.values.picture import Card, Exposure, Group, PictureRow

_PAD = 14
_SMALL = 12
LINE = 17
_ROW_TITLE = 13 * 1.1  # bold
_PILL = 11
_WIDEST_TAG = 190
_CARD = 520
_GROUP_PAD = 16
_CARD_TITLE = 15 * 1.1  # bold
_WIDEST = 200
_GAP, _ENTRANCE, _ENTRANCE_HEIGHT = 36, 92, 58
_INNER = _CARD - 2 * _PAD


class Point(NamedTuple):
    """A place in the drawing."""

    x: float
    y: float


class DrawnCards(NamedTuple):
    """Shapes, the points of their rows, and where they end."""

    shapes: tuple[Shape, ...]
    points: Mapping[str, Point]
    bottom: float


def group_width(groups: Sequence[Group]) -> float:
    """As wide as needed: the column of entrances is there if anything has one."""
    has_entrances = any(card.entrance for group in groups for card in group.cards)
    return _CARD + 2 * _GROUP_PAD + (_GAP + _ENTRANCE if has_entrances else 0)


def draw_groups(groups: Sequence[Group], x: float, y: float) -> DrawnCards:
    """Places below each other."""
    shapes: list[Shape] = []
    points: dict[str, Point] = {}
    wide = group_width(groups)
    for group in groups:
        drawn = _group(group, x, y, wide)
        shapes += drawn.shapes
        points |= drawn.points
        y = drawn.bottom + 18
    return DrawnCards(tuple(shapes), points, y)


def _group(group: Group, x: float, y: float, wide: float) -> DrawnCards:
    """A place: its title, its rows, and its cards below each other."""
    inner, room = x + _GROUP_PAD, wide - 2 * _GROUP_PAD
    shapes: list[Shape] = []
    points: dict[str, Point] = {}
    bottom = _headline(shapes, group.title, group.tags, Point(inner, y + 10), room)
    for row in group.rows:
        points[row.key] = Point(x, bottom + 9)
        bottom = _lines(shapes, noted(row), "note", Point(inner, bottom), room)
    for card in group.cards:
        drawn = _card(card, inner, bottom + 10)
        shapes += drawn.shapes
        points |= drawn.points
        bottom = drawn.bottom
    bottom += 14
    look = "group" if group.ours else "group foreign"
    return DrawnCards((Box(x, y, wide, bottom - y, look, 12), *shapes), points, bottom)


def _card(card: Card, x: float, y: float) -> DrawnCards:
    """A card: its title, what it says of itself, then a row for each thing that is called."""
    shapes: list[Shape] = []
    bottom = _headline(shapes, card.title, card.tags, Point(x + _PAD, y + 6), _INNER)
    if card.lines:
        line = " · ".join(card.lines)
        bottom = _lines(shapes, line, "mono", Point(x + _PAD, bottom - 3), _INNER)
    bottom += 5
    points: dict[str, Point] = {}
    column = min(max((width(row.title, _ROW_TITLE) for row in card.rows), default=0), _WIDEST)
    for row in card.rows:
        shapes.append(Line(x, bottom, x + _CARD, bottom, "edge"))
        points[row.key] = Point(x, bottom + 16)
        drawn = _draw_row(row, Point(x + _PAD, bottom + 4), column, _INNER)
        shapes += drawn.shapes
        bottom = drawn.bottom
    shapes += _entrance(card, points, x + _CARD)
    return DrawnCards((Box(x, y, _CARD, bottom - y, "card"), *shapes), points, bottom)


def _lines(shapes: list[Shape], text: str, look: str, at: Point, room: float) -> float:
    y = at.y
    for line in wrap(text, _SMALL, room):
        shapes.append(Text(at.x, y + 13, line, look))
        y += LINE
    return y


def _headline(
    shapes: list[Shape], title: str, tags: tuple[str, ...], at: Point, room: float
) -> float:
    """A title, and its tags at the right: beside its last line, or below it if need be."""
    y = at.y
    used = 0.0
    for line in wrap(title, _CARD_TITLE, room):
        shapes.append(Text(at.x, y + 19, line, "title"))
        used = width(line, _CARD_TITLE)
        y += 22
    right = at.x + room
    for tag in reversed(tags):
        shown = _fitted_tag(tag)
        if right - _pill_width(shown) < at.x + used + 8:
            right, y, used = at.x + room, y + 22, 0
        _draw_pill(shapes, shown, Point(right - _pill_width(shown), y - 16), "pill plain")
        right -= _pill_width(shown) + 6
    return y + 4


def _entrance(card: Card, points: Mapping[str, Point], edge: float) -> Iterator[Shape]:
    """The door at the right, and an arrow from it to each row that is called from inside."""
    rows = [points[row.key] for row in card.rows if row.exposure is Exposure.INSIDE]
    if not rows or not card.entrance:
        return
    high = max(rows[-1].y - rows[0].y + 28, _ENTRANCE_HEIGHT)
    top = (rows[0].y + rows[-1].y - high) / 2
    left = edge + _GAP
    yield Box(left, top, _ENTRANCE, high, "door")
    middle = top + high / 2 - (len(card.entrance) - 1) * 7.5 + 4
    for number, line in enumerate(card.entrance):
        look = "port" if number == 0 else "note"
        yield Text(left + _ENTRANCE / 2, middle + 15 * number, line, look, "middle")
    for point in rows:
        yield Line(edge + 8, point.y, left, point.y, "line inside")
        yield Arrow(edge + 1, point.y, "head inside", left=True)


class _DrawnRow(NamedTuple):
    """The shapes of a row, and where it ends."""

    shapes: tuple[Shape, ...]
    bottom: float


def _draw_row(row: PictureRow, at: Point, column: float, room: float) -> _DrawnRow:
    """The tag stands in its column; the note at the right; what does not fit goes below.

    What is called from inside has an arrow from the entrance, and needs no note.
    """
    shapes: list[Shape] = []
    tag = _fitted_tag(row.tag)
    *above, last = wrap(row.title, _ROW_TITLE, room - _pill_width(tag) - 8)
    y = at.y
    for line in above:
        shapes.append(Text(at.x, y + 16, line, "port"))
        y += LINE
    shapes.append(Text(at.x, y + 16, last, "port"))
    right = at.x + min(max(column, width(last, _ROW_TITLE)) + 8, room - _pill_width(tag))
    if tag:
        _draw_pill(shapes, tag, Point(right, y + 3.5), f"pill {row.exposure}")
        right += _pill_width(tag) + 10
    end = at.x + room
    beside = bool(row.address) and right + width(row.address, _SMALL) <= end
    if beside:
        shapes.append(Text(right, y + 16, row.address, "mono"))
        right += width(row.address, _SMALL) + 10
    note = "" if row.exposure is Exposure.INSIDE else row.note
    if note and right + width(note, _SMALL) <= end:
        shapes.append(Text(end, y + 16, note, "note", "end"))
        note = ""
    y += 22
    below = [(line, "mono") for line in _wrapped("" if beside else row.address, room)]
    below += [(line, "note") for line in _wrapped(note, room)]
    for line, look in below:
        shapes.append(Text(at.x, y + 13, line, look))
        y += LINE
    return _DrawnRow(tuple(shapes), y + (6 if below else 2))


def _wrapped(text: str, room: float) -> list[str]:
    return wrap(text, _SMALL, room) if text else []


def _fitted_tag(text: str) -> str:
    """As much of a tag as leaves room for a title."""
    return wrap(text, _PILL, _WIDEST_TAG, most=1)[0]


def _pill_width(text: str) -> float:
    return width(text, _PILL) + 16 if text else 0


def _draw_pill(shapes: list[Shape], text: str, at: Point, look: str) -> None:
    """A word on a round ground."""
    wide = _pill_width(text)
    shapes.append(Box(at.x, at.y, wide, 17, look, 8.5))
    shapes.append(Text(at.x + wide / 2, at.y + 12.5, text, look, "middle"))
