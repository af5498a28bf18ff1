"""Fields and values that only some versions of a product have, as schemas say.

`"x-since": "PRODUCT 1.5.0"` names the version that brought a field, `"x-since": {"VALUE": "PRODUCT
1.5.0"}` the one that brought a value of it. `x-until` names the last version that has it, and
`x-instead` the field that the others have. The product is named because one schema may mention
several: a pod is described once for all platforms.
"""

from collections.abc import Iterator
from functools import cache

from renderer.schema.bundle import Schema, bundled_schema
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

Numbers = tuple[int, ...]
_ITEM = 0
#: The keywords that lead to a version; most parts of a schema have none of them.
_TELLING = frozenset(("properties", "items", "allOf", "anyOf", "$ref", "x-since", "x-until"))


class Span(NamedTuple):
    """The versions that have something, the first and the last; "" where there is no such bound."""

    since: str = ""
    until: str = ""
    instead: str = ""

    @property
    def first(self) -> Numbers:
        """The numbers of the first version; without a bound, less than those of any other."""
        return _numbers(self.since)

    @property
    def last(self) -> Numbers:
        return _numbers(self.until)


class VersionedValue(NamedTuple):
    """A field that only some versions have, or a `value` of it; "" if it is the field itself."""

    path: Path
    value: str
    span: Span


class _Place(NamedTuple):
    """What a schema says of a place, by value and of the field itself (""), and of those below."""

    spans: dict[str, Span]
    below: "dict[str | int, _Place]"


_NOTHING = _Place({}, {})


class VersionedSchema(NamedTuple):
    """What a bundled schema, or a definition in it, says of the versions of a product."""

    product: str
    name: str
    definition: str = ""

    def values_in(self, tree: Node) -> Iterator[VersionedValue]:
        """All in a tree of this schema that only some versions have, parents first."""
        return _found(tree, _root(self), ())

    def span_of(self, path: Path, value: str = "") -> Span:
        """The versions that have a field, or a value of it, by the latest of its parents."""
        place, found = _root(self), Span()
        for key in path:
            place = place.below.get(_ITEM if isinstance(key, int) else key, _NOTHING)
            found = max(found, place.spans.get("", found), key=lambda span: span.first)
        return max(found, place.spans.get(value, found), key=lambda span: span.first)


def _found(node: Node, place: _Place, path: Path) -> Iterator[VersionedValue]:
    for value, span in place.spans.items():
        if not value or node.value == value:
            yield VersionedValue(path, value, span)
    for key, below in place.below.items():
        if isinstance(key, int):
            for index, item in enumerate(node.elements):
                yield from _found(item, below, (*path, index))
        elif child := node.items.get(key):
            yield from _found(child, below, (*path, key))


@cache
def _root(schema: VersionedSchema) -> _Place:
    whole = bundled_schema(schema.name)
    definitions = whole.get("definitions", {})
    #: By identity: many places have the same parts, such as those of pods.
    known: dict[int, _Place] = {}

    def place_of(part: Schema) -> _Place:
        if _TELLING.isdisjoint(part):
            return _NOTHING
        if id(part) not in known:
            known[id(part)] = read(part)
        return known[id(part)]

    def read(part: Schema) -> _Place:
        if "$ref" in part:
            return place_of(definitions[str(part["$ref"]).rpartition("/")[2]])
        inner: dict[str | int, Schema] = {**part.get("properties", {})}
        if "items" in part:
            inner[_ITEM] = part["items"]
        below = {key: found for key, one in inner.items() if (found := place_of(one)) != _NOTHING}
        spans = _spans(part, schema.product)
        for other in (*part.get("allOf", ()), *part.get("anyOf", ())):
            more = place_of(other)
            spans, below = {**spans, **more.spans}, {**below, **more.below}
        return _Place(spans, below)

    return place_of(definitions[schema.definition] if schema.definition else whole)


def _spans(part: Schema, product: str) -> dict[str, Span]:
    if "x-since" not in part and "x-until" not in part:
        return {}
    since, until = (
        _versions_by_value(part.get(key, {}), product) for key in ("x-since", "x-until")
    )
    instead = str(part.get("x-instead", ""))
    both = {**since, **until}
    return {value: Span(since.get(value, ""), until.get(value, ""), instead) for value in both}


def _versions_by_value(said: str | dict[str, str], product: str) -> dict[str, str]:
    """The versions of a product that a keyword names, by value; of the field itself as ""."""
    by_value = {"": said} if isinstance(said, str) else said
    split = ((value, text.rpartition(" ")) for value, text in by_value.items())
    return {value: version for value, (name, _, version) in split if name == product}


def _numbers(version: str) -> Numbers:
    return tuple(map(int, version.split("."))) if version else ()
