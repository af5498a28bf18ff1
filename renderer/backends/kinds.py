"""Which kinds of spec there are, whose they are, and what they must look like."""

from collections.abc import Collection
from functools import cache
from typing import Any

from renderer.backends import BACKENDS
from renderer.backends.base import Backend, KindFunctions
from renderer.schema.bundle import Schema, bundled, pruned
from renderer.schema.file_schemas import authoring
from renderer.values.model import Environment, Kind, Spec

API_VERSION = "serving.gitops/v1"
_KINDS = {kind.name: kind for backend in BACKENDS for kind in backend.kinds}
_OWNERS = {kind.name: backend for backend in BACKENDS for kind in backend.kinds}
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
def functions_of(kind: str) -> KindFunctions:
    """What can be done with specs of a kind."""
    return _OWNERS[kind].load().kinds[kind]


def owner_of(kind: str) -> Backend:
    """The backend that a kind belongs to."""
    return _OWNERS[kind]


def backends_of(environment: Environment) -> list[Backend]:
    """The backends that may have something in an environment, in the order of the registry."""
    platforms = {item.platform for item in environment.destinations}
    return [backend for backend in BACKENDS if backend.platform in platforms]


def used_specs(spec: Spec, environment: Environment) -> list[Spec]:
    """The specs of an environment that a spec refers to."""
    references = functions_of(spec.kind.name).references(spec)
    found = (environment.named(item.kind, item.name) for item in references)
    return [item for item in found if item]


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
    platforms = dict.fromkeys(backend.platform for backend in BACKENDS)
    destinations = [_destination(platform, definitions) for platform in platforms]
    items = {"anyOf": destinations} if len(destinations) > 1 else destinations[0]
    properties["destinations"] = {**properties["destinations"], "items": items}
    for backend in BACKENDS:
        properties[backend.name] = _part(backend.settings_schema, definitions)
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


def _destination(platform: str, definitions: Schema) -> Schema:
    """What all backends of a platform say of its destinations, together."""
    first, *others = (
        _part(backend.destination_schema, definitions)
        for backend in BACKENDS
        if backend.platform == platform
    )
    properties = dict(first["properties"])
    for other in others:
        for key, schema in other["properties"].items():
            if properties.setdefault(key, schema) != schema:
                raise ValueError(f"two backends of {platform} disagree about {key!r}")
    required = [key for part in (first, *others) for key in part.get("required", ())]
    return {**first, "properties": properties, "required": list(dict.fromkeys(required))}


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
