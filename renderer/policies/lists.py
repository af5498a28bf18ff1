"""Kubernetes' CEL functions of lists and sets."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any


def total(items: Sequence[Any]) -> Any:
    return sum(items) if items else 0


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


def _equal(one: Any, other: Any) -> bool:
    """As CEL compares: true is not 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _filled(items: Sequence[Any], name: str) -> Sequence[Any]:
    if not items:
        raise ValueError(f"{name} called on empty list")
    return items
