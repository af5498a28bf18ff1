"""Keys that stand one mapping too deep or too high: the schema knows them, only not there."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from renderer.schema.bundle import Schema
from renderer.schema.failure import Failure, place_text
from renderer.text.wording import did_you_mean

_ALTERNATIVES = ("anyOf", "oneOf", "allOf")


def enclosing_place(key: str, failure: Failure) -> str:
    """What to do with an unknown key that is one of a mapping around it; nothing otherwise.

    A mapping beside it that knows the key is nearer than one around what is around it.
    """
    levels = list(enumerate(_levels(failure)))
    owners = (
        depth
        for depth, level in reversed(levels)
        if isinstance(failure.path[depth], str) and key in _known_keys(level)  # else it is a list
    )
    depth = next(owners, None)
    if depth is None or (not _is_next(depth, failure) and inner_place(key, failure)):
        return ""
    owner = place_text(failure.path[:depth]) or "the spec itself"
    return f"{key} is a field of {owner}: move it there"


def _is_next(depth: int, failure: Failure) -> bool:
    """Whether no mapping stands between that depth and what is wrong."""
    return all(isinstance(step, int) for step in failure.path[depth + 1 :])


def inner_place(key: str, failure: Failure) -> str:
    """The same for one that exactly one of the mappings beside it knows, or may have."""
    known = failure.schema.get("properties", {})
    inner = [
        name
        for name, part in known.items()
        if key in _known_keys(_alternatives([part], failure.root))
    ]
    inner = [name for name in inner if name in failure.error.instance] or inner
    return did_you_mean(f"{inner[0]}.{key}", str) if len(inner) == 1 else ""


def _levels(failure: Failure) -> Iterator[list[Mapping[str, Any]]]:
    """The schemas on the way from the document to what is wrong, all alternatives of each."""
    current = _alternatives([failure.root], failure.root)
    for step in failure.path:
        yield current
        current = _alternatives(_members(current, step), failure.root)


def _members(schemas: Iterable[Mapping[str, Any]], step: str | int) -> Iterator[Any]:
    for schema in schemas:
        if isinstance(step, int):
            yield schema.get("items")
        else:
            yield schema.get("properties", {}).get(step, schema.get("additionalProperties"))


def _alternatives(schemas: Iterable[Any], root: Schema) -> list[Mapping[str, Any]]:
    """Schemas without their references, each with what it offers a choice of."""
    found: list[Mapping[str, Any]] = []
    waiting = [schema for schema in schemas if isinstance(schema, Mapping)]
    while waiting:
        schema = waiting.pop()
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            waiting.append(root.get("definitions", {}).get(name, {}))
        found.append(schema)
        waiting += (part for key in _ALTERNATIVES for part in schema.get(key, ()))
    return found


def _known_keys(schemas: Iterable[Mapping[str, Any]]) -> set[str]:
    return {key for schema in schemas for key in schema.get("properties", ())}
