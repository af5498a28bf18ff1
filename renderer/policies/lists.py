"""Kubernetes' CEL functions of lists and sets."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any


def total(items: Sequence[Any]) -> Any:
    """Of numbers, or of durations."""
    first, *others = items or (0,)
    return sum(others, start=first)


def least(items: Sequence[Any]) -> Any:
    return min(_filled(items, "min"))


def most(items: Sequence[Any]) -> Any:
    return max(_filled(items, "max"))


def is_sorted(items: Sequence[Any]) -> bool:
    return all(before <= after for before, after in pairwise(items))


def first_index(items: Sequence[Any], wanted: Any) -> int:
    return next((n for n, item in enumerate(items) if _equal(item, wanted)), -1)


def last_index(items: Sequence[Any], wanted: Any) -> int:
    return max((n for n, item in enumerate(items) if _equal(item, wanted)), default=-1)


def contains(items: Sequence[Any], others: Sequence[Any]) -> bool:
    return all(any(_equal(item, other) for item in items) for other in others)


def intersects(items: Sequence[Any], others: Sequence[Any]) -> bool:
    return any(_equal(item, other) for item in items for other in others)


def equivalent(items: Sequence[Any], others: Sequence[Any]) -> bool:
    return contains(items, others) and contains(others, items)


def pairs(items: Any) -> list[dict[str, Any]]:
    """The keys and values of a mapping, or the indices and items of a list."""
    if not isinstance(items, Mapping | Sequence) or isinstance(items, str | bytes):
        raise ValueError("no such overload")
    found = items.items() if isinstance(items, Mapping) else enumerate(items)
    return [{"k": key, "v": value} for key, value in found]


def mapping(items: Sequence[Any]) -> dict[Any, Any]:
    return dict(items)


def joined(items: Sequence[Any]) -> dict[Any, Any]:
    """One mapping of several, no two of which share a key."""
    found: dict[Any, Any] = {}
    for item in items:
        for key, value in item.items():
            if key in found:
                raise ValueError(f"insert failed: key {key} already exists")
            found[key] = value
    return found


def _equal(one: Any, other: Any) -> bool:
    """As CEL compares: true is not 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _filled(items: Sequence[Any], name: str) -> Sequence[Any]:
    if not items:
        raise ValueError(f"{name} called on empty list")
    return items
