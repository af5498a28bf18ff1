"""What a serve config may hold, by its schema: the order of keys, and what versions know."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from renderer.schema.bundle import Schema, bundled_schema
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

Version = tuple[int, int, int]
_FILE = "shared/ray-serve.json"
_ROOT = "RayServeConfig"


@cache
def serve_schema() -> Schema:
    """The schema of a whole config."""
    return {"$ref": f"#/definitions/{_ROOT}", **bundled_schema(_FILE)}


class VersionedValue(NamedTuple):
    """A key or its value that some versions of Ray do not have, and what they have instead."""

    path: Path
    name: str
    since: str
    until: str
    instead: str

    def is_known_to(self, version: Version) -> bool:
        """Whether a version has it; fixes bring and take nothing."""
        own = version[:2]
        return not (self.since and own < _numbers(self.since)) and not (
            self.until and own > _numbers(self.until)
        )


def versioned_values(tree: Node) -> Iterator[VersionedValue]:
    """All that is in a config and that only some versions know."""
    return _versioned(tree, _resolved(serve_schema()), ())


def _versioned(node: Node, schema: Schema, path: Path) -> Iterator[VersionedValue]:
    words = (part for part in schema.get("anyOf", ()) if node.value in part.get("enum", ()))
    for part in (schema, *words):
        if "x-since" in part or "x-until" in part:
            name = str(path[-1]) if part is schema else f"{path[-1]}: {node.value}"
            marks = (part.get(key, "") for key in ("x-since", "x-until", "x-instead"))
            yield VersionedValue(path, name, *marks)
    for key, child in node.items.items():
        yield from _versioned(child, _member(schema, key), (*path, key))
    for index, child in enumerate(node.elements):
        yield from _versioned(child, _item(schema), (*path, index))


def _numbers(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")))


def ordered(node: Node) -> Node:
    """A config with its keys in the order of the schema, and the user's own data sorted."""
    return _ordered(node, _resolved(serve_schema()))


def _ordered(node: Node, schema: Schema) -> Node:
    if isinstance(node.value, tuple):
        items = _item(schema)
        return node.with_members(tuple(_ordered(child, items) for child in node.value))
    if not isinstance(node.value, dict):
        return node
    known = [key for key in schema.get("properties", ()) if key in node.value]
    others = sorted(node.value.keys() - set(known))
    members = {key: _ordered(node.value[key], _member(schema, key)) for key in (*known, *others)}
    return node.with_members(members)


def _member(schema: Schema, key: str) -> Schema:
    """What the schema says of a member; nothing of the user's own data."""
    return _resolved(schema.get("properties", {}).get(key, {}))


def _item(schema: Schema) -> Schema:
    return _resolved(schema.get("items", {}))


def _resolved(schema: Schema) -> Schema:
    """A part of the schema with all that it refers to."""
    parts = (schema, *schema.get("allOf", ()), *schema.get("anyOf", ()))
    names = (str(part["$ref"]).rpartition("/")[2] for part in parts if "$ref" in part)
    definitions = bundled_schema(_FILE)["definitions"]
    found = (definitions[name] for name in names)
    return {**next(found, {}), **schema}
