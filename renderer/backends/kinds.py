"""Which kinds of spec there are, whose they are, and what they must look like."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from renderer.backends import BACKENDS
from renderer.backends.base import Backend, KindFunctions, RetiredCode
from renderer.errors import UsageError
from renderer.schema.bundle import Schema, bundled_schema, prune_definitions
from renderer.schema.file_schemas import authoring
from renderer.text.wording import listed, suggest
from renderer.values.model import DROP, Environment, Kind, Reference, Spec
from renderer.values.tree import Node

API_VERSION = "serving.gitops/v1"
_KINDS = {kind.name: kind for backend in BACKENDS for kind in backend.kinds}
_OWNERS = {kind.name: backend for backend in BACKENDS for kind in backend.kinds}
#: The backend whose kinds are all those of which no registry has a line.
_OPEN = next((backend for backend in BACKENDS if backend.open_kind), None)
#: The kind of specs that are namespaces; nothing if there is none.
NAMESPACES = _OPEN.namespaces if _OPEN else ""
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
#: The fields in which all environments may differ unless a repository says otherwise.
SIZE_FIELDS = tuple(dict.fromkeys(field for item in BACKENDS for field in item.size_fields))
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
_CHANGEABLE = ("ENV", "IMP", "POL", "SEC")
#: A rule of such a family that can be changed: it depends on how objects are applied.
CHANGEABLE_ALONE = "MAN015"


def folder_of(kind: str) -> str:
    """Where new specs of a kind are put below their environment: its plural in lower case."""
    name = kind.lower()
    return f"{name}es" if name.endswith(("s", "x", "z", "ch", "sh")) else f"{name}s"


def schema_file(kind: str) -> str:
    """What the file with the schema of a kind is called, where editors look for it."""
    return f"{kind.lower()}.schema.json"


def kind_named(word: str) -> Kind:
    """The kind that a user means, in whichever case."""
    for name, kind in KINDS.items():
        if name.lower() == word.lower():
            return kind
    if found := kind_called(word):
        return found
    raise UsageError(f"there is no kind {word!r}; {suggest(word, KINDS)}")


def kind_called(name: str) -> Kind | None:
    """The kind of specs that has a name; one that no registry names has its group behind a dot."""
    return KINDS.get(name) or _open_kind_called(name)


@cache
def _open_kind_called(name: str) -> Kind | None:
    kind, dot, group = name.partition(".")
    return _OPEN.open_kind(kind, group if dot else None) if _OPEN and _OPEN.open_kind else None


def kind_of_object(version: str, kind: str) -> Kind | None:
    """The kind of specs that an object is as it is; nothing if it has to be written otherwise."""
    if not _OPEN or not _OPEN.open_kind or kind in KINDS:
        return None
    return _OPEN.open_kind(kind, version.rpartition("/")[0])


def kind_of_tree(tree: Node) -> Kind | None:
    """The kind of specs that a file is of, if it is one at all."""
    given = (tree.get(key) for key in ("apiVersion", "kind"))
    version, kind = (str(node.value) if node else "" for node in given)
    return KINDS.get(kind) or (kind_of_object(version, kind) if version != API_VERSION else None)


@cache
def functions_of(kind: str) -> KindFunctions:
    """What can be done with specs of a kind."""
    functions = owner_of(kind).load()
    return functions.any_kind or functions.kinds[kind]


@cache
def retired_codes() -> Mapping[str, RetiredCode]:
    """What took the place of each code that rules had before."""
    return {code: item for backend in BACKENDS for code, item in backend.retired}


def current_code(code: str, *, in_production: bool) -> str:
    """The code that a retired one stands for in such an environment; any other one is itself."""
    retired = retired_codes().get(code)
    if retired is None or retired.in_production not in (None, in_production):
        return code
    return retired.now


def owner_of(kind: str) -> Backend:
    """The backend that a kind belongs to."""
    return _OWNERS.get(kind) or _open_backend(kind)


def _open_backend(kind: str) -> Backend:
    if _OPEN is None:
        raise KeyError(kind)
    return _OPEN


def backends_of(environment: Environment) -> list[Backend]:
    """The backends that may have something in an environment, in the order of the registry.

    Of several for one platform, those that it mentions or has specs of.
    """
    owners = {owner_of(spec.kind.name).name for spec in environment.specs}
    platforms = {item.platform for item in environment.destinations}
    return [
        backend
        for backend in BACKENDS
        if backend.platform in platforms
        and (backend.name in environment.tree.items or backend.name in owners or _is_alone(backend))
    ]


def _is_alone(backend: Backend) -> bool:
    """Whether no other backend serves its platform."""
    return [item.platform for item in BACKENDS].count(backend.platform) == 1


def references_of(spec: Spec, environment: Environment) -> Iterator[Reference]:
    """All that a spec mentions of other specs: by its kind, then objects that it names."""
    functions = functions_of(spec.kind.name)
    yield from functions.references(spec, environment)
    if environment.made is not None:  # else there is none that could be meant
        from renderer.kubernetes.mentions import references

        yield from references(spec.tree, functions.mentions(spec.kind.name))


def made_by(specs: Sequence[Spec]) -> dict[tuple[str, str], tuple[Spec, ...]] | None:
    """The objects that are there because of specs of open kinds; nothing if there are none."""
    found: dict[tuple[str, str], tuple[Spec, ...]] = {}
    for spec in specs:
        for name in dict.fromkeys(functions_of(spec.kind.name).makes(spec)):
            found[name] = (*found.get(name, ()), spec)
    return found or None


def used_specs(spec: Spec, environment: Environment) -> list[Spec]:
    """The specs of an environment that a spec refers to by name, or has chosen."""
    references = references_of(spec, environment)
    return _distinct_specs(one for item in references for one in environment.named_specs(item))


def considered_specs(spec: Spec, environment: Environment) -> list[Spec]:
    """The same, and those that it has to choose from."""
    references = references_of(spec, environment)
    return _distinct_specs(one for item in references for one in environment.referenced_specs(item))


def _distinct_specs(specs: Iterable[Spec]) -> list[Spec]:
    return list({spec.identity: spec for spec in specs}.values())


@cache
def strict_schema(kind: str) -> Schema:
    """What a composed spec of a kind must look like."""
    return environment_schema(frozenset(_KINDS)) if kind == ENVIRONMENT.name else _bare(kind)


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
    schema, named = strict_schema(kind), _kind(kind)
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
    defaults = dict.fromkeys(_KINDS, _UNSEEN) | {
        name: _default(_kind(name), definitions) for name in sorted(kinds)
    }
    properties["defaults"] = {
        **properties["defaults"],
        "properties": defaults,
        "additionalProperties": False,
    }
    return prune_definitions({**schema, "properties": properties, "definitions": definitions})


def _kind(name: str) -> Kind:
    found = kind_called(name)
    if found is None:
        raise ValueError(f"there is no kind {name!r}")
    return found


def _bare(kind: str) -> Schema:
    schema = prune_definitions(bundled_schema(_kind(kind).schema))
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
            "pattern": f"^(?:(?:{'|'.join(families)})[0-9]{{3}}|{CHANGEABLE_ALONE})$",
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
