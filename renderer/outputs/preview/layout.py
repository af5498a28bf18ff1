"""Lines that fit a screen: rows of a label and a value, rules, and texts with a gutter."""

import re
from collections.abc import Iterator
from textwrap import wrap
from typing import NamedTuple

from renderer.outputs.findings.text import BOLD, DIM, Paint
from renderer.text.wording import LINE_END, visible

YELLOW = "33"
_MARKER = re.compile(r"<(?:[a-z]+:[^<>\s]+|node|pod)>")
_NARROWEST = 20
_LABELS = 11


class Layout(NamedTuple):
    """How wide lines are, how they are coloured, and what stands before each of them."""

    width: int
    paint: Paint
    lead: str = ""

    def below(self, lead: str) -> "Layout":
        return self._replace(lead=self.lead + lead)

    def line(self, text: str = "") -> str:
        lead = self.lead if text else self.lead.rstrip()
        return (self.paint(lead, DIM) if lead else "") + text

    def rule(self, text: str, stroke: str) -> str:
        """A title in a line across the screen."""
        shown = visible(text)
        rest = max(2, self.width - len(shown) - 4)
        return f"{self.paint(stroke * 2, DIM)} {self.paint(shown, BOLD)} " + self.paint(
            stroke * rest, DIM
        )

    def row(self, label: str, value: str) -> Iterator[str]:
        """A label and its value beside it; what has no room there stands below."""
        if LINE_END.search(value) or len(label) > _LABELS:
            yield self.line(self.paint(visible(label), DIM))
            for line in LINE_END.split(value):
                yield from self.below("  ").paragraph(line)
            return
        room = max(_NARROWEST, self.width - len(self.lead) - _LABELS - 1)
        for number, line in enumerate(_wrapped(value, room)):
            name = f"{visible(label):{_LABELS}}" if number == 0 else " " * _LABELS
            yield self.line(f"{self.paint(name, DIM)} {self.marked(line)}")

    def paragraph(self, text: str) -> Iterator[str]:
        """A sentence over as many lines as it needs."""
        for line in _wrapped(text, max(_NARROWEST, self.width - len(self.lead))):
            yield self.line(self.marked(line))

    def text(self, text: str) -> Iterator[str]:
        """A text line by line; a dotted gutter where a long line goes on."""
        room = max(_NARROWEST, self.width - 2)
        for line in LINE_END.split(text.removesuffix("\n")):
            shown = visible(line)
            parts = [shown[at : at + room] for at in range(0, len(shown), room)] or [""]
            for number, part in enumerate(parts):
                gutter = self.paint("┊" if number else "│", DIM)
                yield f"{gutter} {self.marked(part)}".rstrip()

    def marked(self, text: str) -> str:
        """Markers stand out."""
        return _MARKER.sub(lambda match: self.paint(match[0], YELLOW), text)


def _wrapped(line: str, room: int) -> list[str]:
    """A line in parts that fit, further ones set in below the first; words stay whole."""
    shown = visible(line)
    indent = " " * (len(shown) - len(shown.lstrip()) + 2)
    return wrap(
        shown, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]
