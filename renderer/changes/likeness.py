"""When two values are the same, and which items of two lists belong together without a key."""

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from renderer.compose.shapes import Shape
from renderer.kubernetes import quantities
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain

_MOST_COMPARED = 400


class Pair(NamedTuple):
    """The places of an item in both lists; nothing where it is not there."""

    before: int | None
    after: int | None


def pair(before: Sequence[Node], after: Sequence[Node]) -> list[Pair]:
    """The items that differ or have no match; from B to A it gives the pairs of A to B."""
    old, new = ([_token(item) for item in side] for side in (before, after))
    if old > new:
        return [Pair(mine, other) for other, mine in pair(after, before)]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    pairs: list[Pair] = []
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag != "equal":
            gap = range(start, end), range(other_start, other_end)
            pairs += _pairs_in_gap(before, after, *gap)
    return pairs


def _pairs_in_gap(
    before: Sequence[Node], after: Sequence[Node], old: range, new: range
) -> list[Pair]:
    """The items between two equal ones: containers by likeness, other values by their place."""
    pairs = [
        Pair(index, index)
        for index in old
        if index in new and not (_is_container(before[index]) or _is_container(after[index]))
    ]
    pairs += _pairs_by_likeness(
        {index: before[index].plain() for index in old if _is_container(before[index])},
        {index: after[index].plain() for index in new if _is_container(after[index])},
    )
    done = {pair.before for pair in pairs}, {pair.after for pair in pairs}
    pairs += (Pair(index, None) for index in old if index not in done[0])
    pairs += (Pair(None, index) for index in new if index not in done[1])
    return pairs


def _pairs_by_likeness(old: dict[int, Plain], new: dict[int, Plain]) -> list[Pair]:
    """The most alike first, as long as they have something in common."""
    if len(old) * len(new) > _MOST_COMPARED:
        return [Pair(*indexes) for indexes in zip(old, new, strict=False)]
    alike = [(i, j) for i in old for j in new if _share_a_key(old[i], new[j])]
    if len(alike) > 1:
        alike.sort(key=lambda places: (_distance(old[places[0]], new[places[1]]), places))
    pairs: list[Pair] = []
    for i, j in alike:
        if all(pair.before != i and pair.after != j for pair in pairs):
            pairs.append(Pair(i, j))
    return pairs


def _share_a_key(one: Plain, other: Plain) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return not one.keys().isdisjoint(other)
    return isinstance(one, list) and isinstance(other, list)


def _distance(one: Plain, other: Plain) -> float:
    """How unlike two values are: 0 if they are equal, 1 if they have nothing in common."""
    from deepdiff import DeepDiff

    found = DeepDiff(one, other, ignore_order=True, get_deep_distance=True)
    return float(found.get("deep_distance", 0))


def _is_container(node: Node) -> bool:
    return isinstance(node.value, Mapping | tuple)


def _token(node: Node) -> str:
    return json.dumps(node.plain(), sort_keys=True)


def is_identical(before: Node, after: Node) -> bool:
    """The same data written in the same way, whatever it means; most of two states is."""
    old, new = before.value, after.value
    if old is new:
        return True
    if isinstance(old, dict) and isinstance(new, dict):
        same_keys = old.keys() == new.keys()
        return same_keys and all(is_identical(node, new[key]) for key, node in old.items())
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(is_identical, old, new))
    return _is_same_scalar(old, new)


def is_same(before: Node, after: Node, shape: Shape) -> bool:
    """Equal data; quantities by what they amount to, the order of keys means nothing."""
    old, new = before.value, after.value
    if isinstance(old, Mapping):
        return (
            isinstance(new, Mapping)
            and old.keys() == new.keys()
            and all(is_same(node, new[key], shape.member(key)) for key, node in old.items())
        )
    if isinstance(old, tuple):
        return (
            isinstance(new, tuple)
            and len(old) == len(new)
            and all(is_same(*pair, shape.item()) for pair in zip(old, new, strict=True))
        )
    return _is_same_scalar(old, new) or (shape.is_quantity and _is_same_amount(old, new))


def _is_same_scalar(old: object, new: object) -> bool:
    """Unlike in Python, a truth value is no number and 1 is not 1.0."""
    return repr(old) == repr(new)


def _is_same_amount(old: object, new: object) -> bool:
    amounts = [quantities.value(str(item)) for item in (old, new)]
    return None not in amounts and amounts[0] == amounts[1]
