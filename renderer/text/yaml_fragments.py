"""New values for a YAML text that people wrote: a piece for a line, or lines of their own."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from renderer.text.expressions import expression
from renderer.text.scalars import meaning
from renderer.text.yaml_writer import fits_block, scalar_text
from renderer.values.tree import Node

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
