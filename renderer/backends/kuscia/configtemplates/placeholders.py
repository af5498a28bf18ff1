"""The scan that Kuscia makes before Go sees a template: needed keys and three-brace forms."""

from bisect import bisect_right
from typing import NamedTuple

from renderer.text.expressions import expression

_PLACEHOLDER = expression(r"\{\{?\{\.([^{}]+)\}\}?\}")

_OPENING = '{{kuscia "'


class Scanned(NamedTuple):
    """The text that Go parses, the keys it needs, and how its places map to the template's."""

    text: str
    needed: tuple[str, ...]
    starts: tuple[int, ...]
    originals: tuple[int, ...]

    def original(self, place: int) -> int:
        """Where in the template a place of the rewritten text comes from."""
        piece = bisect_right(self.starts, place) - 1
        last = self.originals[piece + 1] if piece + 1 < len(self.originals) else None
        there = self.originals[piece] + place - self.starts[piece]
        return there if last is None else min(there, last)


def scan(text: str) -> Scanned:
    """Rewrite `{{{.path}}}` as a call of Kuscia's function; the rest stays as it is."""
    pieces: list[str] = []
    starts, originals = [0], [0]
    needed: dict[str, None] = {}
    done = length = 0
    for match in _PLACEHOLDER.finditer(text):
        needed[match[1].partition(".")[0]] = None
        if not match[0].startswith("{{{"):
            continue
        call = _call(match[1])
        pieces += [text[done : match.start()], call]
        length += match.start() - done
        starts += [length, length + len(_OPENING), length + len(call)]
        originals += [match.start(), match.start(1), match.end()]
        done, length = match.end(), length + len(call)
    return Scanned("".join([*pieces, text[done:]]), tuple(needed), tuple(starts), tuple(originals))


def _call(expression: str) -> str:
    """Dots inside brackets become `#`, so that splitting at dots leaves brackets whole."""
    lines = map(_with_marks, expression.split("\n"))
    return _OPENING + "\n".join(lines) + '"}}'


def _with_marks(line: str) -> str:
    """A line whose dots from a `[` to the next `]` are replaced, in one pass."""
    *closed, rest = line.split("]")
    pairs = (chunk.partition("[") for chunk in closed)
    safe = (before + bracket + inside.replace(".", "#") for before, bracket, inside in pairs)
    return "]".join([*safe, rest])
