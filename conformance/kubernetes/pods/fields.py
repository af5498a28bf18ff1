"""The fields of a pod template, as the API server's own OpenAPI document lists them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from conformance.kubernetes.pods.trees import Path

#: Where workloads are described, and the type there that has a pod in it.
DOCUMENT = "/openapi/v3/apis/apps/v1"
_TEMPLATE = "io.k8s.api.core.v1.PodTemplateSpec"
#: No template may have them, whatever is in them.
_LEFT_OUT = "ephemeralContainers"
Schema = dict[str, Any]


class Field(NamedTuple):
    """A property of a type at one place of a template."""

    #: Without `spec` and without the marks of lists: `containers.ports.name`.
    place: str
    path: Path
    #: `string`, `int32`, `int64`, `boolean`, `quantity`, `port`, `map`, or of something with fields
    #: the name of its type.
    type: str
    is_list: bool
    #: The type that it is a property of, and its name there: the same at several places.
    owner: str
    #: Its own properties, if it has any.
    properties: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.place.rpartition(".")[2]

    @property
    def place_of_one(self) -> Path:
        """The path of the value, or of the first one in a list."""
        return (*self.path, 0) if self.is_list else self.path


def fields_of(document: Schema) -> Iterator[Field]:
    """All of them, each before what is in it."""
    types = document["components"]["schemas"]
    template = types[_TEMPLATE]["properties"]
    for key, place in (("metadata", "metadata"), ("spec", "")):
        name, schema = _resolved(types, template[key])
        if place:
            yield Field(place, (key,), name, False, "PodTemplateSpec", tuple(schema["properties"]))
        yield from _below(types, name, schema, place, (key,))


def _below(types: Schema, owner: str, schema: Schema, place: str, path: Path) -> Iterator[Field]:
    for key, given in sorted(schema["properties"].items()):
        if key == _LEFT_OUT:
            continue
        is_list = given.get("type") == "array"
        name, inner = _resolved(types, given["items"] if is_list else given)
        here, there = f"{place}.{key}" if place else key, (*path, key)
        yield Field(here, there, name, is_list, owner, tuple(inner.get("properties", ())))
        if "properties" in inner:
            yield from _below(types, name, inner, here, (*there, 0) if is_list else there)


def _resolved(types: Schema, schema: Schema) -> tuple[str, Schema]:
    """The type of a property by its short name, and what it is."""
    for given in (schema, *schema.get("allOf", ())):
        if "$ref" in given:
            full = given["$ref"].rsplit("/", 1)[1]
            found = types[full]
            short = full.rsplit(".", 1)[1] if "properties" in found else _leaf(found)
            return short, found
    return _leaf(schema), schema


def _leaf(schema: Schema) -> str:
    if "additionalProperties" in schema:
        return "map"
    if "oneOf" in schema:
        return "port" if schema.get("format") == "int-or-string" else "quantity"
    kind = schema.get("type", "object")
    return str(schema.get("format", kind) if kind == "integer" else kind)
