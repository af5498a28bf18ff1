"""How a schema describes a place in a tree: its members, its items, and what merges by key."""

from typing import Any

from renderer.schemacheck.sources import Schema


class Shape:
    """A place in a schema; anything below an undescribed place is undescribed too."""

    __slots__ = ("_items", "_members", "_root", "_schema")

    def __init__(self, schema: Schema, root: Schema) -> None:
        self._root = root
        self._schema = _resolved(schema, root)
        self._members: dict[str, Shape] = {}
        self._items: Shape | None = None

    @property
    def list_key(self) -> tuple[str, ...]:
        """The fields that tell the items of a list apart; none if the list is replaced whole."""
        return tuple(self._schema.get("x-list-key", ()))

    @property
    def warns_of_additions(self) -> bool:
        """Whether an item that only an override adds is worth a word."""
        return bool(self._schema.get("x-additions"))

    @property
    def is_json_text(self) -> bool:
        """Whether a text here is a JSON document."""
        return bool(self._schema.get("x-json-text"))

    @property
    def is_quantity(self) -> bool:
        """Whether values here amount to something, in whichever form they are written."""
        return bool(self._schema.get("x-quantity"))

    def member(self, key: str) -> "Shape":
        if key not in self._members:
            schema = self._schema.get("properties", {}).get(key)
            other = self._schema.get("additionalProperties")
            found = schema or (other if isinstance(other, dict) else {})
            self._members[key] = Shape(found, self._root)
        return self._members[key]

    def item(self) -> "Shape":
        if self._items is None:
            self._items = Shape(self._schema.get("items", {}), self._root)
        return self._items


def _resolved(schema: Schema, root: Schema) -> Schema:
    """The schema with references followed and combinations laid over each other."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return _resolved(root["definitions"][name], root)
    merged: dict[str, Any] = {}
    for part in (*schema.get("allOf", ()), *schema.get("anyOf", ())):
        merged = {**_resolved(part, root), **merged}
    return {**merged, **schema}
