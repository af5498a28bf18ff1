"""One failure of a schema: where it is, and keys that stand one mapping too deep or too high."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from renderer.schema.bundle import Schema
from renderer.text.wording import did_you_mean, path_text, visible
from renderer.values.diagnostics import Origin, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_LONGEST_VALUE = 60


class Failure(NamedTuple):
    """One error of a validator, the tree it was found in, and the schema of the whole tree."""

    error: Any
    tree: Node
    root: Schema

    @property
    def path(self) -> Path:
        return tuple(self.error.absolute_path)

    @property
    def schema(self) -> Mapping[str, Any]:
        return self.error.schema if isinstance(self.error.schema, Mapping) else {}

    @property
    def subject(self) -> str:
        return place_text(self.path) or "the document"

    @property
    def value(self) -> str:
        """What stands there, as it was written."""
        value = self.error.instance
        if isinstance(value, dict | list):
            return "a mapping" if isinstance(value, dict) else "a list"
        node = self.tree.get(*self.path)
        return "empty" if value is None else (node and node.text) or shown(value)

    @property
    def here(self) -> Origin:
        return self.tree.locate(self.path)

    @property
    def expects(self) -> str:
        """What should stand there; how to write it is left to the fix if there is no other."""
        expects = str(self.schema.get("x-expects", ""))
        return expects if "x-fix" in self.schema else expects.partition(": ")[0]

    @property
    def why(self) -> str:
        return str(self.schema.get("x-why", ""))

    @property
    def fix(self) -> str:
        name, _, form = str(self.schema.get("x-expects", "")).partition(": ")
        return str(self.schema.get("x-fix", f"write {form or name}" if name else ""))


def texts_of(allowed: Iterable[Any]) -> list[str]:
    return [i if isinstance(i, str) else shown(i) for i in allowed if i not in ("", None)]


def place_text(path: Iterable[str | int]) -> str:
    shown = (_cut(visible(part)) if isinstance(part, str) else part for part in path)
    return path_text(tuple(shown))


def shown(value: Any) -> str:
    """A value as it may be printed: one line, escaped, cut."""
    text = visible(json.dumps(value, ensure_ascii=False))
    return f'"{_cut(text[1:-1])}"' if isinstance(value, str) else _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


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
