"""Manifests and edits that nobody thought of: every field of a kind, set, changed and removed.

A platform's `generated.yaml` says what to begin with, which fields of which base are asked, and
which values are worth trying where neither the schema nor the table of pods knows any.
"""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path as FilePath
from typing import Any, NamedTuple

import yaml

from conformance.kubernetes.client import Object
from conformance.kubernetes.pods.trees import Path, changed, found
from conformance.operators.crd_fields import (
    CrdField,
    Schema,
    Values,
    placed,
    read_fields,
    read_values,
)

#: Stands for "not there" in a row, where null is a value.
ABSENT = {"$absent": True}
#: Rows are asked by tenths; this many are all of them.
ALL_TENTHS = 10
#: Enough of a value to know a row by.
_LONGEST = 30


class Variation(NamedTuple):
    """A base with a value at a path; an edit has the one before as well."""

    name: str
    base: str
    path: Path
    before: Any
    after: Any

    @property
    def is_edit(self) -> bool:
        return self.before is not None


class Table(NamedTuple):
    """`generated.yaml` of a platform, and the manifests that it begins with."""

    content: Mapping[str, Any]
    bases: Mapping[str, Object]
    schemas: Mapping[str, Schema]
    values: Values

    def schema_of(self, base: str) -> Schema:
        return self.schemas[self.bases[base]["kind"]]


def read_table(
    place: FilePath, bases: Mapping[str, Object], schemas: Mapping[str, Schema]
) -> Table:
    content = yaml.safe_load((place / "generated.yaml").read_text("utf-8"))
    return Table(content, bases, schemas, read_values(content))


def variations(table: Table) -> Iterator[Variation]:
    """All of a platform, base by base: each as it is, then its fields."""
    for base, asked in table.content["bases"].items():
        yield Variation(f"{base}: as it is", base, (), None, ABSENT)
        for field in _fields(table, base, asked):
            known = table.values.find(field)
            asked_field = field._replace(path=field.path[:-1]) if field.is_list else field
            values = [[value] for value in known] if field.is_list else known
            yield from _manifests(base, asked_field, values)
            yield from _edits(table, base, asked_field, values)


def _fields(table: Table, base: str, asked: Mapping[str, Any]) -> Iterator[CrdField]:
    for place, keys in asked.get("metadata", {}).items():
        for key in keys:
            path = (*place.split("."), key)
            yield CrdField(path, {"type": "string"})
    for field in read_fields(table.schema_of(base)["properties"]["spec"], ("spec",)):
        if not any(fnmatchcase(field.place, pattern) for pattern in asked["fields"]):
            continue
        if any(fnmatchcase(field.place, pattern) for pattern in asked.get("except", ())):
            continue
        is_pod = table.values.pod_place(field.place) is not None
        one_in = asked.get("one_pod_field_in" if is_pod else "one_field_in", 1)
        if is_chosen(f"{base} {field.place}", one_in):
            yield field


def is_chosen(text: str, one_in: int) -> bool:
    """Whether something is of a share, by its name: the same on every machine."""
    return _number(text) % one_in == 0


def tenth_of(text: str) -> int:
    """Which tenth of all rows one is in, by its name: 0 to 9."""
    return _number(text) % ALL_TENTHS


def _number(text: str) -> int:
    return int(sha256(text.encode()).hexdigest(), 16)


def _manifests(base: str, field: CrdField, values: list[Any]) -> Iterator[Variation]:
    for number, value in enumerate(values):
        yield Variation(
            f"{base} {field.place}: {_label(number, value)}", base, field.path, None, value
        )


def _edits(table: Table, base: str, field: CrdField, values: list[Any]) -> Iterator[Variation]:
    """Set, changed, removed, and set to what it is anyway."""
    there = found(table.bases[base], field.path)
    known = [value for value in values if value != there]
    steps: list[tuple[str, Any, Any]] = []
    if there is not None:
        steps += [("changed", there, known[0]), ("removed", there, ABSENT)] if known else []
    else:
        steps.append(("set", ABSENT, values[0]))
        steps += [("changed", values[0], values[1])] if len(values) > 1 else []
        steps.append(("removed", values[0], ABSENT))
        default = _default(table, field)
        steps += [("set to its default", ABSENT, default)] if default is not None else []
    for label, before, after in steps:
        yield Variation(f"{base} {field.place}: {label}", base, field.path, before, after)


def _default(table: Table, field: CrdField) -> Any:
    if "default" in field.schema:
        return field.schema["default"]
    places = [place for place in table.content["defaults"] if fnmatchcase(field.place, place)]
    return table.content["defaults"][places[-1]] if places else None


def _label(number: int, value: Any) -> str:
    text = str(value)
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return f"{number + 1}, {short}"


def compact(base: Object, manifest: Object, path: Path) -> tuple[Path, Any]:
    """Where a manifest leaves its base, on the way to a path, and what it has there.

    With this, a row can be read without the schema that says what else is compulsory on the way.
    """
    for end in range(1, len(path) + 1):
        if found(base, path[:end]) is None or end == len(path):
            value = found(manifest, path[:end])
            return path[:end], ABSENT if value is None else value
    return (), ABSENT


def manifest_of(table: Table, variation: Variation, value: Any) -> Object:
    """The base with a value of a variation, or without any."""
    base = table.bases[variation.base]
    if not variation.path:
        return base
    if value == ABSENT:
        is_there = found(base, variation.path) is not None
        return changed(base, variation.path, None) if is_there else base
    schema = {"properties": {"spec": table.schema_of(variation.base)["properties"]["spec"]}}
    result: Object = placed(base, schema, variation.path, value, table.values)
    return result
