"""Bare data that remembers where it came from, so that what is made of it has origins.

A platform's way from an applied object to a Deployment is written in terms of bare data: merging,
joining and counting read best so. Texts and numbers that are only copied on that way stay the same
Python objects; here they are objects that know their node. What is computed knows none.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from renderer.values.derivations import DerivedObject
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, Plain


class _Text(str):
    __slots__ = ("node",)
    node: Node


class _Number(int):
    node: Node


class _Fraction(float):
    node: Node


class _Mapping(dict[str, Plain]):
    node: Node


_CLASSES: Mapping[type, type] = {str: _Text, int: _Number, float: _Fraction}


def located(node: Node | None) -> dict[str, Plain]:
    """The data of a mapping, whose texts and numbers remember their nodes; empty if it is none."""
    found = located_value(node) if node else None
    return found if isinstance(found, dict) else {}


def located_value(node: Node) -> Plain:
    """The data of any tree; the mapping around them remembers `true`, `false` and `null`."""
    value = node.value
    if isinstance(value, dict):
        found = _Mapping({key: located_value(child) for key, child in value.items()})
        found.node = node
        return found
    if isinstance(value, tuple):
        return [located_value(child) for child in value]
    known = _CLASSES.get(type(value))
    if known is None:
        return value
    marked: Any = known(value)
    marked.node = node
    return marked  # type: ignore[no-any-return]


def same_place(data: Plain, text: str) -> str:
    """A text that was made of another one, and stands where that does."""
    node: Node | None = getattr(data, "node", None)
    if node is None:
        return text
    marked = _Text(text)
    marked.node = node.with_value(text)
    return marked


def made(
    content: Mapping[str, Plain], maker: str, summary: Sequence[tuple[str, str]] = ()
) -> DerivedObject:
    """An object that a platform makes; what was not copied from anywhere is the platform's own."""
    return DerivedObject(tree_of(dict(content), Origin("", 0, 0, f"set by {maker}")), summary)


def tree_of(data: Plain, origin: Origin) -> Node:
    """The tree of some data: copied values are their own nodes, the rest has an origin."""
    node: Node | None = getattr(data, "node", None)
    if isinstance(data, dict):
        known = node.items if node else {}
        members = {
            key: known[key] if _is_kept(value, known.get(key)) else tree_of(value, origin)
            for key, value in data.items()
        }
        return Node(members, node.origin if node else origin)
    if isinstance(data, list):
        return Node(tuple(tree_of(item, origin) for item in data), origin)
    return node or Node(data, origin)


def _is_kept(value: Plain, node: Node | None) -> bool:
    """Whether a value that cannot remember anything is still the one of its mapping."""
    return (
        node is not None
        and (value is None or value is True or value is False)
        and (node.value is value)
    )
