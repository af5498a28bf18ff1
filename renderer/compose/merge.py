"""Layers of one tree folded into one: maps by key, keyed lists item by item, the rest replaced.

`null` takes away what the layers before it said. A mapping where a keyed list is expected speaks
to every item, whichever layer adds it. Every value keeps a trail of all that was said about it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from renderer.compose.shapes import Shape
from renderer.compose.unchanged import REMOVE, UnchangedPlaces
from renderer.values.diagnostics import Path
from renderer.values.tree import Node, Step

_CONTAINERS = (dict, tuple)
Key = tuple[str | int, ...]


class Addition(NamedTuple):
    """An item that an override adds to a list that it was expected to change, and its key."""

    path: Path
    key: Node


class Merged(NamedTuple):
    """The folded tree, and what its overrides add."""

    tree: Node
    additions: tuple[Addition, ...]
    broadcasts_without_items: tuple[Node, ...]


class _Said(NamedTuple):
    """What one layer says of a place; dead if a later layer took it away."""

    node: Node
    dead: bool = False
    to_all: bool = False


def merge(layers: Sequence[Node], shape: Shape) -> Merged:
    """Fold whole documents, the first being the most general."""
    fold = _Fold()
    tree = fold.place([_Said(node) for node in layers], shape, ())
    return Merged(tree or layers[-1], tuple(fold.additions), tuple(fold.broadcasts_without_items))


class _Fold:
    """One folding; collects what overrides add, and what is said to nobody."""

    def __init__(self) -> None:
        self.additions: list[Addition] = []
        self.broadcasts_without_items: list[Node] = []
        self._unchanged = UnchangedPlaces()

    def place(self, said: list[_Said], shape: Shape, path: Path) -> Node | None:
        """What remains of all that was said of a place; nothing if it was taken away."""
        if len(said) == 1 and not said[0].dead and self._unchanged.as_is(said[0].node, shape):
            return said[0].node
        said = _killed(said, _is_null)
        live = [word.node for word in said if not word.dead]
        if not live:
            return None
        if shape.list_key and all(isinstance(node.value, _CONTAINERS) for node in live):
            folded = self._list(said, shape, path)
        elif isinstance(live[-1].value, dict):
            folded = self._members(_killed(said, _is_no_mapping), shape, path)
        else:
            folded = live[-1]
        if len(said) == 1:
            return folded
        value, origin, key, text, _, gone = folded
        return Node(value, origin, key, text, _trail(said), gone)

    def _members(self, said: list[_Said], shape: Shape, path: Path) -> Node:
        maps = [word.node for word in said if not word.dead]
        parts = [node.items for node in maps]
        members: dict[str, Node] = {}
        gone: dict[str, tuple[Step, ...]] = {}
        for key in dict.fromkeys(chain.from_iterable(parts)):
            part = shape.member(key)
            if len(maps) == len(said) and (node := self._only(parts, key, part)):
                members[key] = node
                continue
            words = list(_words_of_member(said, key))
            folded = self.place(words, part, (*path, key))
            if folded is None:
                gone[key] = _trail(words)
            elif key != REMOVE:
                members[key] = folded
        return maps[-1].with_members(members, gone)

    def _only(self, maps: list[dict[str, Node]], key: str, shape: Shape) -> Node | None:
        """A member of which a single mapping speaks, if it stays as it is there."""
        nodes = [members[key] for members in maps if key in members]
        stays = len(nodes) == 1 and key != REMOVE and self._unchanged.as_is(nodes[0], shape)
        return nodes[0] if stays else None

    def _list(self, said: list[_Said], shape: Shape, path: Path) -> Node:
        items_of = [keyed(word.node, shape) for word in said]
        lists = [keys for keys, word in zip(items_of, said, strict=True) if _is_list(word)]
        items: list[Node] = []
        gone: dict[str, tuple[Step, ...]] = {}
        for key in dict.fromkeys(chain.from_iterable(lists)):
            words = list(_words_of_item(said, items_of, key))
            place = (*path, len(items))
            item = self._item(words, shape.item(), place)
            if item is None:
                gone[label(key)] = _trail(words)
                self.broadcasts_without_items += (w.node for w in words if len(words) == 1)
                continue
            items.append(item)
            if shape.warns_of_additions and key not in lists[0]:
                self.additions.append(Addition(place, item.get(shape.list_key[0]) or item))
        live = [word.node for word in said if not word.dead]
        if not items:
            self.broadcasts_without_items += (node for node in live if isinstance(node.value, dict))
        last = next((node for node in reversed(live) if isinstance(node.value, tuple)), live[-1])
        return last.with_members(tuple(items), gone)

    def _item(self, words: list[_Said], shape: Shape, path: Path) -> Node | None:
        """One item of a keyed list: where it stands is where it was last spoken of by itself."""
        own = _killed([word for word in words if not word.to_all], _is_removed)
        alive = [word.node for word in own if not word.dead]
        if not alive:
            return None
        if dead := {id(word.node) for word in own if word.dead}:
            words = [word._replace(dead=word.dead or id(word.node) in dead) for word in words]
        folded = self.place(words, shape, path)
        if folded is None or folded[1:3] == alive[-1][1:3]:
            return folded
        return folded._replace(origin=alive[-1].origin, key=alive[-1].key)


def _killed(said: list[_Said], ends: Callable[[Node], bool]) -> list[_Said]:
    """With everything up to the last living word that ends what came before it marked as dead."""
    for index in range(len(said) - 1, -1, -1):
        if not said[index].dead and ends(said[index].node):
            dead = (word._replace(dead=True) for word in said[: index + 1])
            return [*dead, *said[index + 1 :]]
    return said


def _is_null(node: Node) -> bool:
    return node.value is None


def _is_no_mapping(node: Node) -> bool:
    return not isinstance(node.value, dict)


def _is_removed(node: Node) -> bool:
    mark = node.items.get(REMOVE)
    return mark is not None and mark.value is True


def _words_of_member(said: list[_Said], key: str) -> Iterator[_Said]:
    for word in said:
        if key in word.node.items:
            yield _Said(word.node.items[key], word.dead)
        elif _is_null(word.node):
            yield word


def _is_list(word: _Said) -> bool:
    return not word.dead and isinstance(word.node.value, tuple)


def _words_of_item(said: list[_Said], items_of: list[dict[Key, Node]], key: Key) -> Iterator[_Said]:
    for word, items in zip(said, items_of, strict=True):
        if isinstance(word.node.value, dict):
            yield _Said(word.node, word.dead, to_all=True)
        elif key in items:
            yield _Said(items[key], word.dead)
        elif _is_null(word.node):
            yield word


def keyed(node: Node, shape: Shape) -> dict[Key, Node]:
    """The items of a list by their key; a key that stands twice is told apart by its count."""
    counts: dict[tuple[str, ...], int] = {}
    items: dict[Key, Node] = {}
    for item in node.elements:
        parts = tuple([_part(item, field) for field in shape.list_key])
        counts[parts] = count = counts.get(parts, -1) + 1
        items[*parts, count] = item
    return items


def _part(item: Node, field: str) -> str:
    node = item.items.get(field)
    return "" if node is None or node.value is None else str(node.value)


def labels(node: Node, shape: Shape) -> list[str]:
    """How a path names the items of a keyed list; nothing where a list has no key."""
    return [label(key) for key in keyed(node, shape)] if shape.list_key else []


def label(key: Key) -> str:
    """`[alice]`, `[alice/guest]`: how a path names an item."""
    return f"[{'/'.join(str(part) for part in key[:-1] if part)}]"


def _trail(said: list[_Said]) -> tuple[Step, ...]:
    return tuple(
        Step(word.node.origin, None if _is_null(word.node) or _is_removed(word.node) else word.node)
        for word in said
    )
