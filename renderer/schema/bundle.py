"""The bundled schemas, each made self-contained."""

import json
import os
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from renderer.assets import SCHEMAS
from renderer.text.wording import listed

Schema = dict[str, Any]
_PLACEHOLDER = r"\{\{"


@cache
def bundled_schema(name: str) -> Schema:
    """A schema by its path (below `schemas/`), with what it refers to in other files inlined.

    `x-members-of` names objects in other files whose properties an object has besides its own; one
    that is false there is none of them. `x-placeholders` names definitions whose texts may be
    templates of the platform, whatever else they have to be.
    """
    foreign: Schema = {}

    def definition_name(reference: str) -> str:
        """The name of a definition in another file; `foreign` takes all that it needs."""
        target, _, pointer = reference.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        foreign.update(bundled_schema(path)["definitions"])
        return pointer.rpartition("/")[2]

    def localise(part: Schema) -> Schema:
        """With a reference into another file made local, and with the members of others."""
        reference = str(part.get("$ref", ""))
        if reference.partition("#")[0]:
            return {"$ref": f"#/definitions/{definition_name(reference)}"}
        if "x-members-of" not in part:
            return part
        members: Schema = {}
        for other in part.pop("x-members-of"):
            members.update(foreign[definition_name(other)]["properties"])
        members.update(part["properties"])
        kept = {key: schema for key, schema in members.items() if schema is not False}
        return {**part, "properties": kept}

    with open(os.path.join(SCHEMAS, name), encoding="utf-8") as stream:
        text = stream.read()
    schema: Schema = json.loads(text, object_hook=localise if ".json#" in text else None)
    definitions = {**foreign, **schema.get("definitions", {})}
    for filled in schema.pop("x-placeholders", ()):
        definitions[filled] = _fillable(definitions[filled])
    return {**schema, "definitions": definitions} if definitions else schema


def _fillable(part: Any) -> Any:
    """A part of a schema in which every text may be one with `{{` in it."""
    if isinstance(part, list):
        return [_fillable(item) for item in part]
    if not isinstance(part, dict):
        return part
    if part.get("type") != "string" or part.keys().isdisjoint(("enum", "pattern")):
        return {key: _fillable(child) for key, child in part.items()}
    kept = {key: value for key, value in part.items() if key != "enum"}
    words = part.get("enum", ())
    allowed = part.get("pattern", f"^(?:{'|'.join(map(re.escape, words))})$")
    expected = listed(filter(None, words), "or")
    return {"x-expects": expected, **kept, "pattern": f"{allowed}|{_PLACEHOLDER}"}


def resolve_references(part: Schema, definitions: Schema) -> Schema:
    """A part of a schema with what the first of its references leads to."""
    for one in (part, *part.get("allOf", ()), *part.get("anyOf", ())):
        if "$ref" in one:
            name = str(one["$ref"]).rpartition("/")[2]
            return {**resolve_references(definitions[name], definitions), **part}
    return part


def prune_definitions(schema: Schema) -> Schema:
    """A schema without the definitions that nothing in it refers to."""
    definitions = schema.get("definitions", {})
    wanted = list(_references({**schema, "definitions": None}))
    kept: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name not in kept:
            kept.add(name)
            wanted += _references(definitions[name])
    used = {name: part for name, part in definitions.items() if name in kept}
    return {**schema, "definitions": used} if definitions else schema


def _references(schema: Any) -> Iterator[str]:
    """The names of definitions."""
    if isinstance(schema, dict) and "$ref" in schema:
        yield str(schema["$ref"]).rpartition("/")[2]
    for part in schema.values() if isinstance(schema, dict) else schema or ():
        if isinstance(part, dict | list):
            yield from _references(part)
