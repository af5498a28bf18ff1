"""Objects as the rules of their CRD read them: with defaults, and with the types of the schema."""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from renderer.schema.bundle import Schema

_KEYWORDS = frozenset((
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function",
    "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
))  # fmt: skip
_ESCAPES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_ESCAPED = re.compile(r"__|[-./]")
_FIELD = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*")


def escaped(name: str) -> str:
    """What an expression calls a field; one that it cannot name keeps its name."""
    if name in _KEYWORDS:
        return f"__{name}__"
    if not _FIELD.fullmatch(name):
        return name
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], name)


def with_defaults(value: Any, schema: Schema) -> Any:
    """A value as the API server stores it: what a schema has defaults for is there."""
    if isinstance(value, dict):
        return _filled(value, schema)
    items = schema.get("items")
    if isinstance(value, list) and isinstance(items, dict):
        return [with_defaults(item, items) for item in value]
    return value


def _filled(value: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    fields = schema.get("properties") or {}
    others = schema.get("additionalProperties")
    found: dict[str, Any] = {}
    for key, item in value.items():
        part = fields.get(key, others)
        if not isinstance(part, dict):
            found[key] = item
        elif item is not None or "default" not in part or part.get("nullable"):
            found[key] = with_defaults(item, part)
    for key, part in fields.items():
        if key not in found and isinstance(part, dict) and "default" in part:
            found[key] = with_defaults(part["default"], part)
    return found


def typed_value(value: Any, schema: Schema) -> Any:
    """A value as expressions read it.

    Numbers of the type `number` are never whole, texts of the format `byte` are bytes, fields have
    the names that an expression can write, and one that is null is not there.
    """
    if value is None or schema.get("x-kubernetes-int-or-string"):
        return value
    kind = schema.get("type")
    if kind == "object" and isinstance(value, dict):
        return _typed_members(value, schema)
    if kind == "array" and isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [typed_value(item, schema["items"]) for item in value]
    if kind == "number" and isinstance(value, int):
        return float(value)
    if kind == "string" and schema.get("format") == "byte":
        with suppress(Error, ValueError):
            return b64decode(value, validate=True)
    return value


def _typed_members(value: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    fields, others = schema.get("properties"), schema.get("additionalProperties")
    if fields or schema.get("x-kubernetes-embedded-resource"):
        known = fields or {}
        return {
            escaped(key): typed_value(item, known.get(key, {}))
            for key, item in value.items()
            if item is not None
        }
    if isinstance(others, dict):
        return {key: typed_value(item, others) for key, item in value.items()}
    return dict(value)
