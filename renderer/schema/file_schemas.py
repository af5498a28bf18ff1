"""From the schema of a composed spec to the schema of one file that contributes to it.

In a file nothing is required, `null` deletes what was inherited, a mapping in place of a keyed
list speaks to every item, and `${vars.NAME}` may stand for a value.
"""

from collections.abc import Iterator
from typing import Any

from renderer.schema.bundle import Schema

_VERSIONS = {"x-since": "since", "x-until": "until"}
_SHOWN_BY_EDITORS = frozenset(("title", "description", "default", "examples", *_VERSIONS))
_SAID_IN_FINDINGS = frozenset(("x-expects", "x-why", "x-fix"))
_NOTES = _SHOWN_BY_EDITORS | _SAID_IN_FINDINGS
_ALTERNATIVE = {"x-alternative": True}
_NULL = {"type": "null", **_ALTERNATIVE}
#: Looks from the first reference on only, so that a text with many open ones takes no longer.
_REFERENCE = r"^(?:(?!\$\{vars\.[^}])[\s\S])*\$\{vars\.[^}]+\}"
_VARIABLE = {"type": "string", "pattern": _REFERENCE, **_ALTERNATIVE}
_REMOVE = {
    "description": "true takes the item with this key away from what was inherited.",
    "type": "boolean",
    "x-expects": "true or false",
}
_COMPLETENESS = ("required", "minItems", "minProperties")
_SCALARS = ("integer", "number", "boolean")


def authoring(schema: Schema) -> Schema:
    """The schema for files, derived from the one for composed specs."""
    loose = _loosened(schema)
    if "definitions" in schema:
        items = set(_names_of_items(schema))
        loose["definitions"] = {
            name: _removable(_loosened(part)) if name in items else _loosened(part)
            for name, part in schema["definitions"].items()
        }
    return loose


def _names_of_items(schema: Any) -> Iterator[str]:
    """The definitions that describe items of keyed lists."""
    if isinstance(schema, dict) and "x-list-key" in schema:
        yield str(schema["items"].get("$ref", "")).rpartition("/")[2]
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            yield from _names_of_items(part)


def _removable(item: Schema) -> Schema:
    """An item of a keyed list, which an override may take away."""
    if "x-by" in item:
        return {**item, "anyOf": [_removable(part) for part in item["anyOf"]]}
    if "properties" not in item:
        return item
    return {**item, "properties": {**item["properties"], "$remove": _REMOVE}}


def _loosened(schema: Schema) -> Schema:
    if "$ref" in schema or "const" in schema:
        return schema
    loose: Schema = {key: value for key, value in schema.items() if key not in _COMPLETENESS}
    for key in ("properties", "patternProperties"):
        if key in loose:
            loose[key] = {name: _nullable(_loosened(part)) for name, part in loose[key].items()}
    if isinstance(loose.get("items"), dict):
        items = _loosened(loose["items"])
        loose["items"] = _removable(items) if "x-list-key" in loose else items
    if isinstance(loose.get("additionalProperties"), dict):
        loose["additionalProperties"] = _nullable(_loosened(loose["additionalProperties"]))
    for key in ("anyOf", "oneOf", "allOf"):
        if key in loose:
            loose[key] = [_loosened(part) for part in loose[key]]
    if "x-list-key" in loose:
        return _either(loose, loose["items"])
    if _is_constrained_scalar(loose):
        return _either(loose, _VARIABLE)
    return loose


def _is_constrained_scalar(schema: Schema) -> bool:
    return bool({"enum", "pattern"} & schema.keys()) or schema.get("type") in _SCALARS


def _nullable(schema: Schema) -> Schema:
    return schema if "const" in schema else _either(schema, _NULL)


def is_null(part: Schema) -> bool:
    """Whether a part of a choice is there for null alone."""
    return part == _NULL


def is_variable(part: Schema) -> bool:
    """Whether a part of a choice is there for texts with variables."""
    return part == _VARIABLE


def _either(schema: Schema, alternative: dict[str, Any]) -> Schema:
    """The schema or the alternative, with what an editor shows kept at the top.

    What findings say stays beside the keywords that fail as well.
    """
    notes = {key: value for key, value in schema.items() if key in _NOTES}
    core = {key: value for key, value in schema.items() if key not in _SHOWN_BY_EDITORS}
    is_choice = "anyOf" in core and core.keys() - _SAID_IN_FINDINGS == {"anyOf"}
    return {**notes, "anyOf": [*(core["anyOf"] if is_choice else [core]), alternative]}


def describe_versions(schema: Any) -> Any:
    """The schema with what it says of versions in its descriptions, which editors show."""
    if isinstance(schema, list):
        return [describe_versions(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found: Schema = {key: describe_versions(part) for key, part in schema.items()}
    if "description" in found and not _VERSIONS.keys().isdisjoint(found):
        found["description"] += "".join(f" {text}." for text in _version_texts(schema))
    return found


def _version_texts(schema: Schema) -> Iterator[str]:
    for key, word in _VERSIONS.items():
        said = schema.get(key, {})
        if isinstance(said, str):
            yield f"{word.capitalize()} {said}"
        elif said:
            yield ", ".join(f"{value} {word} {version}" for value, version in said.items())
