"""What is wrong with a document by a JSON Schema; the only module that knows jsonschema."""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend

from renderer.kubernetes.patterns import matches
from renderer.schema.patterns import regex
from renderer.schema.sources import Schema
from renderer.values.tree import Plain


def errors(data: Plain, schema: Schema) -> Iterator[Any]:
    """Every error of a document."""
    return iter(_Strict(schema).iter_errors(data))


def _pattern(
    _validator: Any, pattern: str, instance: Plain, _schema: Schema
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not regex(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _go_pattern(
    _validator: Any, pattern: str, instance: Plain, _schema: Schema
) -> Iterator[ValidationError]:
    """`goPattern` is what a user's CRD says, in the syntax of RE2."""
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _is_integer(_checker: Any, instance: object) -> bool:
    return isinstance(instance, int) and not isinstance(instance, bool)


_Strict = extend(  # type: ignore[no-untyped-call]
    Draft7Validator,
    {"pattern": _pattern, "goPattern": _go_pattern},
    type_checker=Draft7Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)
