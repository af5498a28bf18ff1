"""A serve config as a tree: read from a mapping or a YAML text, ordered by its schema, written."""

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from renderer.backends.kuberay.yaml_config import Subject, YamlConfig, read_config
from renderer.schema.bundle import Schema, bundled_schema, resolve_references
from renderer.schema.versions import Span, VersionedSchema, VersionedValue
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

#: A mapping is checked with the spec that it is a part of.
ServeConfig: TypeAlias = YamlConfig
_SUBJECT = Subject("the serve config", "write a mapping: applications, and a list of them")
Version = tuple[int, int, int]
_FILE = "shared/ray-serve.json"
_ROOT = "RayServeConfig"


def read_serve_config(node: Node, path: Path) -> ServeConfig:
    """The config at a path of a spec."""
    return read_config(node, path, _SUBJECT, serve_schema())


@cached_by_identity
def config_text(config: ServeConfig) -> Node:
    """The text of the object: the spec's own byte for byte, or what a mapping is written as."""
    if config.is_text:
        return config.source
    return config.source.with_value(write(order_keys(config.tree)))


@cache
def serve_schema() -> Schema:
    """The schema of a whole config."""
    return {"$ref": f"#/definitions/{_ROOT}", **bundled_schema(_FILE)}


def versioned_values(tree: Node) -> Iterator[VersionedValue]:
    """All that is in a config and that only some versions of Ray know."""
    return VersionedSchema("Ray", _FILE, _ROOT).values_in(tree)


def is_in_span(version: Version, span: Span) -> bool:
    """Whether a version is among those of a span; fixes bring and take nothing."""
    return span.first <= version[:2] and not (span.last and version[:2] > span.last)


def order_keys(node: Node) -> Node:
    """A config with its keys in the order of the schema, and the user's own data sorted."""
    return _order(node, _resolve(serve_schema()))


def _order(node: Node, schema: Schema) -> Node:
    if isinstance(node.value, tuple):
        items = _resolve(schema.get("items", {}))
        return node.with_members(tuple(_order(child, items) for child in node.value))
    if not isinstance(node.value, dict):
        return node
    known = [key for key in schema.get("properties", ()) if key in node.value]
    others = sorted(node.value.keys() - set(known))
    members = {
        key: _order(node.value[key], _member_schema(schema, key)) for key in (*known, *others)
    }
    return node.with_members(members)


def _member_schema(schema: Schema, key: str) -> Schema:
    """The schema of a member; empty for the user's own data."""
    return _resolve(schema.get("properties", {}).get(key, {}))


def _resolve(schema: Schema) -> Schema:
    return resolve_references(schema, bundled_schema(_FILE)["definitions"])
