"""The keys of a mapping that its schema does not know, and what was meant by them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from renderer.text.wording import nearest

_MOST_HINTS = 20


def unknown_keys(instance: Iterable[str], schema: Mapping[str, Any]) -> dict[str, str]:
    """Each unknown key with the known one that was probably meant, or nothing."""
    known = schema.get("properties", {})
    patterns = [re.compile(pattern) for pattern in schema.get("patternProperties", {})]
    unknown = [
        key
        for key in instance
        if key not in known and not any(pattern.search(key) for pattern in patterns)
    ]
    return {
        key: nearest(key, known) if count < _MOST_HINTS else "" for count, key in enumerate(unknown)
    }


def misspelt_keys(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> set[str]:
    """The required keys that are missing because another spelling of them is there."""
    missing = set(schema.get("required", ())).difference(instance)
    return missing.intersection(unknown_keys(instance, schema).values()) if missing else set()
