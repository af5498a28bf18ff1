"""A picture as one self-contained SVG, for light and dark surroundings.

Links are lanes beside the cards: one line each, with a branch to every row it connects.
"""

import re
from collections.abc import Iterator, Mapping

from renderer.assets import read_template
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.picture.cards import LINE, Point, draw_groups, group_width
from renderer.outputs.picture.limits import limit
from renderer.outputs.picture.shapes import Arrow, Box, Dot, Line, Shape, Text, wrap
from renderer.values.named_tuple import NamedTuple
from renderer.values.picture import Link, LinkKind, Picture

_MARGIN = 24
_BRANCH = 30
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_PLAIN_TEXT = str.maketrans(_ESCAPES)
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LANE_STEP = 20
_LABEL_SIZE = 12.5 * 1.1  # bold
_HUES = 6


class _Labels(NamedTuple):
    """The labels, where the lane of each begins, and where they end."""

    shapes: tuple[Shape, ...]
    starts: tuple[float, ...]
    bottom: float


def show(picture: Picture, _layout: Layout = PLAIN) -> str:
    """The only picture of a page."""
    return draw(picture, "picture")


def draw(picture: Picture, prefix: str) -> str:
    """The picture as an `<svg>` element.

    Its ids and the reach of its styles begin with the prefix: pictures on one page need different
    ones.
    """
    scope = "p-" + _NO_NAME.sub("-", prefix)
    shown = limit(picture)
    wide, high, shapes = _arrange(shown)
    description = ". ".join((shown.summary, *(link.label for link in shown.links), *shown.remarks))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{scope}" role="img" '
        f'aria-labelledby="{scope}-title {scope}-desc" '
        f'viewBox="0 0 {_number(wide)} {_number(high)}" '
        f'width="{_number(wide)}" height="{_number(high)}">',
        f'<title id="{scope}-title">{_escaped(shown.title)}</title>',
        f'<desc id="{scope}-desc">{_escaped(description)}</desc>',
        f"<style>{_style_sheet(scope)}</style>",
        *(_element(shape) for shape in shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _style_sheet(scope: str) -> str:
    """Rules that hold below an element only, so that several drawings can share a page."""
    lines = read_template("outputs/picture.css").decode().splitlines()
    return "".join(_scoped(line, scope) for line in lines if not line.startswith("/*"))


def _scoped(line: str, scope: str) -> str:
    """A rule below an element; what opens or closes a block of rules is left as it is."""
    selectors, opening, body = line.partition("{")
    if not body:
        return line
    return ",".join(f"#{scope} {item}" for item in selectors.split(",")) + opening + body


def _arrange(picture: Picture) -> tuple[float, float, list[Shape]]:
    """Title, labels of the lanes, places from top to bottom, remarks; the lanes at the left."""
    lanes = len(picture.links)
    left = _MARGIN + (lanes * _LANE_STEP + _BRANCH if lanes else 0)
    wide = left + group_width(picture.groups) + _MARGIN
    room = wide - 2 * _MARGIN
    shapes: list[Shape] = []
    y = _write(shapes, picture.title, "heading", 20 * 1.1, room, _MARGIN, 28)
    y = _write(shapes, picture.summary, "note", 12, room, y, 18)
    labels = _draw_labels(picture.links, _MARGIN + 4, y + 20, wide - _MARGIN)
    shapes += labels.shapes
    body = draw_groups(picture.groups, left, labels.bottom)
    shapes += body.shapes
    shapes += _draw_lanes(picture.links, labels.starts, body.points, _MARGIN + 4)
    y = body.bottom
    for remark in filter(None, (*picture.remarks, picture.left_out)):
        y = _write(shapes, remark, "note", 12, room, y, 17) + 4
    return wide, y + 12, [Box(0, 0, wide, y + 12, "page", 0), *shapes]


def _write(
    shapes: list[Shape], text: str, look: str, size: float, room: float, y: float, step: float
) -> float:
    for line in wrap(text, size, room):
        shapes.append(Text(_MARGIN, y + size * 0.9, line, look))
        y += step
    return y


def _element(shape: Shape) -> str:
    match shape:
        case Text():
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
            return f'<text class="{shape.look}" {place}{anchor}>{_escaped(shape.text)}</text>'
        case Box():
            numbers = ("x", "y", "width", "height")
            return f'<rect class="{shape.look}" {_numbers(shape, numbers)} rx="{shape.radius}"/>'
        case Line():
            return f'<line class="{shape.look}" {_numbers(shape, ("x1", "y1", "x2", "y2"))}/>'
        case Dot():
            place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}"'
            return f'<circle class="{shape.look}" {place} r="{shape.radius}"/>'
        case Arrow():
            back = shape.x + (8 if shape.left else -8)
            ends = ((shape.x, shape.y), (back, shape.y - 4.5), (back, shape.y + 4.5))
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in ends)
            return f'<polygon class="{shape.look}" points="{points}"/>'


