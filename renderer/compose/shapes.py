"""How a schema describes a place in a tree: its members, its items, and what merges by key."""

from collections.abc import Callable

from renderer.schema.bundle import Schema
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

#: What one of several alternatives needs, another one may do without.
_NOT_NEEDED: Schema = {"required": [], "x-needs": []}


class Shape:
    """A place in a schema; anything below an undescribed place is undescribed too.

    `list_key` are the fields that tell the items of a list apart, none if the list is replaced
    whole. `additions` says what it means that only an override adds an item: each is worth a
    warning (`warn`), or one whose name is nearly that of another is a mistake (`alike`); without
    it, such a name is worth a warning. A text here may be a JSON document, and values amount to
    something, in whichever form they are written. `yaml_document` is what a text here holds, if it
    holds YAML. A shell or the platform `has_placeholders` in texts here and below.
    """

    __slots__ = (
        "_adopted",
        "_items",
        "_members",
        "_needs",
        "_others",
        "_properties",
        "_root",
        "_schema",
        "additions",
        "has_placeholders",
        "is_json_text",
        "is_quantity",
        "list_key",
        "needs_items",
        "yaml_document",
    )

    def __init__(self, schema: Schema, root: Schema, *, has_placeholders: bool = False) -> None:
        self._root = root
        self._schema = _resolve(schema, root)
        self._properties: Schema = self._schema.get("properties", {})
        self._members: dict[str, Shape] = {}
        self._adopted: Callable[[str], Shape | None] | None = None
        self._others: Shape | None = None
        self._items: Shape | None = None
        self.list_key: tuple[str, ...] = tuple(self._schema.get("x-list-key", ()))
        self.additions: str = self._schema.get("x-additions", "")
        self.needs_items = bool(self._schema.get("minItems"))
        self._needs = (*((key,) for key in self._schema.get("required", ())), *_needs(self._schema))
        self.is_json_text = bool(self._schema.get("x-json-text"))
        self.is_quantity = bool(self._schema.get("x-quantity"))
        self.yaml_document = self._document()
        own = self._schema.get("x-placeholders", self.yaml_document is not None)
        self.has_placeholders = has_placeholders or bool(own)

    def adopt(self, known: Callable[[str], "Shape | None"]) -> None:
        """Take shapes of other schemas for the members that they are known for."""
        self._adopted = known

    @property
    def is_described(self) -> bool:
        """Whether the schema says anything of this place; else what is there is the user's data."""
        return bool(self._schema)

    def has(self, key: str) -> bool:
        """Whether the schema itself names a member."""
        return key in self._properties

    @property
    def keys(self) -> frozenset[str]:
        """The members that the schema itself names."""
        return frozenset(self._properties)

    def lacks(self, node: Node) -> list[str]:
        """What an object here does not have although each one has it, in one of several ways."""
        return [ways[0] for ways in self._needs if not any(node.get(*_path(way)) for way in ways)]

    def member(self, key: str) -> "Shape":
        known = self._members.get(key)
        if known is None and self._adopted:
            known = self._adopted(key)
        if known is None:
            schema = self._properties.get(key)
            if not schema:
                return self._others or self._other()  # one for all of them: keys are the user's
            known = self._members[key] = self._part(schema)
        return known

    def item(self) -> "Shape":
        if self._items is None:
            self._items = self._part(self._schema.get("items", {}))
        return self._items

    def child(self, segment: str | int) -> "Shape":
        return self.item() if isinstance(segment, int) else self.member(segment)

    def _document(self) -> "Shape | None":
        """`x-yaml-text` is the schema of a document, or true if nothing is known of it."""
        marked = self._schema.get("x-yaml-text")
        return Shape(marked if isinstance(marked, dict) else {}, self._root) if marked else None

    def _other(self) -> "Shape":
        schema = self._schema.get("additionalProperties")
        self._others = self._part(schema if isinstance(schema, dict) else {})
        return self._others

    def _part(self, schema: Schema) -> "Shape":
        if not schema and not self._schema:
            return self
        return Shape(schema, self._root, has_placeholders=self.has_placeholders)


def _path(way: str) -> Path:
    return tuple(int(part) if part.isdecimal() else part for part in way.split("."))


def _needs(schema: Schema) -> tuple[tuple[str, ...], ...]:
    """`x-needs`: ways to have what every object has, as paths below it; the usual one first."""
    return tuple(tuple(ways) for ways in schema.get("x-needs", ()))


def _resolve(schema: Schema, root: Schema) -> Schema:
    """The schema with references followed and combinations laid over each other."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return _resolve(root["definitions"][name], root)
    merged: Schema = {}
    for part in schema.get("allOf", ()):
        merged = _join(merged, _resolve(part, root))
    for part in schema.get("anyOf", ()):
        merged = _join(merged, {**_resolve(part, root), **_NOT_NEEDED})
    return _join(schema, merged) if merged else schema


def _join(first: Schema, second: Schema) -> Schema:
    """What both say; of a keyword that is not about members, what the first says."""
    both = {**second, **first}
    if "properties" in first and "properties" in second:
        one, other = first["properties"], second["properties"]
        shared = {key: _either_schema(one[key], other[key]) for key in one if key in other}
        both["properties"] = {**other, **one, **shared}
    for key in _NOT_NEEDED:
        both[key] = [*first.get(key, ()), *second.get(key, ())]
    return both


def _either_schema(one: Schema, other: Schema) -> Schema:
    return one if one == other else {"anyOf": [one, other]}
