"""Values of a file by the paths of its spec: looked up, put in, taken out, brought into order.

A path names items of keyed lists by their labels. What a file says may differ in form from what the
spec has: keys in another spelling, variables in labels, one word to all items of a list. So the
file's tree goes along with its `bound` form, whose members stand in the same order.
"""

from collections.abc import Sequence

from renderer.compose.merge import items_by_key, label, labels
from renderer.compose.shapes import Shape
from renderer.values.diagnostics import Origin, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

REMOVED = "$remove"
_HERE = Origin("")
NOTHING = Node(None, _HERE)


class WrittenTree(NamedTuple):
    """A file's tree, and the same in the spelling of its kind with variables bound."""

    raw: Node
    bound: Node


def value_at(tree: Node | None, shape: Shape, path: Path) -> Node | None:
    """The value at a path of a spec."""
    node = tree
    for segment in path:
        if node is None:
            return None
        if _is_label(segment):
            items = {label(key): item for key, item in items_by_key(node, shape).items()}
            node, shape = items.get(str(segment)), shape.item()
        else:
            node, shape = node.items.get(str(segment)), shape.member(str(segment))
    return node


def writable(path: Path, trees: Sequence[Node], shape: Shape) -> Path:
    """As far as a file can follow a path: not into texts, nor into lists that are taken whole."""
    for length, segment in enumerate(path):
        sides = [value_at(tree, shape, path[:length]) for tree in trees]
        is_text = any(side is not None and isinstance(side.value, str) for side in sides)
        if is_text or isinstance(segment, int):
            return path[:length]
    return path


def put(now: WrittenTree, shape: Shape, path: Path, value: Node, like: Node | None) -> Node:
    """The file's tree with a value at a path; a new item has the keys of that one in `like`."""
    if not path:
        return value
    segment, rest = path[0], path[1:]
    if not _is_label(segment):
        return _put_member(now, shape, path, value, like)
    if now.raw.items:  # a word to all items
        return put(now, shape.item(), rest, value, None)
    number = _number(now.bound, shape, str(segment))
    inner = value_at(like, shape, (segment,))
    if number is None:
        known = inner.items if inner else {}
        new_item = Node({key: known[key] for key in shape.list_key if key in known}, _HERE)
        below = WrittenTree(new_item, new_item)
    else:
        below = WrittenTree(now.raw.elements[number], now.bound.elements[number])
    done = put(below, shape.item(), rest, value, inner)
    items = [*now.raw.elements, NOTHING] if number is None else [*now.raw.elements]
    items[-1 if number is None else number] = done if rest else _add_keys(done, below.raw, shape)
    return _list(now.raw, items)


def _put_member(now: WrittenTree, shape: Shape, path: Path, value: Node, like: Node | None) -> Node:
    name, rest = str(path[0]), path[1:]
    key = _spelling(now, name)
    known = now.raw.items.get(key, NOTHING)
    bound = NOTHING if known.value is None else now.bound.items[name]
    inner = like.items.get(name) if like else None
    done = put(WrittenTree(known, bound), shape.member(name), rest, value, inner)
    return Node({**now.raw.items, key: done}, now.raw.origin, now.raw.key)


def drop(now: WrittenTree, shape: Shape, path: Path, *, prune: bool) -> Node | None:
    """The file's tree without the value at a path; nothing if nothing is left.

    With `prune`, what only led there goes too.
    """
    if not path:
        return None
    if not _is_label(path[0]):
        return _drop_member(now, shape, path, prune=prune)
    if not isinstance(now.raw.value, tuple):  # a word to all items
        return drop(now, shape.item(), path[1:], prune=prune)
    number = _number(now.bound, shape, str(path[0]))
    if number is None:
        return now.raw
    below = WrittenTree(now.raw.elements[number], now.bound.elements[number])
    left = drop(below, shape.item(), path[1:], prune=prune)
    is_bare = left is not None and prune and left.items.keys() <= {*shape.list_key}
    kept = [] if left is None or is_bare else [left]
    items = [*now.raw.elements[:number], *kept, *now.raw.elements[number + 1 :]]
    return _list(now.raw, items) if items or not prune else None


