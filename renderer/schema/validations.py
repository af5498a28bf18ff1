"""Where a CRD has rules of its own (`x-kubernetes-validations`), and what each of them says."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from renderer.schema.bundle import Schema
from renderer.values.diagnostics import Origin
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

VALIDATIONS = "x-kubernetes-validations"
_SEGMENT = re.compile(r"\.([^.\[\]']+)|\['((?:[^'\\]|\\.)*)'\]")
_ESCAPED = re.compile(r"\\(.)")


class SchemaRule(NamedTuple):
    """One rule of a schema: an expression over `self`, and what is said where it is not true.

    `reason` is a word of Kubernetes, such as `FieldValueRequired`. With `optional_old_self` the
    rule is asked of new values too, and the former one is an optional value.
    """

    expression: str
    message: str
    message_expression: str
    reason: str
    field_path: tuple[str, ...]
    optional_old_self: bool
    origin: Origin


class RuledSchema(NamedTuple):
    """A part of a schema that has rules, or whose parts have some.

    `values` are those of a mapping without named fields; each of `all_of` is about the same value.
    """

    schema: Schema
    rules: tuple[SchemaRule, ...]
    properties: "Mapping[str, RuledSchema]"
    items: "RuledSchema | None"
    values: "RuledSchema | None"
    all_of: "tuple[RuledSchema, ...]"

    @property
    def has_rules(self) -> bool:
        return bool(self.rules or self.properties or self.items or self.values or self.all_of)


@cached_by_identity
def ruled_schema(node: Node) -> RuledSchema | None:
    """The parts of a structural schema that have rules; nothing if it has none."""
    return _ruled(node, node.plain())


def _ruled(node: Node | None, schema: Any) -> RuledSchema | None:
    """A part that a node describes; what `allOf` adds is about values of the same schema."""
    if node is None or not isinstance(schema, dict):
        return None
    fields = node.get("properties")
    named = {name: _ruled(part, _at(schema, name)) for name, part in _members(fields).items()}
    found = RuledSchema(
        schema,
        tuple(_rules(node.get(VALIDATIONS))),
        {name: part for name, part in named.items() if part},
        _ruled(node.get("items"), schema.get("items")),
        _ruled(node.get("additionalProperties"), schema.get("additionalProperties")),
        tuple(part for one in _elements(node.get("allOf")) if (part := _ruled(one, schema))),
    )
    return found if found.has_rules else None


def _at(schema: Schema, name: str) -> Any:
    fields = schema.get("properties")
    return fields.get(name) if isinstance(fields, dict) else None


def _members(node: Node | None) -> Mapping[str, Node]:
    return node.items if node else {}


def _elements(node: Node | None) -> tuple[Node, ...]:
    return node.elements if node else ()


def _rules(node: Node | None) -> Iterator[SchemaRule]:
    for item in _elements(node):
        expression = item.get("rule")
        if expression and expression.value and isinstance(expression.value, str):
            optional = item.get("optionalOldSelf")
            yield SchemaRule(
                expression.value,
                item.text_at("message").strip(),
                item.text_at("messageExpression"),
                item.text_at("reason"),
                tuple(_segments(item.text_at("fieldPath"))),
                bool(optional and optional.value),
                expression.origin,
            )


def _segments(path: str) -> Iterator[str]:
    """Of a path such as `.spec['a.b'].name`."""
    for match in _SEGMENT.finditer(path):
        yield match[1] or _ESCAPED.sub(r"\1", match[2])
