"""Validation of a tree by a JSON Schema; the only module that knows jsonschema."""

import re
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend

from renderer.diagnostics import Diagnostic
from renderer.schemacheck.explaining import Misfit, explain
from renderer.schemacheck.sources import Schema
from renderer.tree import Node, Plain

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)
_ENDS = {"$": r"\Z", r"\z": r"\Z"}


def check(tree: Node, schema: Schema) -> Iterator[Diagnostic]:
    """Everything in a tree that does not fit the schema, each at the line that set it."""
    return (misfit.found for misfit in misfits(tree, schema))


def misfits(tree: Node, schema: Schema) -> Iterator[Misfit]:
    """What does not fit, with the path of the value that would have to be another one."""
    data = tree.plain()
    for error in _Strict(schema).iter_errors(data):
        yield from explain(error, tree)


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    """As ECMA and Go read it: `$` is the very end, classes are ASCII."""
    return re.compile(_TOKEN.sub(lambda token: _ENDS.get(token[0], token[0]), pattern), re.ASCII)


def unreadable(pattern: str) -> str:
    """Why a pattern of somebody else's schema cannot be used; nothing if it can."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # `[[:alpha:]]` is a class of its own elsewhere
            _regex(pattern)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        return str(error)
    return ""


def _pattern(
    _validator: Any, pattern: str, instance: Plain, _schema: Schema
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _regex(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _is_integer(_checker: Any, instance: object) -> bool:
    return isinstance(instance, int) and not isinstance(instance, bool)


_Strict = extend(  # type: ignore[no-untyped-call]
    Draft7Validator,
    {"pattern": _pattern},
    type_checker=Draft7Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)
