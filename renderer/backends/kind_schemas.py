"""What specs of each kind must look like, and environments, which have settings of all of them."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any

from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.backends.kinds import ENVIRONMENT, REGISTERED, kind_called, require_kind
from renderer.schema.bundle import Schema, bundled_schema, prune_definitions
from renderer.schema.file_schemas import authoring
from renderer.text.wording import listed
from renderer.values.diagnostics import OWN_CODE
from renderer.values.kinds import DROP, Kind
from renderer.values.tree import Node

_ABOUT_DESTINATIONS = (
    "Where output goes: one entry, one output folder and one GitOps application for each {}."
)
_ANY_DESTINATION = "shared/destination.json"
_ABOUT_DROPPING = {
    "description": "true takes this spec, which an environment above has, out of this environment. "
    "Every kind has this field.",
    "type": "boolean",
    "default": False,
}
#: Of the defaults of a kind that is not spoken of.
_UNSEEN: Schema = {"description": "Defaults of a kind."}
#: Families of the core's rules; that of reading, shapes and manifests cannot be changed.
_CHANGEABLE = ("ENG", "ENV", "IMP", "POL", "REF", "SEC")
#: A rule of such a family that can be changed: it depends on how objects are applied.
CHANGEABLE_ALONE = "MAN015"


@cache
def strict_schema(kind: str) -> Schema:
    """What a composed spec of a kind must look like."""
    return environment_schema(frozenset(REGISTERED)) if kind == ENVIRONMENT.name else _bare(kind)


def description_schema(tree: Node) -> Schema:
    """What the description of an environment must look like, of which nothing else is said."""
    return environment_schema(_defaulted_kinds(tree))


@cache
def authoring_schema(kind: str) -> Schema:
    """What one file of a kind may say; this is what editors get."""
    return authoring(strict_schema(kind))


def file_schema(kind: str, tree: Node) -> Schema:
    """The same, to judge a file by: without what it does not mention."""
    if kind == ENVIRONMENT.name:
        return _environment_file_schema(_defaulted_kinds(tree))
    return authoring_schema(kind)


@cache
def _environment_file_schema(kinds: frozenset[str]) -> Schema:
    return authoring(environment_schema(kinds))


def _defaulted_kinds(tree: Node) -> frozenset[str]:
    """The kinds that the description of an environment has defaults for."""
    given = tree.get("defaults")
    return frozenset(name for name in (given.items if given else ()) if _is_defaulted(name))


def _is_defaulted(name: str) -> bool:
    return name != ENVIRONMENT.name and kind_called(name) is not None


@cache
def name_schema(kind: str) -> Schema:
    """What the name of a spec must look like, where it stands alone."""
    schema, named = strict_schema(kind), require_kind(kind)
    place = schema
    for key in named.name_in:
        place = place["properties"][key]
    properties = {named.name_field: place["properties"][named.name_field]}
    return {"properties": properties, "definitions": schema.get("definitions", {})}


@cache
def environment_schema(kinds: Collection[str]) -> Schema:
    """What a composed environment must look like that has defaults for these kinds at most.

    It has what platforms and kinds add; a kind adds much, and most environments need few of them.
    """
    schema = _bare(ENVIRONMENT.name)
    properties = dict(schema["properties"])
    definitions: Schema = {}
    properties["destinations"] = {
        **properties["destinations"],
        "description": _ABOUT_DESTINATIONS.format(
            listed(_distinct(b.place for b in BACKENDS), "or")
        ),
        "items": destination_schema(BACKENDS, definitions),
    }
    properties["rules"] = add_codes(properties["rules"])
    for backend in BACKENDS:
        properties[backend.name] = _part(backend.settings_schema, definitions)
    defaults = dict.fromkeys(REGISTERED, _UNSEEN) | {
        name: _default(require_kind(name), definitions) for name in sorted(kinds)
    }
    properties["defaults"] = {
        **properties["defaults"],
        "properties": defaults,
        "additionalProperties": False,
    }
    return prune_definitions({**schema, "properties": properties, "definitions": definitions})


def _bare(kind: str) -> Schema:
    schema = prune_definitions(bundled_schema(require_kind(kind).schema))
    if kind == ENVIRONMENT.name:
        return schema
    return {**schema, "properties": {**schema["properties"], DROP: _ABOUT_DROPPING}}


def destination_schema(backends: Sequence[Backend], definitions: Schema) -> Schema:
    """What destinations must look like; with several platforms, as the one that they name says.

    What the schemas refer to is added to the definitions. What two of them say of one thing is the
    same, and a list has one key, as an override need not name the platform.
    """
    platforms = _distinct(backend.platform for backend in backends)
    said = [(item.platform, _part(item.destination_schema, definitions)) for item in backends]
    parts = [_platform_schema([part for of, part in said if of == name]) for name in platforms]
    if len(parts) == 1:
        return parts[0]
    keys: Schema = {}
    for part in parts:
        _join(keys, {name: one.get("x-list-key") for name, one in part["properties"].items()})
    return {"x-by": {"platform": platforms}, "anyOf": parts}


def _platform_schema(parts: Sequence[Schema]) -> Schema:
    """What all backends of a platform say of its destinations, and what holds for any."""
    properties: Schema = {}
    for part in (*parts, bundled_schema(_ANY_DESTINATION)):
        _join(properties, part["properties"])
    required = _distinct(key for part in parts for key in part.get("required", ()))
    return {**parts[0], "properties": properties, "required": required}


def _part(name: str, definitions: Schema) -> Schema:
    """A schema to be put into another; what it refers to goes with the definitions there."""
    schema = bundled_schema(name)
    _join(definitions, schema.get("definitions", {}))
    return {key: value for key, value in schema.items() if key not in ("$schema", "definitions")}


def _join(known: Schema, more: Schema) -> None:
    """Add to what is known by name; what has one name is one thing."""
    for name, schema in more.items():
        if known.setdefault(name, schema) != schema:
            raise ValueError(f"two backends disagree about {name!r}")


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


_OWN_CODES = OWN_CODE.pattern


def add_codes(rules: Schema) -> Schema:
    """The schema for severities by code, with the codes of rules that backends have."""
    codes = [code for backend in BACKENDS for code in backend.codes]
    if not codes:
        return rules
    families = sorted({*_CHANGEABLE, *(code[:3] for code in codes)})
    return {
        **rules,
        "examples": [dict(zip(codes, ("warning", "ignore"), strict=False))],
        "propertyNames": {
            "pattern": f"^(?:(?:{'|'.join(families)})[0-9]{{3}}|{CHANGEABLE_ALONE}|{_OWN_CODES})$",
            "x-expects": f"the code of a rule whose severity can be changed, such as {codes[0]}",
        },
    }


def _default(kind: Kind, definitions: Schema) -> Schema:
    """What may be said of all specs of a kind: anything but what makes it one spec."""
    schema = authoring_schema(kind.name)
    names = {name: f"{kind.name}.{name}" for name in schema.get("definitions", {})}
    schema = _renamed(schema, names)
    definitions.update({names[k]: v for k, v in schema.pop("definitions", {}).items()})
    own = ("apiVersion", "kind", *kind.drops, kind.name_field)
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
