"""How specs of each kind are made up, and environments, whose defaults are as the specs are."""

from functools import cache

from renderer.backends.kinds import ENVIRONMENT, KINDS, environment_schema, strict_schema
from renderer.compose.shapes import Shape
from renderer.compose.spelling import spelled
from renderer.values.model import Kind
from renderer.values.tree import Node


@cache
def shape_of(kind: str) -> Shape | None:
    """How specs of a kind merge, and environments, whose defaults merge as the specs do."""
    if kind not in KINDS:
        return None
    if kind != ENVIRONMENT.name:
        return Shape(strict_schema(kind), strict_schema(kind))
    schema = environment_schema(frozenset())
    described = Shape(schema, schema)
    described.member("defaults").adopt(shape_of)
    return described


def kind_shape(kind: str) -> Shape:
    found = shape_of(kind)
    if found is None:
        raise ValueError(f"there is no kind {kind!r}")
    return found


def respell_keys(tree: Node, kind: Kind) -> Node:
    """A file in the spelling of its kind; of an environment, its defaults in that of theirs."""
    if kind.takes_snake_case:
        return spelled(tree, kind_shape(kind.name))
    given = tree.get("defaults") if kind is ENVIRONMENT else None
    if given is None or not any(_takes_snake_case(name) for name in given.items):
        return tree
    defaults = {
        name: spelled(node, kind_shape(name)) if _takes_snake_case(name) else node
        for name, node in given.items.items()
    }
    return tree.with_members({**tree.items, "defaults": given.with_members(defaults)})


def _takes_snake_case(kind: str) -> bool:
    return kind in KINDS and KINDS[kind].takes_snake_case
