"""Pieces of YAML texts: where each value begins and ends, and what is written in its place."""

import json
from collections.abc import Iterator
from typing import Any

from renderer.text.expressions import expression
from renderer.text.libyaml import yaml
from renderer.text.scalars import meaning
from renderer.text.yaml_reader import Parser
from renderer.text.yaml_writer import fits_block, scalar_text
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class YamlPlace(NamedTuple):
    """A value in a text, from `start` to `end`, without comments and blank lines behind it.

    `column` is where it begins on its line. A mapping has as many `keys` as `children`. Something
    is `shared` if the text names it with an anchor, or takes it from one.
    """

    start: int
    end: int
    column: int
    style: str = ""
    is_mapping: bool = False
    is_flow: bool = False
    is_shared: bool = False
    keys: tuple["YamlPlace", ...] = ()
    children: tuple["YamlPlace", ...] = ()

    @property
    def has_shared(self) -> bool:
        """Whether it, or anything in it, is named or taken from elsewhere."""
        return self.is_shared or any(child.has_shared for child in self.children)


class _Open:
    """A mapping or list that is being read."""

    def __init__(self, event: Any) -> None:
        self.event = event
        self.parts: list[YamlPlace] = []

    def closed(self, end: Any) -> YamlPlace:
        is_mapping = isinstance(self.event, yaml.MappingStartEvent)
        is_flow = bool(self.event.flow_style)
        start = self.event.start_mark
        return YamlPlace(
            start.index,
            end.end_mark.index if is_flow or not self.parts else self.parts[-1].end,
            start.column,
            is_mapping=is_mapping,
            is_flow=is_flow,
            is_shared=bool(self.event.anchor),
            keys=tuple(self.parts[::2]) if is_mapping else (),
            children=tuple(self.parts[1::2] if is_mapping else self.parts),
        )


def places(text: str) -> YamlPlace:
    """The one document of a text that was read without a problem."""
    outer: list[YamlPlace] = []
    stack: list[_Open] = []
    next_event = Parser(text).get_event
    while not isinstance(event := next_event(), yaml.StreamEndEvent):
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            stack.append(_Open(event))
            continue
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            place = stack.pop().closed(event)
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            place = _leaf(event, text)
        else:
            continue
        (stack[-1].parts if stack else outer).append(place)
    return outer[0]


def _leaf(event: Any, text: str) -> YamlPlace:
    start, end = event.start_mark, event.end_mark.index
    style = getattr(event, "style", None) or ""
    if style in ("|", ">"):  # what follows, up to the next value, counts as its own
        end = start.index + len(text[start.index : end].rstrip())
    return YamlPlace(start.index, end, start.column, style, is_shared=bool(event.anchor))


_STEP = "  "
_FLOW_CHARACTERS = expression(r"[,\[\]{}]")
_MARK = expression(r"\$[a-z]+")  # such as `$remove`
_REFERENCE = expression(r"\$\{vars\.[A-Za-z0-9_-]+\}")


class Fragment(NamedTuple):
    """What stands behind `key:` or `-` on its line, and the lines below it."""

    head: str
    body: tuple[str, ...] = ()


def flow_text(node: Node, style: str = "") -> str:
    """A value between the brackets of a mapping or list that is written on a line."""
    if node.items:
        members = (f"{flow_key(key)}: {flow_text(child)}" for key, child in node.items.items())
        return f"{{{', '.join(members)}}}"
    if node.elements:
        return f"[{', '.join(flow_text(item) for item in node.elements)}]"
    text = line_text(node, style)
    is_bare = isinstance(node.value, str) and text == node.value
    return (
        json.dumps(text, ensure_ascii=False) if is_bare and _FLOW_CHARACTERS.search(text) else text
    )


def flow_key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False) if _FLOW_CHARACTERS.search(key) else _key_text(key)


def _key_text(key: str) -> str:
    return key if _MARK.fullmatch(key) else scalar_text(key)


def fragment(node: Node, indent: str, offset: str, style: str = "") -> Fragment:
    """A value whose lines, if it needs any, stand at `indent`; lists in mappings at `offset`."""
    if node.items or node.elements:
        return Fragment("", tuple(block_lines(node, indent, offset)))
    value = node.value
    if isinstance(value, str) and "\n" in value and fits_block(value):
        head = "|" if value.endswith("\n") else "|-"
        body = value.removesuffix("\n").split("\n")
        return Fragment(head, tuple(f"{indent}{line}" if line else "" for line in body))
    return Fragment(line_text(node, style))


def block_lines(node: Node, indent: str, offset: str) -> Iterator[str]:
    """The members of a mapping or the items of a list, from the beginning of their lines."""
    for key, child in node.items.items():
        yield from member_lines(key, child, indent, offset)
    for item in node.elements:
        yield from item_lines(item, indent, offset)


def member_lines(key: str, node: Node, indent: str, offset: str) -> Iterator[str]:
    below = f"{indent}{offset if node.elements else _STEP}"
    made = fragment(node, below, offset)
    yield f"{indent}{_key_text(key)}:{f' {made.head}' if made.head else ''}"
    yield from made.body


def item_lines(node: Node, indent: str, offset: str) -> Iterator[str]:
    below = f"{indent}{_STEP}"
    made = fragment(node, below, offset)
    if made.head:
        yield f"{indent}- {made.head}"
        yield from made.body
        return
    first, *rest = made.body
    yield f"{indent}- {first[len(below) :]}"
    yield from rest


def line_text(node: Node, style: str = "") -> str:
    """A value without members on one line, in the quotes that stand there if it can be."""
    value = node.value
    if not isinstance(value, str):
        return node.text if node.text and meaning(node.text).value == value else scalar_text(value)
    if style == "'" and value.isprintable() and "'" not in value:
        return f"'{value}'"
    if style == '"' and value.isprintable():
        return json.dumps(value, ensure_ascii=False)
    if "${" in value and scalar_text(bare := _REFERENCE.sub("x", value)) == bare:
        return value
    return scalar_text(value)
