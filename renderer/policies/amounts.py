"""Kubernetes' CEL functions of quantities: `quantity("1Gi")` and what can be asked of one.

The API server keeps an amount as a whole number of some unit only if it is written so: it calls
neither `1000m` nor `1.0` an integer. That is remembered as 1 or 1.0, which are equal in CEL: two
quantities of the same amount are.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from renderer.kubernetes.quantities import value

_KEY, _WHOLE = "quantity()", "whole"
_FORM = re.compile(r"[+-]?0*([0-9]*)(\.[0-9]*)?(.*)")
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"n": -9, "u": -6, "m": -3}
#: Digits of an amount that the API server computes with as a number.
_DIGITS, _BINARY_DIGITS = 18, 14
_DIGITS_A_BIT = 0.3
_WORDS = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
Quantity = dict[str, str | float]
_MOST, _LEAST = 2**63 - 1, -(2**63)


def quantity(text: str) -> Quantity:
    amount = value(text)
    if amount is None:
        raise ValueError(_WORDS)
    return _made(amount, is_whole=_is_whole(text))


def _is_whole(text: str) -> bool:
    """Whether the API server keeps an amount that is written so as a whole number."""
    match = _FORM.fullmatch(text)
    digits, fraction, unit = match.groups() if match else ("", None, "")
    if unit in _BINARY:
        return not fraction and len(digits) + int(_BINARY[unit] * _DIGITS_A_BIT) <= _BINARY_DIGITS
    exponent = int(unit[1:]) if unit[1:] else _DECIMAL.get(unit, 0)
    places = len(fraction or ".") - 1
    known = {"k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}.get(unit, exponent)
    return len(digits) + places <= _DIGITS and known >= places


def is_quantity(text: str) -> bool:
    return value(text) is not None


def amount_of(item: Any) -> Decimal | None:
    """What a quantity amounts to; nothing of any other value."""
    return Decimal(item[_KEY]) if isinstance(item, Mapping) and _KEY in item else None


def sign(item: Any) -> int:
    amount = _amount(item)
    return (amount > 0) - (amount < 0)


def is_integer(item: Any) -> bool:
    return isinstance(item[_WHOLE], int) and _LEAST <= _amount(item) <= _MOST


def as_integer(item: Any) -> int:
    if not is_integer(item):
        raise ValueError("cannot convert value to integer")
    return int(_amount(item))


def as_float(item: Any) -> float:
    mantissa, _, exponent = f"{_amount(item).normalize():E}".partition("E")
    whole, _, places = mantissa.partition(".")
    return float(int(whole + places) * 10.0 ** (int(exponent) - len(places)))


def add(item: Any, other: Any) -> Quantity:
    return _sum(item, other, 1)


def subtract(item: Any, other: Any) -> Quantity:
    return _sum(item, other, -1)


def _sum(item: Any, other: Any, factor: int) -> Quantity:
    if isinstance(other, int):
        other = _made(Decimal(other), is_whole=True)
    is_whole = isinstance(item[_WHOLE], int) and isinstance(other[_WHOLE], int)
    return _made(_amount(item) + factor * _amount(other), is_whole=is_whole)


def _amount(item: Any) -> Decimal:
    amount = amount_of(item)
    if amount is None:
        raise ValueError("no such overload")
    return amount


def _made(amount: Decimal, *, is_whole: bool) -> Quantity:
    return {_KEY: format(amount.normalize(), "f"), _WHOLE: 1 if is_whole else 1.0}
