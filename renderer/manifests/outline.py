"""Values in the place of tokens; what no value can change is worked out once for all of them."""

import re
from collections.abc import Sequence
from typing import Protocol

from renderer.manifests.template_values import PlacedValues, scalar_text_of
from renderer.text.expressions import expression
from renderer.values.diagnostics import Origin
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_TOKEN = expression("\ue000([0-9]{1,9})\ue001")


class Outline(Protocol):
    """A tree, or a part of one, that waits for its values."""

    def filled(self, placed: PlacedValues) -> Node | None:
        """The part with its values; nothing if it is a value that is absent."""


def outline_of(tree: Node, file: str, lines: Sequence[int]) -> Outline:
    """The tree of a rendered text, whose lines were written by these lines of a template."""

    def origin(rendered: Origin) -> Origin:
        return Origin(file, lines[min(rendered.line, len(lines)) - 1])

    def outline(node: Node) -> Outline:
        here, key = origin(node.origin), origin(node.key) if node.key else None
        value = node.value
        if isinstance(value, dict):
            members = tuple((name_of(name, child), outline(child)) for name, child in value.items())
            return _simplest(_Members(members, here, key))
        if isinstance(value, tuple):
            return _simplest(_Elements(tuple(map(outline, value)), here, key))
        found = _TOKEN.search(value) if isinstance(value, str) else None
        if not found:
            return _Constant(Node(value, here, key))
        whole = found[0] == value
        return _Value(int(found[1]), here, key) if whole else _Text(str(value), here, key)

    def name_of(name: str, child: Node) -> "str | _Text":
        return _Text(name, origin(child.key or child.origin)) if _TOKEN.search(name) else name

    return outline(tree)


class _Constant(NamedTuple):
    node: Node

    def filled(self, _placed: PlacedValues) -> Node:
        return self.node


class _Value(NamedTuple):
    """A value that stands by itself."""

    token: int
    origin: Origin
    key: Origin | None

    def filled(self, placed: PlacedValues) -> Node | None:
        node = placed.value_of(self.token, self.origin)
        if node.value is None:
            return None
        return Node(node.value, node.origin, self.key, node.text, node.trail, node.gone)


class _Text(NamedTuple):
    """A text that holds values; it is theirs as much as the template's."""

    text: str
    origin: Origin
    key: Origin | None = None

    def filled(self, placed: PlacedValues) -> Node:
        first = next(_TOKEN.finditer(self.text))
        return Node(self.fill(placed), placed.value_of(int(first[1]), self.origin).origin, self.key)

    def fill(self, placed: PlacedValues) -> str:
        def value(found: re.Match[str]) -> str:
            return scalar_text_of(placed.value_of(int(found[1]), self.origin), self.origin.line)

        return _TOKEN.sub(value, self.text)


class _Members(NamedTuple):
    members: tuple[tuple[str | _Text, Outline], ...]
    origin: Origin
    key: Origin | None

    def filled(self, placed: PlacedValues) -> Node:
        members = {
            name if isinstance(name, str) else name.fill(placed): part.filled(placed)
            for name, part in self.members
        }
        present = {name: node for name, node in members.items() if node is not None}
        return Node(present, self.origin, self.key)

    def is_constant(self) -> bool:
        return all(isinstance(n, str) and isinstance(p, _Constant) for n, p in self.members)


class _Elements(NamedTuple):
    elements: tuple[Outline, ...]
    origin: Origin
    key: Origin | None

    def filled(self, placed: PlacedValues) -> Node:
        elements = [part.filled(placed) for part in self.elements]
        return Node(tuple(node for node in elements if node is not None), self.origin, self.key)

    def is_constant(self) -> bool:
        return all(isinstance(part, _Constant) for part in self.elements)


def _simplest(part: _Members | _Elements) -> Outline:
    """The part itself, or what it comes to if no value has a place in it."""
    return _Constant(part.filled(PlacedValues())) if part.is_constant() else part
