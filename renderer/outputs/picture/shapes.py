"""What a drawing is made of, each shape with the class that gives it its colours."""

from typing import NamedTuple


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
