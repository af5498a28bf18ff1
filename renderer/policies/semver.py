"""Kubernetes' CEL functions of versions, and the comparisons that they share with quantities."""

import re
from collections.abc import Mapping
from typing import Any

from renderer.policies.amounts import amount_of

_KEY = "semver()"
_NUMBER = r"(0|[1-9][0-9]*)"
_PART = r"[0-9A-Za-z-]+"
_FORM = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_PART}(?:\.{_PART})*))?(?:\+{_PART}(?:\.{_PART})*)?"
)
_LOOSE = re.compile(r"v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(.*)")


def semver(text: str, normalize: bool = False) -> dict[str, str]:
    found = _normalized(text) if normalize else text
    if not _is_version(found):
        raise ValueError(f"{text!r} is no semantic version")
    return {_KEY: found.partition("+")[0]}  # versions that differ in their builds are equal


def is_semver(text: str, normalize: bool = False) -> bool:
    return _is_version(_normalized(text) if normalize else text)


def major(item: Any) -> int:
    return _numbers(item)[0]


def minor(item: Any) -> int:
    return _numbers(item)[1]


def patch(item: Any) -> int:
    return _numbers(item)[2]


def is_greater(item: Any, other: Any) -> bool:
    return compare(item, other) > 0


def is_less(item: Any, other: Any) -> bool:
    return compare(item, other) < 0


def compare(item: Any, other: Any) -> int:
    """-1, 0 or 1: of two quantities, or of two versions."""
    one, two = amount_of(item), amount_of(other)
    if one is not None and two is not None:
        return (one > two) - (one < two)
    first, second = _order(item), _order(other)
    return (first > second) - (first < second)


def _is_version(text: str) -> bool:
    """Numbers in a prerelease have no leading zeros either."""
    match = _FORM.fullmatch(text)
    parts = (match[4] or "").split(".") if match else []
    return bool(match) and not any(p.isdigit() and p != "0" and p.startswith("0") for p in parts)


def _normalized(text: str) -> str:
    match = _LOOSE.fullmatch(text)
    if not match:
        return text
    numbers = (str(int(number or 0)) for number in match.group(1, 2, 3))
    return ".".join(numbers) + match[4]


def _match(item: Any) -> "re.Match[str]":
    match = _FORM.fullmatch(item[_KEY]) if isinstance(item, Mapping) and _KEY in item else None
    if match is None:
        raise ValueError("no such overload")
    return match


def _numbers(item: Any) -> tuple[int, int, int]:
    match = _match(item)
    return int(match[1]), int(match[2]), int(match[3])


def _order(item: Any) -> tuple[object, ...]:
    """A prerelease comes before its release; of its parts, numbers come before words."""
    prerelease = _match(item)[4]
    parts = prerelease.split(".") if prerelease else []
    keys = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
    return _numbers(item), prerelease is None, keys
