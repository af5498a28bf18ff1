"""Validation of a tree by a JSON Schema: a quick answer, or what jsonschema says, explained.

The only module that knows jsonschema, which is imported when something does not fit.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from renderer.kubernetes.patterns import matches
from renderer.schema.bundle import Schema
from renderer.schema.fit import FastValidator, regex
from renderer.values.diagnostics import Diagnostic, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain

_READY: dict[int, tuple[Schema, FastValidator]] = {}


class ShapeError(NamedTuple):
    """A value that does not fit its schema, or is missing: its path and the finding.

    What stands at the path cannot be relied on. An unknown key has no such path, unless another
    key was meant by it.
    """

    unreliable_path: Path | None
    diagnostic: Diagnostic


def check(tree: Node, schema: Schema) -> Iterator[Diagnostic]:
    """Everything in a tree that does not fit the schema, each at the line that set it."""
    return (error.diagnostic for error in shape_errors(tree, schema))


def shape_errors(tree: Node, schema: Schema) -> Iterator[ShapeError]:
    if fits(tree, schema):
        return
    from renderer.schema.explanation import explain

    for error in jsonschema_errors(tree.plain(), schema):
        for path, diagnostic in explain(error, tree, schema):
            yield ShapeError(path, diagnostic)


def fits(tree: Node, schema: Schema) -> bool:
    """Whether there is nothing to explain; made ready once for every schema object."""
    known = _READY.get(id(schema))
    if known is None:  # the schema is kept, so that its number stays its own
        known = _READY[id(schema)] = (schema, FastValidator(schema))
    return known[1].fits(tree.value)


def jsonschema_errors(data: Plain, schema: Schema) -> Iterator[Any]:
    return iter(_validator()(schema).iter_errors(data))


@cache
def _validator() -> Any:
    """Draft 7 with patterns as we read them; `goPattern` is what a user's CRD says, for RE2."""
    from jsonschema import Draft7Validator, ValidationError
    from jsonschema.validators import extend

    def pattern(_validator: Any, wanted: str, value: Plain, _schema: Schema) -> Iterator[Exception]:
        if isinstance(value, str) and not regex(wanted).search(value):
            yield ValidationError(f"{value!r} does not match {wanted!r}")

    def go_pattern(
        _validator: Any, wanted: str, value: Plain, _schema: Schema
    ) -> Iterator[Exception]:
        if isinstance(value, str) and not matches(wanted, value):
            yield ValidationError(f"{value!r} does not match {wanted!r}")

    def is_integer(_checker: Any, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    return extend(  # type: ignore[no-untyped-call]
        Draft7Validator,
        {"pattern": pattern, "goPattern": go_pattern},
        type_checker=Draft7Validator.TYPE_CHECKER.redefine("integer", is_integer),
    )