def _numbers(shape: Shape, names: tuple[str, ...]) -> str:
    return " ".join(f'{name}="{_number(getattr(shape, name))}"' for name in names)


def _number(value: float) -> str:
    """At most one digit after the point, and none for nothing."""
    return f"{value:.1f}".removesuffix(".0")


def _escaped(text: str) -> str:
    return text.translate(_PLAIN_TEXT)


def _hues(links: tuple[Link, ...]) -> list[str]:
    """A hue for each link; synchronisation has one of its own."""
    numbers = iter(range(len(links)))
    return [
        "sync" if link.kind is LinkKind.SYNC else f"hue{next(numbers) % _HUES}" for link in links
    ]


def _draw_labels(links: tuple[Link, ...], left: float, top: float, end: float) -> _Labels:
    """What each lane means, like a staircase: no lane begins above the label to its left."""
    shapes: list[Shape] = []
    starts = []
    y = top
    for number, (link, hue) in enumerate(zip(links, _hues(links), strict=True)):
        x = left + number * _LANE_STEP + 9
        starts.append(y)
        for line in wrap(link.label, _LABEL_SIZE, end - x):
            shapes.append(Text(x, y + 5, line, f"label word-{hue}"))
            y += LINE
        y += 3
    return _Labels(tuple(shapes), tuple(starts), y)


def _draw_lanes(
    links: tuple[Link, ...], starts: tuple[float, ...], points: Mapping[str, Point], left: float
) -> Iterator[Shape]:
    """Lanes from left to right, then their branches, which pass over the lanes between."""
    hues = _hues(links)
    for number, (link, top) in enumerate(zip(links, starts, strict=True)):
        x, end = left + number * _LANE_STEP, max(points[key].y for key in link.keys)
        yield Line(x, top - 2, x, end, f"line {hues[number]}")
    for number, (link, hue) in enumerate(zip(links, hues, strict=True)):
        for key in link.keys:
            yield from _branch(
                link, key, Point(left + number * _LANE_STEP, points[key].y), points, hue
            )


def _branch(
    link: Link, key: str, start: Point, points: Mapping[str, Point], hue: str
) -> Iterator[Shape]:
    end = points[key].x
    yield Line(start.x + 4, start.y, end - 24, start.y, "casing")
    yield Line(start.x, start.y, end - 4, start.y, f"line {hue}")
    if link.kind is LinkKind.MEMBERS:
        yield Dot(end, start.y, 5 if key in link.sources else 3.5, f"dot {hue}")
        yield Dot(start.x, start.y, 3.5, f"dot {hue}")
        if key in link.sources:
            yield Dot(end, start.y, 2.5, "hole")
        return
    if key in link.targets:
        yield Arrow(end - 1, start.y, f"head {hue}")
    else:
        yield Dot(end, start.y, 3.5, f"dot {hue}")
    if key in link.sources and link.kind is LinkKind.CALL:
        yield Arrow(start.x + 2, start.y, f"head {hue}", left=True)
    else:
        yield Dot(start.x, start.y, 3.5, f"dot {hue}")
