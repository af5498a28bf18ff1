"""A picture as one self-contained SVG, for light and dark surroundings."""

import re

from renderer.outputs.picture.cards import draw_groups, group_width
from renderer.outputs.picture.lanes import STEP, draw_labels, draw_lanes
from renderer.outputs.picture.measure import wrap
from renderer.outputs.picture.palette import style_sheet
from renderer.outputs.picture.shapes import Arrow, Box, Dot, Line, Shape, Text
from renderer.values.picture import Picture, bounded

_MARGIN = 24
_BRANCH = 30
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_PLAIN_TEXT = str.maketrans(_ESCAPES)
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")


def draw(picture: Picture, prefix: str = "picture") -> str:
    """The picture as an `<svg>` element.

    Its ids and the reach of its styles begin with the prefix: pictures on one page need different
    ones.
    """
    scope = "p-" + _NO_NAME.sub("-", prefix)
    shown = bounded(picture)
    wide, high, shapes = _arrange(shown)
    told = ". ".join((shown.summary, *(link.label for link in shown.links), *shown.remarks))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{scope}" role="img" '
        f'aria-labelledby="{scope}-title {scope}-desc" '
        f'viewBox="0 0 {_number(wide)} {_number(high)}" '
        f'width="{_number(wide)}" height="{_number(high)}">',
        f'<title id="{scope}-title">{_escaped(shown.title)}</title>',
        f'<desc id="{scope}-desc">{_escaped(told)}</desc>',
        f"<style>{style_sheet(scope)}</style>",
        *(_element(shape) for shape in shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _arrange(picture: Picture) -> tuple[float, float, list[Shape]]:
    """Title, labels of the lanes, places from top to bottom, remarks; the lanes at the left."""
    lanes = len(picture.links)
    left = _MARGIN + (lanes * STEP + _BRANCH if lanes else 0)
    wide = left + group_width(picture.groups) + _MARGIN
    room = wide - 2 * _MARGIN
    shapes: list[Shape] = []
    y = _write(shapes, picture.title, "heading", 20 * 1.1, room, _MARGIN, 28)
    y = _write(shapes, picture.summary, "note", 12, room, y, 18)
    labels = draw_labels(picture.links, _MARGIN + 4, y + 20, wide - _MARGIN)
    shapes += labels.shapes
    body = draw_groups(picture.groups, left, labels.bottom)
    shapes += body.shapes
    shapes += draw_lanes(picture.links, labels.starts, body.points, _MARGIN + 4)
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
