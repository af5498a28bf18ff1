"""Validation of a tree by a JSON Schema: a quick answer, or an explanation."""

from collections.abc import Iterator

from renderer.schema.fit import Fitting
from renderer.schema.sources import Schema
from renderer.schema.validation_errors import Misfit
from renderer.values.diagnostics import Diagnostic
from renderer.values.tree import Node

_READY: dict[int, tuple[Schema, Fitting]] = {}


def check(tree: Node, schema: Schema) -> Iterator[Diagnostic]:
    """Everything in a tree that does not fit the schema, each at the line that set it."""
    return (misfit.found for misfit in misfits(tree, schema))


def misfits(tree: Node, schema: Schema) -> Iterator[Misfit]:
    """What does not fit, with the path of the value that would have to be another one."""
    if fits(tree, schema):
        return
    from renderer.schema.explanation import explain
    from renderer.schema.jsonschema_errors import errors

    for error in errors(tree.plain(), schema):
        yield from explain(error, tree)


def fits(tree: Node, schema: Schema) -> bool:
    """Whether there is nothing to explain; made ready once for every schema object."""
    known = _READY.get(id(schema))
    if known is None:  # the schema is kept, so that its number stays its own
        known = _READY[id(schema)] = (schema, Fitting(schema))
    return known[1].fits(tree.value)
