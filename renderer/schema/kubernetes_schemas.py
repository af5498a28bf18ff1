"""The schemas of Kubernetes' own objects, by version: files of the package kubernetes-validate.

It is the extra `servingctl[kubernetes]`, as it takes some hundred megabytes where it is installed.
Only its files are read; its own code, and what that imports, is not.
"""

import json
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

from renderer.kubernetes.versions import Version, version_of
from renderer.schema.bundle import Schema

_PACKAGE, _FOLDER, _ENDING = "kubernetes_validate", "kubernetes-json-schema", ".0-local-strict"
_DEFINITIONS = "_definitions.json"
_LEFT_OUT = frozenset(("$schema", "$id"))
#: Fields that schemas call required, and without which the API server takes an object: the first
#: three are recorded (`tests/observed/kubernetes/companions`); newer schemas call them optional.
_NOT_ASKED_FOR = {
    "NetworkPolicySpec": "podSelector",
    "PriorityClass": "value",
    "RoleRef": "apiGroup",
    "EndpointSlice": "endpoints",
    "HTTPHeader": "value",
    "StatefulSetSpec": "serviceName",
}


@cache
def _home() -> str:
    """The folder of all schemas; empty if the package is not installed."""
    from importlib.util import find_spec

    found = find_spec(_PACKAGE)
    places = found.submodule_search_locations if found else None
    folders = (f"{place}/{_FOLDER}" for place in places or ())
    return next(filter(os.path.isdir, folders), "")


@cache
def installed_versions() -> tuple[Version, ...]:
    """The versions of Kubernetes whose schemas are there; none if the package is not."""
    names = os.listdir(_home()) if _home() else []
    texts = (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))
    return tuple(sorted(version for text in texts if (version := version_of(text))))


def nearest_version(version: Version) -> Version | None:
    """The one to check by: the version itself, else the next older, else the oldest."""
    known = installed_versions()
    older = [item for item in known if item <= version]
    return older[-1] if older else next(iter(known), None)


@cache
def object_schema(version: Version, api_version: str, kind: str) -> Schema | None:
    """The schema of an object, strict about unknown fields; nothing if there is none."""
    file = _files(version, api_version, kind).get(api_version)
    if file is None:
        return None
    whole, every = _read(version, file), _read(version, _DEFINITIONS)["$defs"]
    needed: dict[str, Schema] = {}
    pending = [whole]
    while pending:
        for name in _references(pending.pop()):
            if name not in needed:
                needed[name] = _relaxed(_convert(every[name]), name.rpartition(".")[2])
                pending.append(every[name])
    return {**_relaxed(_convert(whole), kind), "definitions": needed}


def _relaxed(schema: Schema, name: str) -> Schema:
    """Without what the API server does not ask for."""
    extra = _NOT_ASKED_FOR.get(name)
    required = [key for key in schema.get("required", ()) if key != extra]
    return {**schema, "required": required} if extra else schema


def served_versions(version: Version, api_version: str, kind: str) -> tuple[str, ...]:
    """Every apiVersion of a group that has objects of a kind."""
    return tuple(sorted(_files(version, api_version, kind)))


@cache
def _files(version: Version, api_version: str, kind: str) -> dict[str, str]:
    """The files of a kind, by their apiVersions: names alone do not tell groups apart."""
    group = api_version.rpartition("/")[0]
    start = f"{kind.lower()}-{group.partition('.')[0]}".rstrip("-") + "-"
    found: dict[str, str] = {}
    for name in _names(version):
        if name.startswith(start) and name.removeprefix(start).startswith("v"):
            given = _read(version, name).get("properties", {}).get("apiVersion", {}).get("enum", [])
            found |= {item: name for item in given if item.rpartition("/")[0] == group}
    return found


@cache
def _names(version: Version) -> tuple[str, ...]:
    return tuple(os.listdir(_path(version)))


@cache
def _read(version: Version, name: str) -> Any:
    with open(f"{_path(version)}/{name}", encoding="utf-8") as file:
        return json.load(file)


def _path(version: Version) -> str:
    return f"{_home()}/v{version[0]}.{version[1]}{_ENDING}"


def _references(schema: Any) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        if isinstance(target := schema.get("$ref"), str):
            yield target.rpartition("/")[2]
        for part in schema.values():
            yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def _convert(schema: Schema) -> Schema:
    """A schema in our terms: one file, no `null` (which is never rendered), types in one list."""
    result: Schema = {}
    for key, value in schema.items():
        if key == "$ref":
            result[key] = f"#/definitions/{value.rpartition('/')[2]}"
        elif key == "type":
            result[key] = _type(value)
        elif key == "oneOf":
            result["type"] = [name for part in value for name in _listed(_type(part["type"]))]
        elif key == "properties":
            result[key] = {name: _convert(part) for name, part in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            result[key] = _convert(value)
        elif key not in _LEFT_OUT:
            result[key] = value
    return result


def _type(given: str | list[str]) -> str | list[str]:
    kept = [name for name in _listed(given) if name != "null"]
    return kept[0] if len(kept) == 1 else kept


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types
