"""The changes of single fields, by their types and by what they mean."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from conformance.kubernetes.pods.bases import bases_of
from conformance.kubernetes.pods.combinations import combinations
from conformance.kubernetes.pods.fields import Field
from conformance.kubernetes.pods.tables import Tables
from conformance.kubernetes.pods.trees import Path, expanded, found

#: Values that are of another type than a field is.
_WRONG_TYPES: dict[str, dict[str, Any]] = {
    "string": {"a number": 5, "a flag": True, "a list": ["a"]},
    "int32": {"a text": "5", "a fraction": 1.5, "a flag": True, "beyond 32 bits": 2**31},
    "int64": {"a text": "5", "a fraction": 1.5, "a flag": True, "beyond 64 bits": 2**63},
    "boolean": {"a text": "true", "a number": 1},
    "quantity": {"a flag": True, "a mapping": {}},
    "port": {"a flag": True, "a fraction": 80.5, "a mapping": {}},
    "map": {"a text": "a", "a list": ["a"]},
    "object": {"a text": "a"},
}
#: Of a field that was changed at another place already, one change of as many.
_AGAIN = 3
_Changes = Iterator[tuple[str, Path, Any]]


class Mutation(NamedTuple):
    """A value for a path of a pod; None takes away what is there. No path: nothing is changed."""

    name: str
    #: The pod that is changed, by the place that it has something at.
    base: str
    path: Path
    value: Any


def mutations_of(tables: Tables) -> Iterator[Mutation]:
    """All of them: pods as they are, in the order of the fields, then several fields together."""
    bases = bases_of(tables)
    for place in bases:
        yield Mutation(f"{place or 'pod'}: as it is", place, (), None)
    seen: set[tuple[str, str]] = set()
    for field in tables.fields.values():
        again = (field.owner, field.name) in seen
        seen.add((field.owner, field.name))
        for mutation in _mutations_of_field(field, tables, bases):
            if not again or int(sha256(mutation.name.encode()).hexdigest(), 16) % _AGAIN == 0:
                yield mutation
    for name, base, path, value in combinations(tables, bases):
        yield Mutation(name, base, path, value)


def _mutations_of_field(
    field: Field, tables: Tables, bases: Mapping[str, Any]
) -> Iterator[Mutation]:
    base = field.place if field.properties else field.place.rpartition(".")[0]
    if field.properties:
        changes = _structures(field, tables, bases[base])
    else:
        changes = (_maps if field.type == "map" else _leaves)(field, tables)
    for label, path, value in changes:
        yield Mutation(f"{field.place}: {label}", base, path, value)


def _leaves(field: Field, tables: Tables) -> _Changes:
    values = tables.values(tables.meaning(field))
    for label, value in (values | _WRONG_TYPES[field.type]).items():
        yield label, field.path, [value] if field.is_list else value
    if field.is_list:
        good = next(iter(values.values()))
        yield "no items", field.path, []
        yield "one item twice", field.path, [good, good]
        yield "no list", field.path, good


def _maps(field: Field, tables: Tables) -> _Changes:
    keys, values = (tables.values(tables.meaning(field)[key]) for key in ("keys", "values"))
    good = next(iter(values.values()))
    for label, key in keys.items():
        yield f"key, {label}", field.path, {expanded(key): good}
    for label, value in values.items():
        yield f"value, {label}", field.path, {"tier": value}
    yield "empty", field.path, {}
    for label, value in _WRONG_TYPES["map"].items():
        yield label, field.path, value


def _structures(field: Field, tables: Tables, pod: Any) -> _Changes:
    one = field.place_of_one
    there = found(pod, one)
    yield "an unknown field", (*one, "unknownField"), "a"
    yield "a text", one, "a"
    yield "empty", one, {}
    for key in there:
        yield f"without {key}", (*one, key), None
    if field.is_list:
        yield "no items", field.path, []
        yield "one item twice", field.path, [there, there]
        # no mapping, which is something else in a spec: what all items have in common
        yield "no list", field.path, "a"
    yield from _pairs(field, tables, there)


def _pairs(field: Field, tables: Tables, there: dict[str, Any]) -> _Changes:
    """Two members of a union, of which one may be given."""
    members = tables.members(field)
    rest = {key: value for key, value in there.items() if key not in members}
    for pair in pairwise((*members, *members[:1])):
        both = {key: tables.sample(tables.fields[f"{field.place}.{key}"]) for key in pair}
        yield " and ".join(pair), field.place_of_one, {**rest, **both}
