"""Kubernetes' CEL functions of quantities: `quantity("1Gi")` and what can be asked of one."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from renderer.kubernetes.quantities import value

_KEY = "quantity()"
_MOST, _LEAST = 2**63 - 1, -(2**63)


def quantity(text: str) -> dict[str, str]:
    amount = value(text)
    if amount is None:
        raise ValueError(f"{text!r} is no quantity")
    return _made(amount)


def is_quantity(text: str) -> bool:
    return value(text) is not None


def amount_of(item: Any) -> Decimal | None:
    """What a quantity amounts to; nothing of any other value."""
    return Decimal(item[_KEY]) if isinstance(item, Mapping) and _KEY in item else None


def sign(item: Any) -> int:
    amount = _amount(item)
    return (amount > 0) - (amount < 0)


def is_integer(item: Any) -> bool:
    amount = _amount(item)
    return amount == amount.to_integral_value() and _LEAST <= amount <= _MOST


def as_integer(item: Any) -> int:
    if not is_integer(item):
        raise ValueError("cannot convert value to integer")
    return int(_amount(item))


def as_float(item: Any) -> float:
    return float(_amount(item))


def add(item: Any, other: Any) -> dict[str, str]:
    return _made(_amount(item) + _addend(other))


def subtract(item: Any, other: Any) -> dict[str, str]:
    return _made(_amount(item) - _addend(other))


def _addend(item: Any) -> Decimal:
    return Decimal(item) if isinstance(item, int) else _amount(item)


def _amount(item: Any) -> Decimal:
    amount = amount_of(item)
    if amount is None:
        raise ValueError("no such overload")
    return amount


def _made(amount: Decimal) -> dict[str, str]:
    return {_KEY: format(amount.normalize(), "f")}
