"""What a template sees of values, and what it leaves in its text: tokens, and marks of lines."""

from collections.abc import Iterator, Mapping

from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, Scalar

RESERVED = "[\ue000-\ue003]"
MOST_TURNS = 10_000
MOST_TEXT = 4 << 20
MEND = "mend the template, or delete it to use the bundled one"


class TemplateFault(Exception):
    """A template cannot be used; `line` is the template's own."""

    def __init__(self, line: int, message: str, fix: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.fix = fix


class PlacedValues:
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

    def value_of(self, token: int, origin: Origin) -> Node:
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


def mark_lines(text: str, first: int) -> str:
    """Text of the template itself, with the number of its line before every line."""
    lines = text.split("\n")
    return "\n".join(f"\ue002{first + n}\ue003{line}" for n, line in enumerate(lines))


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
        return scalar_text_of(self.node)


def scalar_text_of(node: Node, line: int = 1) -> str:
    """A value as part of a text."""
    value = node.value
    if isinstance(value, Mapping | tuple):
        raise TemplateFault(line, "a mapping or list stands inside a text", "place it by itself")
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
