"""The rules of CRDs, each with as much of its schema as the expression reads."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from renderer.policies.expressions import names_in
from renderer.policies.schema_values import escaped

Schema = dict[str, Any]
VALIDATIONS = "x-kubernetes-validations"
_MAP_KEYS = "x-kubernetes-list-map-keys"
#: What a schema says of types; all else is of no matter to an expression.
_TYPES = (
    "type", "format", "nullable", "x-kubernetes-int-or-string", "x-kubernetes-list-type",
    "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", _MAP_KEYS,
)  # fmt: skip
#: Of a rule, what decides; messages of others are texts of theirs.
_DECIDING = ("rule", "messageExpression", "reason", "fieldPath", "optionalOldSelf")


class CrdRule(NamedTuple):
    """A rule, the types that it reads, and the whole schema that it stands in.

    The last is for finding values, and never recorded.
    """

    platform: str
    types: Schema
    whole: Schema

    @property
    def expression(self) -> str:
        return str(self.types[VALIDATIONS][0]["rule"])

    @property
    def key(self) -> str:
        return json.dumps(self.types, sort_keys=True)


def rules_of(files: Iterable[tuple[str, Path]]) -> list[CrdRule]:
    """Those of CRDs of platforms; of rules that are alike, types included, the first."""
    found: dict[str, CrdRule] = {}
    for platform, path in files:
        for document in yaml.load_all(path.read_bytes(), Loader=yaml.CSafeLoader):
            if document and document.get("kind") == "CustomResourceDefinition":
                for version in document["spec"]["versions"]:
                    for rule in _rules(platform, version["schema"]["openAPIV3Schema"]):
                        found.setdefault(rule.key, rule)
    return list(found.values())


def _rules(platform: str, schema: Any) -> Iterator[CrdRule]:
    if not isinstance(schema, dict):
        return
    for rule in schema.get(VALIDATIONS) or ():
        kept = {key: rule[key] for key in _DECIDING if key in rule}
        names = names_in(rule["rule"]) | names_in(rule.get("messageExpression", ""))
        yield CrdRule(platform, {**_read_types(schema, names), VALIDATIONS: [kept]}, schema)
    for part in _parts(schema):
        yield from _rules(platform, part)


def _parts(schema: Schema) -> Iterator[Any]:
    yield from (schema.get("properties") or {}).values()
    yield from (schema.get("items"), schema.get("additionalProperties"))


def _read_types(schema: Mapping[str, Any], names: frozenset[str]) -> Schema:
    """The types of a schema, of fields only those whose names an expression has."""
    made = {key: schema[key] for key in _TYPES if key in schema}
    keys = frozenset((schema.get("items") or {}).get("properties") or {})
    if not keys.issuperset(made.get(_MAP_KEYS, ())):
        del made[_MAP_KEYS]
    fields = {
        key: _read_types(part, names)
        for key, part in (schema.get("properties") or {}).items()
        if escaped(key) in names
    }
    if fields:
        made["properties"] = fields
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            more = frozenset(schema.get(_MAP_KEYS, ())) if key == "items" else frozenset()
            made[key] = _read_types(schema[key], names | more)
    return made
