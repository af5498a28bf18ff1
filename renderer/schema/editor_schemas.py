"""The schema of a file as editors and plain validators get it: errors are at the field itself.

What findings are made of has alternatives (`anyOf`) wherever null, a variable or a mapping may
stand, and of an error below one a plain validator says only that no alternative fits, at the top.
Here null is one of the types, a variable is let through by `if`, and platforms are told apart by
`if`: the same files fit.
"""

from typing import Any

from renderer.schema.bundle import Schema
from renderer.schema.file_schemas import is_null, is_variable

_DEFINITIONS = "#/definitions/"
#: What a choice may ask besides its alternatives.
_ASKED = frozenset(("type", "enum", "const", "allOf", "oneOf", "not", "$ref", "pattern"))
_OR_NULL = " or null"


def editor_schema(schema: Schema) -> Schema:
    """The schema of a file, without alternatives that hide where an error is."""
    parts = {name: _flat(part) for name, part in schema.get("definitions", {}).items()}
    top = _flat({key: value for key, value in schema.items() if key != "definitions"})
    definitions = parts | {f"{name}{_OR_NULL}": _or_null(part) for name, part in parts.items()}
    used = {name: definitions[name] for name in _used(top, definitions)}
    found: Schema = _told_apart({**top, "definitions": used}, used)
    return found


def _flat(part: Any) -> Any:
    if isinstance(part, list):
        return [_flat(one) for one in part]
    if not isinstance(part, dict):
        return part
    if "anyOf" in part:
        return _add_message({key: value for key, value in _one(part).items() if key != "x-by"})
    return _add_message({key: _flat(value) for key, value in part.items()})


def _one(part: Schema) -> Schema:
    """A choice as one schema, as far as that can be."""
    rest = {key: _flat(value) for key, value in part.items() if key not in ("anyOf", "x-by")}
    every = _members(part)
    given = [one for one in every if not is_null(one) and not is_variable(one)]
    if not given:
        return part  # null or a variable, and nothing else
    core = _choice(given, part.get("x-by", {}))
    if any(map(is_null, every)):
        core = _or_null(core)
    variables = [one for one in every if is_variable(one)]
    if variables:
        core = {"if": _plain(variables[0]), "then": {}, "else": core}
    return {**core, **rest}


def _members(part: Schema) -> list[Schema]:
    """The alternatives of a choice, and those of choices among them, each once."""
    found: list[Schema] = []
    for one in part["anyOf"]:
        is_choice = "anyOf" in one and "x-by" not in one and not _ASKED & one.keys()
        found += [item for item in (_members(one) if is_choice else [one]) if item not in found]
    return found


def _choice(given: list[Schema], by: dict[str, list[str]]) -> Schema:
    """What is left of a choice without null and variables."""
    if by:
        return _schema_by_key(given, by)
    first = _flat(given[0])
    others = [_flat(one) for one in given[1:]]
    if not others:
        return dict(first)
    if "x-list-key" in first and first.get("type") == "array":
        items = others[-1]  # one in place of the list stands for every item; the last is loosest
        types = _types(items, {}) or ["object"]
        return {**first, "type": ["array", *types], "if": {"type": types}, "then": items}
    return {"anyOf": [first, *others]}


def _schema_by_key(given: list[Schema], by: dict[str, list[str]]) -> Schema:
    """Alternatives of which a key says which one holds; without the key any of them may."""
    ((key, values),) = by.items()
    parts = [_flat(one) for one in given]
    cases: list[Schema] = [
        {"if": {"required": [key], "properties": {key: {"const": value}}}, "then": part}
        for value, part in zip(values, parts, strict=True)
    ]
    cases.append({"if": {"not": {"required": [key]}}, "then": {"anyOf": parts}})
    chosen = {**_notes(parts[0]["properties"][key]), "enum": values}
    return {"type": "object", "properties": {key: chosen}, "allOf": cases}


def _told_apart(part: Any, definitions: Schema) -> Any:
    """With `if` in place of the choices whose alternatives differ in their types."""
    if isinstance(part, list):
        return [_told_apart(one, definitions) for one in part]
    if not isinstance(part, dict):
        return part
    found = {key: _told_apart(value, definitions) for key, value in part.items()}
    if "anyOf" not in found or "type" in found:
        return found
    choice = found["anyOf"]
    types = [_types(one, definitions) for one in choice]
    every = [name for some in types for name in some]
    if not all(types) or len({*every}) < len(every) or {"integer", "number"} <= {*every}:
        return found
    del found["anyOf"]
    cases = [{"if": {"type": some}, "then": one} for some, one in zip(types, choice, strict=True)]
    return {**found, "type": every, "allOf": [*found.get("allOf", ()), *cases]}


def _types(part: Schema, definitions: Schema) -> list[str]:
    """The types of what fits; none if that is not known."""
    if "type" in part:
        return part["type"] if isinstance(part["type"], list) else [part["type"]]
    for one in (part, *part.get("allOf", ())):
        if "$ref" in one and definitions:
            return _types(definitions[one["$ref"].removeprefix(_DEFINITIONS)], definitions)
    return []


def _or_null(part: Schema) -> Schema:
    """A schema that null fits as well."""
    if "$ref" in part:
        return {"$ref": f"{part['$ref'].removesuffix(_OR_NULL)}{_OR_NULL}"}
    if "else" in part:
        return {**part, "else": _or_null(part["else"])}
    if "type" not in part:
        return _without_type_or_null(part)
    types = part["type"] if isinstance(part["type"], list) else [part["type"]]
    found = {**part, "type": [*types, *(["null"] if "null" not in types else [])]}
    for key in ("enum", "anyOf", "allOf"):
        if key in part:
            found[key] = _without_type_or_null({key: part[key]})[key]
    return found


def _without_type_or_null(part: Schema) -> Schema:
    found = dict(part)
    if "enum" in part and None not in part["enum"]:
        found["enum"] = [*part["enum"], None]
    if "anyOf" in part:
        found["anyOf"] = [*part["anyOf"], {"type": "null"}]
    if "allOf" in part:
        found["allOf"] = [_or_null(one) for one in part["allOf"]]
    if "then" in part:
        found = {"if": {"type": "null"}, "then": {}, "else": part}
    return found


def _notes(part: Schema) -> Schema:
    """What editors show of a field."""
    return {key: part[key] for key in ("title", "description") if key in part}


def _plain(part: Schema) -> Schema:
    return {key: value for key, value in part.items() if not key.startswith("x-")}


def _used(top: Schema, definitions: Schema) -> list[str]:
    """The names of the definitions that are referred to, sorted."""
    found: set[str] = set()
    waiting: list[Any] = [top]
    for part in waiting:
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).removeprefix(_DEFINITIONS)
            if name in definitions and name not in found:
                found.add(name)
                waiting.append(definitions[name])
        if isinstance(part, dict | list):
            waiting.extend(part.values() if isinstance(part, dict) else part)
    return sorted(found)


def _add_message(part: Schema) -> Schema:
    """With what editors show instead of a regular expression."""
    if isinstance(part.get("pattern"), str) and isinstance(part.get("x-expects"), str):
        return {**part, "patternErrorMessage": f"expected {part['x-expects']}"}
    return part
