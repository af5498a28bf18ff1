"""Messages of a platform's API, as the schemas of specs describe them.

`x-api-fields` are the fields that the API has of an object, in the order of its messages. Without
the list these are all that the schema names, but for the `readOnly` ones: only answers have them.
"""

from collections.abc import Callable

from renderer.backends.fields import text
from renderer.schema.bundle import Schema, bundled_schema, resolve_references
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain


class MessageShape(NamedTuple):
    """A part of a schema, which describes a message or a value in one."""

    part: Schema
    definitions: Schema

    @classmethod
    def of(cls, file: str, definition: str = "") -> "MessageShape":
        whole = bundled_schema(file)
        definitions = whole.get("definitions", {})
        return cls(definitions[definition] if definition else whole, definitions)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of its fields; none if it is data of the user's."""
        named: Schema = self.part.get("properties", {})
        listed = self.part.get("x-api-fields")
        return tuple(listed or (key for key, one in named.items() if not one.get("readOnly")))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of an enumeration, in the order of their numbers."""
        return tuple(self._usual_form.get("enum", ()))

    def member(self, key: str) -> "MessageShape":
        named = self.part.get("properties", {})
        return self._part(named[key] if key in named else self.part.get("additionalProperties"))

    def item(self) -> "MessageShape":
        return self._part(self.part.get("items"))

    def scalar(self, node: Node) -> Plain:
        """A value in the form that is sent, of all forms that a spec may write it in."""
        form, value = self._usual_form, node.plain()
        if form.get("type") == "integer" and isinstance(value, str) and value.isdecimal():
            return int(value)
        if not isinstance(value, int | float) or "string" not in form.get("type", ()):
            return value
        return self.names[int(value)] if 0 <= value < len(self.names) else text(node)

    @property
    def _usual_form(self) -> Schema:
        """The first of several forms, which may be written but are not sent."""
        return next(iter(self.part.get("anyOf", ())), self.part)

    def _part(self, part: object) -> "MessageShape":
        found = part if isinstance(part, dict) else {}
        return MessageShape(resolve_references(found, self.definitions), self.definitions)


def message(
    node: Node,
    shape: MessageShape,
    spell: Callable[[str], str] = str,
    *,
    has_empty_texts: bool = True,
) -> dict[str, Plain]:
    """What is sent of a mapping, with the names of fields in the spelling of the API."""

    def sent(value: Node, form: MessageShape) -> Plain:
        if isinstance(value.value, tuple):
            return [sent(item, form.item()) for item in value.elements]
        if not isinstance(value.value, dict):
            return form.scalar(value)
        if form.fields:
            return fields(value, form)
        return {key: sent(child, form.member(key)) for key, child in value.items.items()}

    def fields(owner: Node, form: MessageShape) -> dict[str, Plain]:
        given = ((key, owner.get(key)) for key in form.fields)
        said = {spell(key): sent(one, form.member(key)) for key, one in given if one is not None}
        left_out = (None,) if has_empty_texts else (None, "")
        return {key: value for key, value in said.items() if value not in left_out}

    return fields(node, shape)
