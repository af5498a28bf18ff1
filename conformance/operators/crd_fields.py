"""The fields that a CRD lists, values for each of them, and manifests that have one there."""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from conformance.kubernetes.pods import fields as pod_fields
from conformance.kubernetes.pods.tables import Tables, table
from conformance.kubernetes.pods.trees import Path, expanded

Schema = dict[str, Any]
#: By type, for what no table has: two that may be right, and others.
_BY_TYPE: dict[str, list[Any]] = {
    "string": ["abc", "def", ""],
    "int32": [1, 2, 0, -1],
    "int64": [1, 2, 0, -1],
    "integer": [1, 2, 0, -1],
    "number": [1, 2, 0, -1],
    "boolean": [True, False],
    "quantity": ["1", "2", "many"],
    "port": [8080, "http", 0],
    "map": [{"tier": "a"}, {"tier": "b"}, {}],
    "object": [{}],
}


class CrdField(NamedTuple):
    """A leaf of a schema: where it is in a manifest, and what the schema says of it."""

    path: Path
    schema: Schema

    @property
    def place(self) -> str:
        """Without the marks of lists: `spec.predictor.containers.image`."""
        return ".".join(step for step in self.path if isinstance(step, str))

    @property
    def type(self) -> str:
        if self.schema.get("x-kubernetes-int-or-string"):
            return "quantity" if "pattern" in self.schema else "port"
        if "additionalProperties" in self.schema:
            return "map"
        kind = self.schema.get("type", "object")
        return str(self.schema.get("format", kind) if kind == "integer" else kind)

    @property
    def is_list(self) -> bool:
        """Whether it is an item of a list of plain values."""
        return self.path[-1] == 0


def schemas_of(crds: Iterable[Schema]) -> dict[str, Schema]:
    """What is stored of each kind, by its name."""
    return {
        item["spec"]["names"]["kind"]: version["schema"]["openAPIV3Schema"]
        for item in crds
        for version in item["spec"]["versions"]
        if version["storage"]
    }


def read_fields(schema: Schema, path: Path = ()) -> Iterator[CrdField]:
    """Every leaf; of a list, those of its first item."""
    if schema.get("type") == "array":
        yield from read_fields(schema["items"], (*path, 0))
    elif "properties" in schema:
        for key, inner in sorted(schema["properties"].items()):
            yield from read_fields(inner, (*path, key))
    else:
        yield CrdField(path, schema)


class Values(NamedTuple):
    """Values by the place of a field: of a platform's own table, else of the table of pods.

    `pods` are the beginnings of places below which there is a pod, with what the table of pods has
    instead: the fields of `predictor.model` are those of a container. `beside` is what a new item
    or structure needs and no schema asks for, as a container its image.
    """

    own: Mapping[str, list[Any]]
    pods: Mapping[str, str]
    beside: Mapping[str, Mapping[str, Any]]
    tables: Tables

    def pod_place(self, place: str) -> str | None:
        """What the table of pods calls a place, if there is a pod."""
        for beginning, instead in self.pods.items():
            words, given = beginning.split("."), place.split(".")
            if all(map(fnmatchcase, given, words)) and len(given) > len(words):
                return ".".join(filter(None, (instead, *given[len(words) :])))
        return None

    def find(self, field: CrdField) -> list[Any]:
        """Two that may be right, where there are two, and some that are not."""
        own = [values for place, values in self.own.items() if fnmatchcase(field.place, place)]
        if own:
            return own[-1]
        if "enum" in field.schema:
            return [*field.schema["enum"][:3], "Nonsense"]
        place = self.pod_place(field.place)
        if place is not None and (values := self._pod_values(field, place)):
            return values
        return _BY_TYPE[field.type]

    def _pod_values(self, field: CrdField, place: str) -> list[Any]:
        known = pod_fields.Field(place, (), field.type, False, "")
        meaning = self.tables.meaning(known)
        if isinstance(meaning, dict):
            keys, values = (list(self.tables.values(meaning[key]).values()) for key in meaning)
            return [{expanded(keys[0]): expanded(value)} for value in values[:3]]
        values = [expanded(value) for value in self.tables.values(meaning).values()]
        return [*values[:2], *values[-1:]]


def read_values(content: Mapping[str, Any]) -> Values:
    """Of the table of a platform and those of pods."""
    values = table("values")
    tables = Tables({}, table("samples"), values["families"], values["sets"], table("meanings"))
    return Values(content["values"], content["pods"], content["beside"], tables)


def placed(tree: Any, schema: Schema, path: Path, value: Any, values: Values) -> Any:
    """A manifest with a value at a path, and with what is compulsory on the way there."""
    return _placed(tree, schema, (), path, value, values)


def _placed(tree: Any, schema: Schema, above: Path, path: Path, value: Any, values: Values) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        items = list(tree or [None])
        inner = _placed(items[0], schema["items"], (*above, 0), rest, value, values)
        return [inner, *items[1:]]
    known = dict(tree) if isinstance(tree, dict) else _compulsory(schema, above, values)
    inner = schema.get("properties", {}).get(first, {})
    return {**known, first: _placed(known.get(first), inner, (*above, first), rest, value, values)}


def _compulsory(schema: Schema, path: Path, values: Values) -> dict[str, Any]:
    place = CrdField(path, schema).place
    beside = [given for one, given in values.beside.items() if fnmatchcase(place, one)]
    needed = {
        key: _sample(schema["properties"][key], (*path, key), values)
        for key in schema.get("required", ())
    }
    return {**needed, **(beside[-1] if beside else {})}


def _sample(schema: Schema, path: Path, values: Values) -> Any:
    if schema.get("type") == "array":
        return [_sample(schema["items"], (*path, 0), values)]
    if "properties" in schema:
        return _compulsory(schema, path, values)
    return values.find(CrdField(path, schema))[0]