def _drop_member(now: WrittenTree, shape: Shape, path: Path, *, prune: bool) -> Node | None:
    name = str(path[0])
    key = _spelling(now, name)
    if key not in now.raw.items:
        return now.raw
    below = WrittenTree(now.raw.items[key], now.bound.items[name])
    left = drop(below, shape.member(name), path[1:], prune=prune)
    members = {k: node for k, node in now.raw.items.items() if k != key or left is not None}
    if left is not None:
        members[key] = left
    return Node(members, now.raw.origin, now.raw.key) if members or not prune else None


def expand_items(now: WrittenTree, shape: Shape, path: Path, like: Node | None) -> Node:
    """The file's tree with words to all items on the way of a path said to each one in `like`."""
    if not path or like is None:
        return now.raw
    segment, rest = path[0], path[1:]
    if not _is_label(segment):
        key = _spelling(now, name := str(segment))
        if key not in now.raw.items:
            return now.raw
        below = WrittenTree(now.raw.items[key], now.bound.items[name])
        done = expand_items(below, shape.member(name), rest, like.items.get(name))
        return Node({**now.raw.items, key: done}, now.raw.origin, now.raw.key)
    if now.raw.items:
        now = WrittenTree(
            _copy_to_each(now.raw, shape, like), _copy_to_each(now.bound, shape, like)
        )
    number = _number(now.bound, shape, str(segment))
    if number is None:
        return now.raw
    below = WrittenTree(now.raw.elements[number], now.bound.elements[number])
    items = [*now.raw.elements]
    items[number] = expand_items(below, shape.item(), rest, value_at(like, shape, (segment,)))
    return _list(now.raw, items)


def _copy_to_each(word: Node, shape: Shape, like: Node) -> Node:
    """A list of the items in `like`, of each of which a word says the same."""
    keys = [{key: i.items[key] for key in shape.list_key if key in i.items} for i in like.elements]
    return _list(word, [Node({**one, **word.items}, _HERE) for one in keys])


def reorder(now: WrittenTree, shape: Shape, path: Path, order: Sequence[str]) -> Node:
    """The file's tree with the items of a list in the order of some labels, others behind them."""
    below, place = _find(now, shape, path)
    if below is None or not below.bound.elements:
        return now.raw
    names = labels(below.bound, place)
    ranks = {name: number for number, name in enumerate(order)}
    numbers = sorted(range(len(names)), key=lambda n: (ranks.get(names[n], len(ranks)), n))
    moved = _list(below.raw, [below.raw.elements[number] for number in numbers])
    return put(now, shape, path, moved, None)


def match_order(tree: Node, like: Node) -> Node:
    """A tree with the members of its mappings in the order of another one."""
    ranks = {key: number for number, key in enumerate(like.items)}
    names = sorted(tree.items, key=lambda key: ranks.get(key, len(ranks)))
    members = {
        key: match_order(tree.items[key], like.items[key]) if key in ranks else tree.items[key]
        for key in names
    }
    return Node(members, tree.origin) if members else tree


def _find(now: WrittenTree, shape: Shape, path: Path) -> tuple[WrittenTree | None, Shape]:
    """What the file has at a path, and its shape."""
    for segment in path:
        raw, bound = now
        if _is_label(segment):
            number = _number(bound, shape, str(segment))
            if number is None:
                return None, shape
            now, shape = WrittenTree(raw.elements[number], bound.elements[number]), shape.item()
        else:
            name = str(segment)
            key = _spelling(now, name)
            if key not in raw.items:
                return None, shape
            now, shape = WrittenTree(raw.items[key], bound.items[name]), shape.member(name)
    return now, shape


def _is_label(segment: str | int) -> bool:
    return isinstance(segment, str) and segment.startswith("[")


def _number(bound: Node, shape: Shape, segment: str) -> int | None:
    names = labels(bound, shape)
    return names.index(segment) if segment in names else None


def _spelling(now: WrittenTree, name: str) -> str:
    """The key as the file has it; members stand in the same order in both."""
    names = dict(zip(now.bound.items, now.raw.items, strict=False))
    return names.get(name, name)


def _add_keys(item: Node, known: Node, shape: Shape) -> Node:
    keys = {key: known.items[key] for key in shape.list_key if key in known.items}
    return Node({**keys, **item.items}, item.origin)


def _list(node: Node, items: Sequence[Node]) -> Node:
    return Node(tuple(items), node.origin, node.key)
