"""The CRDs of a user's own clusters as JSON Schemas that are strict about unknown fields."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from renderer.kubernetes.patterns import is_available, problem
from renderer.schema.bundle import Schema
from renderer.schema.validations import VALIDATIONS
from renderer.text.decoder import Limits
from renderer.text.wording import visible
from renderer.values.diagnostics import Diagnostic, Severity, documented_rule
from renderer.values.kinds import ListKeys
from renderer.values.model import Document
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, walk

CRD_UNUSABLE = documented_rule(
    "MAN005",
    "crd-is-usable",
    """A file in `schemas/crds/` holds CustomResourceDefinitions with a structural schema.

    Such a schema is written out: Kubernetes refuses references (`$ref`), recursive ones above all.
    """,
)
CRD_PATTERN = documented_rule(
    "MAN010",
    "crd-pattern-is-usable",
    """The patterns of a CRD can be used.

    They are read as the API server reads them: in the syntax of RE2, which has no lookaround and
    no references to groups. A pattern that RE2 refuses is refused with its whole CRD. One that is
    too large for 8 MiB is left out here. Values are not compared with either before they are
    applied.
    """,
    Severity.WARNING,
)
PATTERNS_UNCHECKED = documented_rule(
    "MAN011",
    "crd-patterns-are-checked",
    """Values are compared with the patterns of a CRD.

    That takes RE2, which the API server uses as well. It is the extra `servingctl[crds]`, since
    not every platform has a wheel of it (`google-re2`). Without it, everything else in a CRD is
    still checked. This is said once, at the first pattern.
    """,
    Severity.INFO,
)
RULES = (CRD_UNUSABLE, CRD_PATTERN, PATTERNS_UNCHECKED)
CRD_LIMITS = Limits(size=16 << 20, depth=200)

_NUMBER = (int, float)
_KEPT_KEYWORDS: dict[str, Any] = {
    "type": str, "enum": list, "pattern": str, "required": list, "uniqueItems": bool,
    "minimum": _NUMBER, "maximum": _NUMBER, "multipleOf": _NUMBER,
    "minLength": int, "maxLength": int, "minItems": int, "maxItems": int,
    "minProperties": int, "maxProperties": int,
}  # fmt: skip
_TYPES = {"object", "array", "string", "integer", "number", "boolean"}
_IMPLICIT = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}
_RANGES = {"int32": 2**31, "int64": 2**63}
_CRD = "CustomResourceDefinition"
_DATA = {"default", "enum", "example"}
_MAP_KEYS = "x-kubernetes-list-map-keys"
_LISTS = ("List", f"{_CRD}List")
_NO_RULES: Mapping[str, Node] = {}


class Crd(NamedTuple):
    """What one file says about the objects of one kind.

    `ruled` are schemas as they are written, by version, if the file has rules in CEL.
    """

    file: str
    kind: str
    versions: dict[str, Schema]
    is_namespaced: bool = True
    ruled: Mapping[str, Node] = _NO_RULES

    def list_keys(self, version: str) -> ListKeys:
        """By which fields server-side apply tells the items of its lists apart."""
        return tuple(_list_keys(self.versions.get(version, {}), ()))


_Collected = tuple[dict[tuple[str, str], Crd], list[Diagnostic]]
_LATEST: dict[tuple[tuple[str, str], ...], _Collected] = {}


def collect(documents: Iterable[Document]) -> _Collected:
    """The CRDs by group and kind, and the documents that are none; made once of the same files."""
    given = tuple(documents)
    key = tuple((document.file, document.source) for document in given)
    if key not in _LATEST:
        _LATEST.clear()
        _LATEST[key] = _collect(given)
    crds, found = _LATEST[key]
    return crds, list(found)


def _collect(documents: Iterable[Document]) -> _Collected:
    crds: dict[tuple[str, str], Crd] = {}
    found: list[Diagnostic] = []
    patterns: list[Node] = []
    for document in documents:
        for node in _definitions(document):
            try:
                group, crd = _crd(document, node)
            except (KeyError, TypeError, AttributeError):
                message = f"this is not a {_CRD} with a schema"
                fix = "keep only CRDs (apiextensions.k8s.io/v1) in schemas/crds/"
                found.append(CRD_UNUSABLE.at(node.origin, message, fix))
            else:
                references = [_reference(item) for item in _references(node)]
                if not references:
                    crds[group, crd.kind] = crd
                    patterns += _patterns(node)
                found += references
    return crds, [*found, *_pattern_findings(patterns)]


def _definitions(document: Document) -> Iterator[Node]:
    """The objects of a file, those in a list (`kubectl get crds -o yaml`) one by one."""
    for node in document.tree.elements if document.tree else ():
        kind, items = node.get("kind"), node.get("items")
        if kind and items and kind.value in _LISTS:
            yield from items.elements
        elif node.value is not None:
            yield node


def _patterns(definition: Node) -> Iterator[Node]:
    for path, node in walk(definition):
        if path[-1:] == ("pattern",) and isinstance(node.value, str):
            yield node


def _references(definition: Node) -> Iterator[Node]:
    """The references in its schemas; below some keys there are data of the user's."""
    for path, node in walk(definition):
        if path[-1:] == ("$ref",) and isinstance(node.value, str) and not _DATA & {*path}:
            yield node


