"""Which kinds of spec there are, whose they are, and what they must look like."""

from collections.abc import Collection
from functools import cache
from typing import Any

from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.schema.bundle import Schema, bundled, pruned
from renderer.schema.file_schemas import authoring
from renderer.values.model import Kind

API_VERSION = "serving.gitops/v1"
OWNERS: dict[str, Backend] = {
    kind.name: backend for backend in BACKENDS.values() for kind in backend.KINDS
}
PLATFORMS = {kind.name: name for name, backend in BACKENDS.items() for kind in backend.KINDS}
_KINDS = {kind.name: kind for backend in BACKENDS.values() for kind in backend.KINDS}
ENVIRONMENT = Kind(
    "Environment",
    "spec/environment.json",
    text_files=tuple(
        place._replace(path=("defaults", kind.name, *place.path))
        for kind in _KINDS.values()
        for place in kind.text_files
    ),
    data_keys=frozenset(key for kind in _KINDS.values() for key in kind.data_keys),
)
KINDS: dict[str, Kind] = {ENVIRONMENT.name: ENVIRONMENT, **_KINDS}


@cache
def strict_schema(kind: str) -> Schema:
    """What a composed spec of a kind must look like."""
    return environment_schema(frozenset(_KINDS)) if kind == ENVIRONMENT.name else _bare(kind)


@cache
def authoring_schema(kind: str) -> Schema:
    """What one file of a kind may say; this is what editors get."""
    return authoring(strict_schema(kind))


@cache
def file_schema(kind: str) -> Schema:
    """The same, to judge a file by: without definitions that nothing refers to."""
    return authoring(pruned(strict_schema(kind)))


@cache
def name_schema(kind: str) -> Schema:
    """What the name of a spec must look like, where it stands alone."""
    schema, field = strict_schema(kind), KINDS[kind].name_field
    properties = {field: schema["properties"][field]}
    return {"properties": properties, "definitions": schema.get("definitions", {})}


@cache
def environment_schema(kinds: Collection[str]) -> Schema:
    """What a composed environment must look like that has defaults for these kinds only.

    It has what platforms and kinds add; a kind adds much, and most runs need few of them.
    """
    schema = _bare(ENVIRONMENT.name)
    properties = dict(schema["properties"])
    definitions: Schema = {}
    destinations = [_part(b.DESTINATION_SCHEMA, definitions) for b in BACKENDS.values()]
    items = {"anyOf": destinations} if len(destinations) > 1 else destinations[0]
    properties["destinations"] = {**properties["destinations"], "items": items}
    for platform, backend in BACKENDS.items():
        properties[platform] = _part(backend.SETTINGS_SCHEMA, definitions)
    named = (kind for name, kind in _KINDS.items() if name in kinds)
    defaults = {kind.name: _default(kind, definitions) for kind in named}
    properties["defaults"] = {
        **properties["defaults"],
        "properties": defaults,
        "additionalProperties": False,
    }
    return {**schema, "properties": properties, "definitions": definitions}


def _bare(kind: str) -> Schema:
    return bundled(KINDS[kind].schema)


def _part(name: str, definitions: Schema) -> Schema:
    """A schema to be put into another; what it refers to goes with the definitions there."""
    schema = bundled(name)
    definitions.update(schema.get("definitions", {}))
    return {key: value for key, value in schema.items() if key not in ("$schema", "definitions")}


def _default(kind: Kind, definitions: Schema) -> Schema:
    """What may be said of all specs of a kind: anything but what makes it one spec."""
    schema = authoring_schema(kind.name)
    names = {name: f"{kind.name}.{name}" for name in schema.get("definitions", {})}
    schema = _renamed(schema, names)
    definitions.update({names[k]: v for k, v in schema.pop("definitions", {}).items()})
    own = ("apiVersion", "kind", "disabled", kind.name_field)
    properties = {key: value for key, value in schema["properties"].items() if key not in own}
    return {**schema, "properties": properties}


def _renamed(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_renamed(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"$ref": f"#/definitions/{names[schema['$ref'].rpartition('/')[2]]}"}
    return {key: _renamed(value, names) for key, value in schema.items() if key != "$schema"}
