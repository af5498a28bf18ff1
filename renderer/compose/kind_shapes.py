"""How specs of each kind are made up, and environments, whose defaults are as the specs are."""

from functools import cache

from renderer.backends.kinds import ENVIRONMENT, KINDS, environment_schema, strict_schema
from renderer.compose.shapes import Shape
from renderer.text.wording import camel_case
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
        return respell(tree, kind_shape(kind.name))
    given = tree.get("defaults") if kind is ENVIRONMENT else None
    if given is None or not any(_takes_snake_case(name) for name in given.items):
        return tree
    defaults = {
        name: respell(node, kind_shape(name)) if _takes_snake_case(name) else node
        for name, node in given.items.items()
    }
    return tree.with_members({**tree.items, "defaults": given.with_members(defaults)})


def _takes_snake_case(kind: str) -> bool:
    return kind in KINDS and KINDS[kind].takes_snake_case


def respell(tree: Node, shape: Shape) -> Node:
    """A tree whose keys in snake_case are those in camelCase that its schema has instead.

    A key that stands there in both spellings is left for the schema to refuse. Keys of the user's
    own data are as they are.
    """
    if tree.elements:
        items = tuple(respell(item, shape.item()) for item in tree.elements)
        return tree if _is_same(items, tree.elements) else tree.with_members(items)
    if not tree.items or not shape.is_described:
        return tree
    if shape.list_key:  # a mapping here speaks to every item
        shape = shape.item()
    members = {}
    for key, node in tree.items.items():
        name = _known_name(key, tree, shape)
        members[name] = respell(node, shape.member(name))
    same_keys = members.keys() == tree.items.keys()
    if same_keys and _is_same(tuple(members.values()), tuple(tree.items.values())):
        return tree
    return tree.with_members(members)


def _known_name(key: str, tree: Node, shape: Shape) -> str:
    if "_" not in key or shape.has(key):
        return key
    other = camel_case(key)
    return other if shape.has(other) and other not in tree.items else key


def _is_same(some: tuple[Node, ...], others: tuple[Node, ...]) -> bool:
    return all(one is other for one, other in zip(some, others, strict=True))
