"""Which object of one state is which of the other, and what differs."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from renderer.changes.likeness import is_same
from renderer.changes.trees import differences, shape_of
from renderer.compose.shapes import Shape
from renderer.values.changes import ObjectChange
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.tree import Node, drop_paths

_Pair: TypeAlias = tuple[Manifest | None, Manifest | None]
_NAMELESS = Shape({}, {})


class _Unmatched(NamedTuple):
    gone: list[Manifest]
    come: list[Manifest]


def changed_objects(
    before: Iterable[Manifest], after: Iterable[Manifest]
) -> Iterator[ObjectChange]:
    """Every object that differs, in order of its place; objects are known by their identity."""
    old, new = ({_place(item): item for item in side} for side in (before, after))
    left = _Unmatched(
        [item for place, item in old.items() if place not in new],
        [item for place, item in new.items() if place not in old],
    )
    pairs: list[_Pair] = [(item, new[place]) for place, item in old.items() if place in new]
    pairs += _renamed_pairs(left, _is_same_spec)
    pairs += _renamed_pairs(left, _is_same_content)
    pairs += ((item, None) for item in left.gone)
    pairs += ((None, item) for item in left.come)
    for one, other in sorted(pairs, key=_order):
        if change := _change(one, other):
            yield change


def _place(item: Manifest) -> tuple[str, str, str]:
    return item.environment, item.destination, item.identity


def _order(pair: _Pair) -> tuple[str, ...]:
    one, other = pair
    first = other or one
    return _place(first) if first else ()


def _renamed_pairs(
    left: _Unmatched, is_alike: Callable[[Manifest, Manifest], bool]
) -> Iterator[_Pair]:
    """Objects that went and came in one place, if it is clear which is which."""
    for one in [*left.gone]:
        found = [item for item in left.come if _is_same_sort(one, item) and is_alike(one, item)]
        rivals = [item for item in left.gone for other in found if _is_same_sort(item, other)]
        rivals = [item for item in rivals if is_alike(item, found[0])]
        if len(found) == len(rivals) == 1:
            left.gone.remove(one)
            left.come.remove(found[0])
            yield one, found[0]


def _is_same_sort(one: Manifest, other: Manifest) -> bool:
    return (one.environment, one.destination, one.schema, one.spec.kind.name) == (
        other.environment,
        other.destination,
        other.schema,
        other.spec.kind.name,
    )


def _is_same_spec(one: Manifest, other: Manifest) -> bool:
    return one.spec.stem == other.spec.stem


def _is_same_content(one: Manifest, other: Manifest) -> bool:
    """Whether a spec was only given another name, as when its file was renamed."""
    old, new = (_unnamed_tree(item) for item in (one, other))
    return bool(old.items) and is_same(old, new, _NAMELESS)


def _unnamed_tree(item: Manifest) -> Node:
    return drop_paths(item.spec.tree, {item.spec.kind.name_path})


def _change(before: Manifest | None, after: Manifest | None) -> ObjectChange | None:
    present = after or before
    if present is None:
        return None
    place = present.environment, present.destination
    if not before or not after:
        return ObjectChange(*place, before, after)
    if before.text == after.text:
        return None
    changes = tuple(differences(before.tree, after.tree, shape_of(present.schema)))
    return ObjectChange(*place, before, after, changes) if changes else None
