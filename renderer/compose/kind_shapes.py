"""How specs of each kind are made up, and environments, whose defaults are as the specs are."""

from copy import deepcopy
from functools import cache

from renderer.backends.kind_schemas import environment_schema, strict_schema
from renderer.backends.kinds import ENVIRONMENT, KINDS, kind_called
from renderer.compose.shapes import Shape
from renderer.schema.bundle import Schema
from renderer.text.wording import camel_case
from renderer.values.kinds import Kind, ListKeys
from renderer.values.tree import Node


@cache
def kind_shape(kind: Kind) -> Shape:
    """How specs of a kind merge, and environments, whose defaults merge as the specs do."""
    if kind is not ENVIRONMENT:
        schema = strict_schema(kind.name)
        schema = _add_list_keys(schema, kind.list_keys) if kind.list_keys else schema
        return Shape(schema, schema)
    schema = environment_schema(frozenset())
    described = Shape(schema, schema)
    described.member("defaults").adopt(shape_of)
    return described


def shape_of(name: str) -> Shape | None:
    """How specs of the kind of a name merge; nothing if there is no such kind."""
    kind = kind_called(name)
    return kind_shape(kind) if kind else None


def _add_list_keys(schema: Schema, list_keys: ListKeys) -> Schema:
    """A schema that also says which lists merge by which keys."""
    whole = deepcopy(schema)
    for path, keys in list_keys:
        place = whole
        for step in path:
            above = place if step == "*" else place.setdefault("properties", {})
            place = above.setdefault("items" if step == "*" else step, {})
        place["x-list-key"] = list(keys)
    return whole


def respell_keys(tree: Node, kind: Kind) -> Node:
    """A file in the spelling of its kind; of an environment, its defaults in that of theirs."""
    if kind.takes_snake_case:
        return respell(tree, kind_shape(kind))
    given = tree.get("defaults") if kind is ENVIRONMENT else None
    if given is None or not any(_is_respelt(name) for name in given.items):
        return tree
    defaults = {
        _usual_name(name): respell(node, kind_shape(KINDS[name]))
        if _takes_snake_case(name)
        else node
        for name, node in given.items.items()
    }
    return tree.with_members({**tree.items, "defaults": given.with_members(defaults)})


def _is_respelt(kind: str) -> bool:
    return _takes_snake_case(kind) or "." in kind


def _usual_name(name: str) -> str:
    """The name that specs of a kind have: its group is often left out."""
    kind = kind_called(name) if "." in name else None
    return kind.name if kind else name


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
