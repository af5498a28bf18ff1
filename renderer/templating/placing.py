"""From a template to a tree: tokens in the place of values, and values in the place of tokens.

A template is rendered with an opaque token for every `{{ value }}`, so no value can change the
structure. The text is read as YAML, and `fill` puts the values, with their origins, in the place
of their tokens.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from renderer.assets import TEMPLATES
from renderer.diagnostics import Origin
from renderer.expressions import expression
from renderer.templating.faults import as_text
from renderer.templating.plain import plainly_rendered
from renderer.templating.views import Placed
from renderer.tree import Node, Scalar

_TOKEN = expression("\ue000([0-9]+)\ue001")
_MARK = expression("\ue002([0-9]+)\ue003")
_LEADING_MARKS = expression("(?:\ue002[0-9]+\ue003)*")


class Source(NamedTuple):
    """A template's text and the file it is known by."""

    file: str
    text: str


class Skeleton(NamedTuple):
    """Rendered text with tokens, the values they stand for, and the template line of each line."""

    source: Source
    text: str
    values: list[Node | None]
    constants: list[Scalar]
    lines: list[int]

    def origin(self, rendered: Origin) -> Origin:
        """The place in the template that wrote a place in the text."""
        line = self.lines[min(rendered.line, len(self.lines)) - 1] if self.lines else 1
        return Origin(self.source.file, line)


def find(name: str, overrides: Mapping[str, str]) -> Source:
    """A template by its path: the repository's own if it has one, else the bundled one."""
    if name in overrides:
        return Source(f"templates/{name}", overrides[name])
    return Source(f"servingctl:templates/{name}", (TEMPLATES / name).read_text("utf-8"))


def names() -> list[str]:
    """The templates that can be overridden."""
    return sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2"))


def render(source: Source, values: Mapping[str, Node]) -> Skeleton:
    """The template's text with a token in the place of every value."""
    placed = Placed()
    text = plainly_rendered(source.text, values, placed)
    if text is None:
        from renderer.templating.language import rendered

        placed = Placed()
        text = rendered(source.text, values, placed)
    return _unmarked(source, text, placed)


def _unmarked(source: Source, text: str, placed: Placed) -> Skeleton:
    lines: list[int] = []
    bare: list[str] = []
    for line in text.split("\n"):
        leading = _LEADING_MARKS.match(line)
        marks = _MARK.findall(leading[0] if leading and leading[0] else line)
        lines.append(int(marks[-1]) if marks else (lines[-1] if lines else 1))
        bare.append(_MARK.sub("", line))
    return Skeleton(source, "\n".join(bare), placed.values, placed.constants, lines)


def fill(tree: Node, skeleton: Skeleton) -> Node:
    """The tree of the rendered text with values in the place of their tokens."""
    filled = _filled(tree, skeleton)
    return filled or Node(None, skeleton.origin(tree.origin))


def _filled(node: Node, skeleton: Skeleton) -> Node | None:
    """A node with its values; nothing if its value is absent."""
    origin = skeleton.origin(node.origin)
    key = skeleton.origin(node.key) if node.key else None
    value = node.value
    if isinstance(value, Mapping):
        members = {
            _key(name, child, skeleton): _filled(child, skeleton) for name, child in value.items()
        }
        return Node({name: child for name, child in members.items() if child}, origin, key)
    if isinstance(value, tuple):
        elements = [_filled(child, skeleton) for child in value]
        return Node(tuple(child for child in elements if child), origin, key)
    if not isinstance(value, str) or not (found := _TOKEN.search(value)):
        return Node(value, origin, key)
    first = _placed(found, skeleton, origin)
    if found[0] != value:
        text = _TOKEN.sub(lambda m: as_text(_placed(m, skeleton, origin), origin.line), value)
        return Node(text, first.origin, key)
    return None if first.value is None else first._replace(key=key)


def _placed(found: re.Match[str], skeleton: Skeleton, origin: Origin) -> Node:
    index = int(found[1])
    return skeleton.values[index] or Node(skeleton.constants[index], origin)


def _key(name: str, child: Node, skeleton: Skeleton) -> str:
    line = skeleton.origin(child.key or child.origin).line
    return _TOKEN.sub(lambda m: as_text(_placed(m, skeleton, Origin("")), line), name)
