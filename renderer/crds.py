"""The CRDs of a user's own clusters as JSON Schemas that are strict about unknown fields."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from renderer.diagnostics import Diagnostic
from renderer.model import Document, Node
from renderer.rules.manifests import CRD_UNUSABLE
from renderer.schemacheck.sources import Schema

_KEPT = (
    "type", "enum", "pattern", "required", "minimum", "maximum", "minLength", "maxLength",
    "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems", "multipleOf",
    "exclusiveMinimum", "exclusiveMaximum",
)  # fmt: skip
_IMPLICIT = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {}}
_RANGES = {"int32": 2**31, "int64": 2**63}
_CRD = "CustomResourceDefinition"


class Crd(NamedTuple):
    """What one file says about the objects of one kind."""

    file: str
    kind: str
    versions: dict[str, Schema]


def collect(documents: Iterable[Document]) -> tuple[dict[tuple[str, str], Crd], list[Diagnostic]]:
    """The CRDs by group and kind, and the documents that are none."""
    crds: dict[tuple[str, str], Crd] = {}
    found: list[Diagnostic] = []
    for document in documents:
        for node in document.tree.elements if document.tree else ():
            if node.value is None:
                continue
            try:
                group, crd = _crd(document.file, node)
            except (KeyError, TypeError, AttributeError):
                message = f"this is not a {_CRD} with a schema"
                fix = "keep only CRDs (apiextensions.k8s.io/v1) in schemas/crds/"
                found.append(CRD_UNUSABLE.at(node.origin, message, fix))
            else:
                crds[group, crd.kind] = crd
    return crds, found


def _crd(file: str, node: Node) -> tuple[str, Crd]:
    data: Any = node.plain()
    if data["kind"] != _CRD:
        raise KeyError(_CRD)
    spec = data["spec"]
    versions = {
        version["name"]: _root(version["schema"]["openAPIV3Schema"])
        for version in spec["versions"]
        if version.get("served", True)
    }
    return spec["group"], Crd(file, spec["names"]["kind"], versions)


def _root(schema: Schema) -> Schema:
    return converted({**schema, "properties": {**schema.get("properties", {}), **_IMPLICIT}})


def converted(schema: Schema) -> Schema:
    """A structural schema as JSON Schema; what the API server would drop is an error."""
    if schema.get("x-kubernetes-int-or-string"):
        kinds = ["integer", "string", *(["null"] if schema.get("nullable") else [])]
        return {"type": kinds} | {k: schema[k] for k in ("pattern",) if k in schema}
    result: Schema = {key: schema[key] for key in _KEPT if key in schema}
    result |= dict(_logic(schema))
    if schema.get("nullable") and "type" in result:
        result["type"] = [result["type"], "null"]
        if "enum" in result:
            result["enum"] = [*result["enum"], None]
    if limit := _RANGES.get(str(schema.get("format"))):
        result = {"minimum": -limit, "maximum": limit - 1} | result
    return result | _structure(schema)


def _structure(schema: Schema) -> Schema:
    result: Schema = {}
    properties = dict(schema.get("properties", {}))
    if schema.get("x-kubernetes-embedded-resource"):
        properties = {**_IMPLICIT, **properties}
    if properties:
        result["properties"] = {name: converted(part) for name, part in properties.items()}
    if isinstance(schema.get("items"), dict):
        result["items"] = converted(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        result["additionalProperties"] = converted(schema["additionalProperties"])
    elif _is_closed(schema):
        result["additionalProperties"] = False
    return result


def _is_closed(schema: Schema) -> bool:
    """Whether the API server drops keys that the schema does not name."""
    if schema.get("x-kubernetes-preserve-unknown-fields") or not schema:
        return False
    return schema.get("type") == "object" and not schema.get("additionalProperties")


def _logic(schema: Schema) -> Iterator[tuple[str, Any]]:
    """Value conditions, which in a structural schema never name new fields."""
    for key in ("allOf", "anyOf", "oneOf"):
        if key in schema:
            yield key, [_condition(part) for part in schema[key]]
    if "not" in schema:
        yield "not", _condition(schema["not"])


def _condition(schema: Schema) -> Schema:
    result: Schema = {key: schema[key] for key in _KEPT if key in schema}
    result |= dict(_logic(schema))
    if "properties" in schema:
        result["properties"] = {k: _condition(v) for k, v in schema["properties"].items()}
    if isinstance(schema.get("items"), dict):
        result["items"] = _condition(schema["items"])
    return result
