"""Keys as a kind writes them, where the JSON of its API knows a second spelling of each."""

from renderer.compose.shapes import Shape
from renderer.values.tree import Node


def spelled(tree: Node, shape: Shape) -> Node:
    """A tree whose keys in snake_case are those in camelCase that its schema has instead.

    A key that stands there in both spellings is left for the schema to refuse. Keys of the user's
    own data are as they are.
    """
    if tree.elements:
        items = tuple(spelled(item, shape.item()) for item in tree.elements)
        return tree if _is_same(items, tree.elements) else tree.with_members(items)
    if not tree.items or not shape.is_described:
        return tree
    if shape.list_key:  # a mapping here speaks to every item
        shape = shape.item()
    members = {}
    for key, node in tree.items.items():
        name = _known_name(key, tree, shape)
        members[name] = spelled(node, shape.member(name))
    same_keys = members.keys() == tree.items.keys()
    if same_keys and _is_same(tuple(members.values()), tuple(tree.items.values())):
        return tree
    return tree.with_members(members)


def _known_name(key: str, tree: Node, shape: Shape) -> str:
    if "_" not in key or shape.has(key):
        return key
    first, *rest = key.split("_")
    other = first + "".join(part[:1].upper() + part[1:] for part in rest)
    return other if shape.has(other) and other not in tree.items else key


def _is_same(some: tuple[Node, ...], others: tuple[Node, ...]) -> bool:
    return all(one is other for one, other in zip(some, others, strict=True))
