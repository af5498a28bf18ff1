"""Kubernetes' CEL functions of lists and sets."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

#: The end of what is said where Kubernetes has an answer and this engine cannot give it.
LACKING = "not evaluated here"


def total(items: Sequence[Any]) -> Any:
    if any(isinstance(item, str | bytes | bool) for item in items):
        raise ValueError("no such overload")
    return sum(_timeless(items))


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
    return _timeless(items)


def _timeless(items: Sequence[Any]) -> Sequence[Any]:
    """The engine takes no duration and no time from a function that may give anything."""
    if any(isinstance(item, timedelta | datetime) for item in items):
        raise ValueError(f"sums, least and most of durations or times are {LACKING}")
    return items
