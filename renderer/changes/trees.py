"""Two trees: every place where they differ, and a tree in which one difference is undone."""

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from renderer.changes.likeness import Pair, is_identical, is_same, pair
from renderer.compose.merge import Key, items_by_key, label
from renderer.compose.shapes import Shape
from renderer.schema.bundle import bundled_schema
from renderer.text.yaml_reader import read
from renderer.values.changes import Change, How
from renderer.values.diagnostics import Path
from renderer.values.tree import Node, Plain, uniform_tree

_UNDESCRIBED = Shape({}, {})


@cache
def shape_of(schema: str) -> Shape:
    """How items of lists in objects with a schema are recognised; unknown without a schema."""
    described = bundled_schema(schema) if schema else {}
    return Shape(described, described)


def differences(
    before: Node, after: Node, shape: Shape = _UNDESCRIBED, path: Path = ()
) -> Iterator[Change]:
    """The changes from one tree to the other; from B to A they are at the paths of A to B."""
    if is_identical(before, after):
        return
    old, new = before.value, after.value
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _member_differences(old, new, shape, path)
    elif isinstance(old, tuple) and isinstance(new, tuple) and not _are_scalars(*old, *new):
        item_differences = _keyed_differences if shape.list_key else _unkeyed_differences
        yield from item_differences(before, after, shape, path)
    elif isinstance(old, str) and isinstance(new, str) and not is_same(before, after, shape):
        yield from _text_differences(before, after, shape, path)
    elif not is_same(before, after, shape):
        yield Change(path, How.CHANGED, before, after)


def _are_scalars(*items: Node) -> bool:
    """Whether a list has only plain values, as a command does: it is compared as a whole."""
    return not any(isinstance(item.value, Mapping | tuple) for item in items)


def _member_differences(
    old: Mapping[str, Node], new: Mapping[str, Node], shape: Shape, path: Path
) -> Iterator[Change]:
    for key in sorted({*old, *new}):
        place = (*path, key)
        if key not in new:
            yield Change(place, How.REMOVED, old[key], None)
        elif key not in old:
            yield Change(place, How.ADDED, None, new[key])
        else:
            yield from differences(old[key], new[key], shape.member(key), place)


def _keyed_differences(before: Node, after: Node, shape: Shape, path: Path) -> Iterator[Change]:
    """Items by their keys, wherever they stand in the list."""
    old, new = items_by_key(before, shape), items_by_key(after, shape)
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    for one, other in _renamed_items(gone, come, (before, after), shape):
        yield Change(path, How.RENAMED, old[one], new[other])
        gone.remove(one)
        come.remove(other)
    common = [key for key in old if key in new]
    orders = [[label(key) for key in side if key in common] for side in (old, new)]
    if orders[0] != orders[1]:
        was, becomes = _name_list(orders[0], before), _name_list(orders[1], after)
        yield Change(path, How.MOVED, was, becomes)
    for key in sorted((*gone, *come, *common), key=str):
        place = (*path, label(key))
        if key in gone:
            yield Change(place, How.REMOVED, old[key], None)
        elif key in come:
            yield Change(place, How.ADDED, None, new[key])
        else:
            yield from differences(old[key], new[key], shape.item(), place)


def _name_list(names: list[str], side: Node) -> Node:
    return uniform_tree([*names], side.origin)


def _renamed_items(
    gone: list[Key], come: list[Key], sides: tuple[Node, Node], shape: Shape
) -> Iterator[tuple[Key, Key]]:
    """Items that are the same but for their keys, if it is clear which is which."""
    old, new = (items_by_key(side, shape) for side in sides)
    for one in [*gone]:
        rest = _keyless_item(old[one], shape)
        alike = [key for key in come if is_same(rest, _keyless_item(new[key], shape), shape.item())]
        others = [
            key for key in gone if is_same(rest, _keyless_item(old[key], shape), shape.item())
        ]
        if rest.items and len(alike) == len(others) == 1:
            yield one, alike[0]


def _keyless_item(item: Node, shape: Shape) -> Node:
    kept = {key: node for key, node in item.items.items() if key not in shape.list_key}
    return item._replace(value=kept)


def _unkeyed_differences(before: Node, after: Node, shape: Shape, path: Path) -> Iterator[Change]:
    """Items by their likeness; a number that differs between both sides is the smaller one."""
    for indexes in sorted(pair(before.elements, after.elements), key=_order):
        one = before.elements[indexes.before] if indexes.before is not None else None
        other = after.elements[indexes.after] if indexes.after is not None else None
        place = (*path, _order(indexes)[0])
        if one and other:
            yield from differences(one, other, shape.item(), place)
        else:
            yield Change(place, How.ADDED if other else How.REMOVED, one, other)


def _order(indexes: Pair) -> tuple[int, bool]:
    """By their number, what goes before what comes."""
    return min(index for index in indexes if index is not None), indexes.before is None


def _text_differences(before: Node, after: Node, shape: Shape, path: Path) -> Iterator[Change]:
    """Texts that hold data, by that data; equal data in another form is a change of its own."""
    old, new = _data_in_text(before, shape), _data_in_text(after, shape)
    if old is None or new is None:
        yield Change(path, How.CHANGED, before, after)
        return
    found = list(differences(old, new, shape.yaml_document or _UNDESCRIBED, path))
    yield from found or [Change(path, How.CHANGED, before, after, texts_only=True)]


def _data_in_text(node: Node, shape: Shape) -> Node | None:
    """The data in a text that holds JSON, or YAML where a schema says so; all from its place."""
    text = str(node.value)
    if shape.yaml_document:
        tree = yaml_data(text)
        return uniform_tree(tree.plain(), node.origin) if tree else None
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        data: Plain = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return uniform_tree(data, node.origin)


@lru_cache(maxsize=4)
def yaml_data(text: str) -> Node | None:
    """The data in a text that holds YAML; nothing if there is none, or readers may disagree."""
    reading = read(text.encode("utf-8", "replace"), "")
    tree = None if reading.problems else reading.document.tree
    return tree if tree and tree.value else None


def _refuse_constant(name: str) -> None:
    """JSON knows no NaN and no infinity."""
    raise ValueError(name)


def revert_change(after: Node, before: Node, path: Path, shape: Shape) -> Node:
    """The new tree with what was at a path before.

    Where a path leads into a text, or to an item of a list that has no key, the whole text or list
    is the old one.
    """
    if not path:
        return before
    head, rest = path[0], path[1:]
    if isinstance(after.value, dict) and isinstance(before.value, dict):
        old, new = before.items, after.items
        members = _put_back(new, old, str(head), rest, shape.member(str(head)))
        return after.with_members(members)
    if after.elements and before.elements and shape.list_key and str(head).startswith("["):
        old_items, new_items = (
            {label(key): item for key, item in items_by_key(side, shape).items()}
            for side in (before, after)
        )
        members = _put_back(new_items, old_items, str(head), rest, shape.item())
        return after.with_members(tuple(members.values()))
    return before


def _put_back(
    new: dict[str, Node], old: dict[str, Node], key: str, rest: Path, shape: Shape
) -> dict[str, Node]:
    """The new members with the old one of a key, or without it if there was none."""
    if key not in old:
        return {name: node for name, node in new.items() if name != key}
    if key not in new:
        return {**new, key: old[key]}
    return {**new, key: revert_change(new[key], old[key], rest, shape)}
