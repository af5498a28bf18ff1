"""Lists that are sets or maps by their schema, and texts that are durations or times."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from renderer.kubernetes.quantities import nanoseconds


def is_same(one: Any, other: Any, shape: str) -> bool:
    """Whether two values are equal; the order of some lists says nothing."""
    parts = _read(shape)
    return bool(_ordered(one, parts) == _ordered(other, parts))


def merged(one: Sequence[Any], other: Sequence[Any], keys: str) -> list[Any]:
    """The items of one list, in whose places are those of another with the same keys."""
    names = _read(keys)
    found = {_key(item, names): item for item in (*one, *other)}
    return list(found.values())


def duration(text: str) -> timedelta:
    found = nanoseconds(text)
    if found is None:
        raise ValueError(f"Invalid duration {text}")
    return timedelta(microseconds=found / 1000)


def durations(texts: Sequence[str]) -> list[timedelta]:
    return [duration(text) for text in texts]


def time(text: str) -> datetime:
    """A date, or a date with a time; one without a zone is UTC."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def times(texts: Sequence[str]) -> list[datetime]:
    return [time(text) for text in texts]


def milliseconds(item: timedelta) -> int:
    return int(item / timedelta(milliseconds=1))


def milliseconds_of_second(item: datetime) -> int:
    return item.microsecond // 1000


@cache
def _read(text: str) -> Any:
    return json.loads(text)


def _key(item: Any, names: Sequence[str]) -> Any:
    return json.dumps([item.get(name) for name in names]) if names else item


def _ordered(value: Any, shape: Mapping[str, Any]) -> Any:
    """A value with those lists in one order."""
    if isinstance(value, Mapping):
        fields, others = shape.get("fields", {}), shape.get("additionalProperties", {})
        return {key: _ordered(item, fields.get(key, others)) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        items = [_ordered(item, shape.get("items", {})) for item in value]
        return sorted(items, key=_as_text) if shape.get("unordered") else items
    return value


def _as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=repr)
