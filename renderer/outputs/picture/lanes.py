"""Links as lanes beside the cards: one line each, with a branch to every row it connects."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.outputs.picture.measure import wrap
from renderer.outputs.picture.rows import LINE, Point
from renderer.outputs.picture.shapes import Arrow, Dot, Line, Shape, Text
from renderer.values.picture import Kind, Link

STEP = 20
_SIZE = 12.5 * 1.1  # bold
_HUES = 6


class Labels(NamedTuple):
    """The labels, where the lane of each begins, and where they end."""

    shapes: tuple[Shape, ...]
    starts: tuple[float, ...]
    bottom: float


def _hues(links: tuple[Link, ...]) -> list[str]:
    """A hue for each link; synchronisation has one of its own."""
    numbers = iter(range(len(links)))
    return ["sync" if link.kind is Kind.SYNC else f"hue{next(numbers) % _HUES}" for link in links]


def draw_labels(links: tuple[Link, ...], left: float, top: float, end: float) -> Labels:
    """What each lane means, like a staircase: no lane begins above the label to its left."""
    shapes: list[Shape] = []
    starts = []
    y = top
    for number, (link, hue) in enumerate(zip(links, _hues(links), strict=True)):
        x = left + number * STEP + 9
        starts.append(y)
        for line in wrap(link.label, _SIZE, end - x):
            shapes.append(Text(x, y + 5, line, f"label word-{hue}"))
            y += LINE
        y += 3
    return Labels(tuple(shapes), tuple(starts), y)


def draw_lanes(
    links: tuple[Link, ...], starts: tuple[float, ...], points: Mapping[str, Point], left: float
) -> Iterator[Shape]:
    """Lanes from left to right, then their branches, which pass over the lanes between."""
    hues = _hues(links)
    for number, (link, start) in enumerate(zip(links, starts, strict=True)):
        x, end = left + number * STEP, max(points[key].y for key in link.keys)
        yield Line(x, start - 2, x, end, f"line {hues[number]}")
    for number, (link, hue) in enumerate(zip(links, hues, strict=True)):
        for key in link.keys:
            yield from _branch(link, key, Point(left + number * STEP, points[key].y), points, hue)


def _branch(
    link: Link, key: str, start: Point, points: Mapping[str, Point], hue: str
) -> Iterator[Shape]:
    end = points[key].x
    yield Line(start.x + 4, start.y, end - 24, start.y, "casing")
    yield Line(start.x, start.y, end - 4, start.y, f"line {hue}")
    if link.kind is Kind.MEMBERS:
        yield Dot(end, start.y, 5 if key in link.sources else 3.5, f"dot {hue}")
        yield Dot(start.x, start.y, 3.5, f"dot {hue}")
        if key in link.sources:
            yield Dot(end, start.y, 2.5, "hole")
        return
    if key in link.targets:
        yield Arrow(end - 1, start.y, f"head {hue}")
    else:
        yield Dot(end, start.y, 3.5, f"dot {hue}")
    if key in link.sources and link.kind is Kind.CALL:
        yield Arrow(start.x + 2, start.y, f"head {hue}", left=True)
    else:
        yield Dot(start.x, start.y, 3.5, f"dot {hue}")