def _reference(node: Node) -> Diagnostic:
    message = f"Kubernetes refuses a CRD with $ref, here to {visible(str(node.value))!r}"
    fix = "write out what it refers to, or x-kubernetes-preserve-unknown-fields: true instead"
    return CRD_UNUSABLE.at(node.key or node.origin, message, fix)


def _pattern_findings(patterns: list[Node]) -> Iterator[Diagnostic]:
    if patterns and not is_available():
        message = "values are not compared with the patterns of CRDs: RE2 is not installed"
        fix = "install servingctl[crds], or google-re2 beside servingctl"
        yield PATTERNS_UNCHECKED.at(patterns[0].origin, message, fix)
        return
    for node in patterns:
        if wrong := problem(str(node.value)):
            yield CRD_PATTERN.at(node.origin, visible(wrong.message), wrong.fix)


def _crd(document: Document, node: Node) -> tuple[str, Crd]:
    data: Any = node.plain()
    if data["kind"] != _CRD:
        raise KeyError(_CRD)
    spec = data["spec"]
    versions = {
        str(version["name"]): _root(version["schema"]["openAPIV3Schema"])
        for version in spec["versions"]
        if version.get("served", True)
    }
    is_namespaced = spec.get("scope") != "Cluster"
    ruled = _written_schemas(node) if VALIDATIONS in document.source else _NO_RULES
    kind = str(spec["names"]["kind"])
    return str(spec["group"]), Crd(document.file, kind, versions, is_namespaced, ruled)


def _written_schemas(node: Node) -> Mapping[str, Node]:
    listed = node.get("spec", "versions")
    return {
        version.text_at("name"): schema
        for version in (listed.elements if listed else ())
        if (schema := version.get("schema", "openAPIV3Schema"))
    }


def _root(schema: Schema) -> Schema:
    return convert_schema({**schema, "x-kubernetes-embedded-resource": True})


def convert_schema(schema: Schema) -> Schema:
    """A structural schema as JSON Schema; what the API server would drop is an error."""
    result = _values(schema)
    if schema.get("x-kubernetes-int-or-string"):
        result["type"] = ["integer", "string"]
        result.pop("anyOf", None)  # it repeats the two types
    if schema.get("nullable") and "type" in result:
        result["type"] = [*_listed(result["type"]), "null"]
        if "enum" in result:
            result["enum"] = [*result["enum"], None]
    if limit := _RANGES.get(str(schema.get("format"))):
        result = {"minimum": -limit, "maximum": limit - 1} | result
    return result | _structure(schema)


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def _list_keys(schema: Schema, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if keys := schema.get(_MAP_KEYS):
        yield path, tuple(keys)
    for name, part in schema.get("properties", {}).items():
        yield from _list_keys(part, (*path, name))
    if isinstance(items := schema.get("items"), dict):
        yield from _list_keys(items, (*path, "*"))


def _structure(schema: Schema) -> Schema:
    result: Schema = {key: schema[key] for key in (_MAP_KEYS,) if schema.get(key)}
    given = schema.get("properties", {})
    properties = {name: convert_schema(part) for name, part in given.items()}
    if schema.get("x-kubernetes-embedded-resource"):  # the API server knows metadata itself
        properties = {**_IMPLICIT, **properties, "metadata": _condition(given.get("metadata", {}))}
    if properties:
        result["properties"] = properties
    if isinstance(schema.get("items"), dict):
        result["items"] = convert_schema(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        result["additionalProperties"] = convert_schema(schema["additionalProperties"])
    elif _is_closed(schema):
        result["additionalProperties"] = False
    return result


def _is_closed(schema: Schema) -> bool:
    """Whether the API server drops keys that the schema does not name."""
    if schema.get("x-kubernetes-preserve-unknown-fields") or not schema:
        return False
    return schema.get("type") == "object" and not schema.get("additionalProperties")


def _values(schema: Schema) -> Schema:
    """What a schema says of the value itself."""
    result = dict(_limits(schema))
    pattern = result.pop("pattern", "")
    if pattern and is_available() and not problem(pattern):
        result["goPattern"] = pattern
    for key in ("allOf", "anyOf", "oneOf"):
        if key in schema:
            result[key] = [_condition(part) for part in schema[key]]
    if "not" in schema:
        result["not"] = _condition(schema["not"])
    return result


def _condition(schema: Schema) -> Schema:
    """A condition on values, which in a structural schema never names new fields."""
    result = _values(schema)
    if "properties" in schema:
        result["properties"] = {k: _condition(v) for k, v in schema["properties"].items()}
    if isinstance(schema.get("items"), dict):
        result["items"] = _condition(schema["items"])
    return result


def _limits(schema: Schema) -> Iterator[tuple[str, Any]]:
    """The keywords that mean the same in OpenAPI and in JSON Schema, and two that differ."""
    for key, wanted in _KEPT_KEYWORDS.items():
        if key not in schema:
            continue
        if not isinstance(schema[key], wanted) or (key == "type" and schema[key] not in _TYPES):
            raise TypeError(key)
        if key == "required" and not all(isinstance(name, str) for name in schema[key]):
            raise TypeError(key)
        if key == "multipleOf" and schema[key] <= 0:
            raise TypeError(key)
        exclusive = f"exclusive{key.capitalize()}"
        yield exclusive if schema.get(exclusive) is True else key, schema[key]
