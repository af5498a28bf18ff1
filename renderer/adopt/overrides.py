"""What a file must say so that, with all that it inherits, a certain spec comes out."""

from collections.abc import Sequence

from renderer.compose.merge import Key, items_by_key, merge
from renderer.compose.shapes import Shape
from renderer.compose.unchanged import REMOVE
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node

_NOTHING = Origin("", 0, 0, "takes away what is inherited")
_NULL = Node(None, _NOTHING)
_GONE = Node(True, _NOTHING)


def override(wanted: Node, defaults: Sequence[Node], above: Sequence[Node], shape: Shape) -> Node:
    """The wanted tree, less what the files above say, and without what was not asked for.

    `defaults` hold for all specs of a kind, `above` are the files of the same spec in the
    environments above. What a default says in the same words is said again: it may change.
    """
    own = wanted
    if above:
        inherited = merge([*defaults, *above], shape).tree
        own = remainder(wanted, inherited, shape) or wanted.with_members({})
    if not defaults and not above:
        return own
    composed = merge([*defaults, *above, own], shape).tree
    return _remove_extras(own, composed, wanted, shape)


def remainder(wanted: Node, inherited: Node, shape: Shape) -> Node | None:
    """What is to be said of a place; nothing if it is inherited as it is."""
    if isinstance(wanted.value, dict) and isinstance(inherited.value, dict):
        return _remaining_members(wanted, inherited, shape)
    if shape.list_key and isinstance(wanted.value, tuple) and isinstance(inherited.value, tuple):
        return _remaining_items(wanted, inherited, shape)
    return None if wanted.plain() == inherited.plain() else wanted


def _remaining_members(wanted: Node, inherited: Node, shape: Shape) -> Node | None:
    own: dict[str, Node] = {}
    for key, node in wanted.items.items():
        known = inherited.items.get(key)
        rest = node if known is None else remainder(node, known, shape.member(key))
        if rest is not None:
            own[key] = rest
    return wanted.with_members(own) if own else None


def _remaining_items(wanted: Node, inherited: Node, shape: Shape) -> Node | None:
    known = items_by_key(inherited, shape)
    items: list[Node] = []
    for key, item in items_by_key(wanted, shape).items():
        rest = item if key not in known else remainder(item, known[key], shape.item())
        if rest is not None:
            names = {name: item.items[name] for name in shape.list_key if name in item.items}
            items.append(rest.with_members({**names, **rest.items}))
    return wanted.with_members(tuple(items)) if items else None


def _remove_extras(own: Node, composed: Node, wanted: Node, shape: Shape) -> Node:
    """What is said, and a word against each thing that came out and is not wanted."""
    if isinstance(composed.value, dict) and isinstance(wanted.value, dict):
        members = dict(own.items)
        for key, node in composed.items.items():
            if key not in wanted.items:
                members[key] = _NULL
            elif node.plain() != wanted.items[key].plain():
                start = members.get(key) or wanted.items[key].with_members({})
                members[key] = _remove_extras(start, node, wanted.items[key], shape.member(key))
        return own.with_members(members)
    if shape.list_key and isinstance(composed.value, tuple) and isinstance(wanted.value, tuple):
        return _remove_extra_items(own, composed, wanted, shape)
    return own


def _remove_extra_items(own: Node, composed: Node, wanted: Node, shape: Shape) -> Node:
    own_items, wanted_items = items_by_key(own, shape), items_by_key(wanted, shape)
    for key, item in items_by_key(composed, shape).items():
        if key not in wanted_items:
            own_items[key] = item.with_members({**_names(item, shape), REMOVE: _GONE})
        elif item.plain() != wanted_items[key].plain():
            start = own_items.get(key) or item.with_members(_names(item, shape))
            own_items[key] = _remove_extras(start, item, wanted_items[key], shape.item())
    return own.with_members(tuple(own_items[key] for key in _ordered_keys(own_items, wanted_items)))


def _names(item: Node, shape: Shape) -> dict[str, Node]:
    return {name: item.items[name] for name in shape.list_key if name in item.items}


def _ordered_keys(own_items: dict[Key, Node], wanted_items: dict[Key, Node]) -> list[Key]:
    return [
        *(key for key in wanted_items if key in own_items),
        *(key for key in own_items if key not in wanted_items),
    ]
