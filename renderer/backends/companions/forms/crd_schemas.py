"""What the API server wants of the schemas in a CRD: that they say the type of everything."""

from collections.abc import Iterator

from renderer.values.diagnostics import Finding, Path
from renderer.values.tree import Node

_INT_OR_STRING, _OPEN = "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"
_TYPES = ("array", "boolean", "integer", "number", "object", "string")
#: Words of JSON Schema that a CRD must not have.
_FORBIDDEN = (
    "$ref", "definitions", "dependencies", "deprecated", "discriminator", "id",
    "patternProperties", "readOnly", "writeOnly", "xml",
)  # fmt: skip
_ROOT = "object"


def schema_findings(schema: Node, path: Path) -> Iterator[Finding]:
    """What is wrong with the schema of a version; a tree is no deeper than its reader allows."""
    if not schema.items:
        return
    kind = schema.get("type")
    if kind and kind.value in _TYPES and kind.value != _ROOT:
        message = f"the schema of a kind is of the type {_ROOT}"
        yield Finding((*path, "type"), message, f"write type: {_ROOT}")
    if "additionalProperties" in schema.items:
        message = "the schema of a kind has properties, and no others"
        fix = f"delete it, or write {_OPEN}: true"
        yield Finding((*path, "additionalProperties"), message, fix, at_key=True)
    yield from _findings(schema, path)


def _findings(schema: Node, path: Path) -> Iterator[Finding]:
    yield from _types(schema, path)
    for word in _FORBIDDEN:
        if word in schema.items:
            message = f"a schema of a CRD has no {word}"
            yield Finding((*path, word), message, "delete it", at_key=True)
    if "properties" in schema.items and "additionalProperties" in schema.items:
        message = "properties and additionalProperties exclude each other"
        yield Finding((*path, "additionalProperties"), message, "keep one of them", at_key=True)
    for inner, place in _inner(schema, path):
        yield from _findings(inner, place)


def _types(schema: Node, path: Path) -> Iterator[Finding]:
    given = schema.get("type")
    is_open = any(_is_true(schema, key) for key in (_INT_OR_STRING, _OPEN))
    if given is None and not is_open:
        message = "the schema does not say the type"
        yield Finding((*path, "type"), message, f"add type, or {_OPEN}: true")
    elif given and given.value == "array" and "items" not in schema.items:
        message = "the schema does not say what is in the list"
        yield Finding((*path, "items"), message, "add items")


def _inner(schema: Node, path: Path) -> Iterator[tuple[Node, Path]]:
    """The schemas of fields, items and values; `additionalProperties: true` is none."""
    properties = schema.get("properties")
    for name, node in (properties.items if properties else {}).items():
        if isinstance(node.value, dict):
            yield node, (*path, "properties", name)
    for key in ("items", "additionalProperties"):
        node_or_none = schema.get(key)
        if node_or_none and isinstance(node_or_none.value, dict):
            yield node_or_none, (*path, key)


def _is_true(schema: Node, key: str) -> bool:
    node = schema.get(key)
    return node is not None and node.value is True
