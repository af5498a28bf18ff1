"""What a template sees of values, and the tokens that it leaves in their place."""

from collections.abc import Iterator

from renderer.render.template_faults import TemplateFault, as_text
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, Scalar

RESERVED = "[\ue000-\ue003]"
MOST_TURNS = 10_000
MOST_TEXT = 4 << 20


class Placed:
    """The values of one rendering, in the order of their tokens."""

    def __init__(self) -> None:
        self.values: list[Node | None] = []
        self.constants: list[Scalar] = []
        self.turns = 0

    def add(self, node: Node) -> None:
        self.values.append(node)
        self.constants.append(None)

    def put(self, node: Node) -> str:
        self.add(node)
        return self._latest()

    def at(self, token: int, origin: Origin) -> Node:
        """The value of a token; one that no file gave is the template's own."""
        if token >= len(self.values):
            fix = "write another character; values stand in {{ }}"
            raise TemplateFault(origin.line, "the character U+E000 is reserved", fix)
        return self.values[token] or Node(self.constants[token], origin)

    def token(self, value: object) -> str:
        if isinstance(value, View):
            return self.put(value.node)
        if isinstance(value, str | int | float | bool | None):
            self.values.append(None)
            self.constants.append(value)
        else:
            str(value)  # an undefined name says here that it is undefined
            raise TypeError(f"a {type(value).__name__} cannot be placed")
        return self._latest()

    def _latest(self) -> str:
        return token(len(self.values) - 1)


def token(number: int) -> str:
    """What stands in a text in the place of a value."""
    return f"\ue000{number}\ue001"


class View:
    """What a template sees of a node: members, elements, and a value to compare."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    def __iter__(self) -> Iterator["View | str"]:
        if self.node.elements:
            return iter([View(child) for child in self.node.elements])
        return iter(list(self.node.items))

    def __len__(self) -> int:
        return len(self.node.elements or self.node.items)

    def __bool__(self) -> bool:
        return bool(self.node.value)

    def __eq__(self, other: object) -> bool:
        return self.node.value == (other.node.value if isinstance(other, View) else other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return as_text(self.node)
