"""An object as it would be without one of its changes."""

from renderer.compose.merge import items_by_key, label
from renderer.compose.shapes import Shape
from renderer.values.diagnostics import Path
from renderer.values.tree import Node


def without_change(after: Node, before: Node, path: Path, shape: Shape) -> Node:
    """The new tree with what was at a path before.

    Where a path leads into a text, or to an item of a list that has no key, the whole text or list
    is the old one.
    """
    if not path:
        return before
    head, rest = path[0], path[1:]
    if isinstance(after.value, dict) and isinstance(before.value, dict):
        old, new = before.items, after.items
        members = _replaced(new, old, str(head), rest, shape.member(str(head)))
        return after.with_members(members)
    if after.elements and before.elements and shape.list_key and str(head).startswith("["):
        olds, news = (
            {label(key): item for key, item in items_by_key(side, shape).items()}
            for side in (before, after)
        )
        members = _replaced(news, olds, str(head), rest, shape.item())
        return after.with_members(tuple(members.values()))
    return before


def _replaced(
    new: dict[str, Node], old: dict[str, Node], key: str, rest: Path, shape: Shape
) -> dict[str, Node]:
    """The new members with the old one of a key, or without it if there was none."""
    if key not in old:
        return {name: node for name, node in new.items() if name != key}
    if key not in new or not rest:
        return {**new, key: old[key]}
    return {**new, key: without_change(new[key], old[key], rest, shape)}
