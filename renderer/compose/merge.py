"""Layers of one tree folded into one: maps by key, keyed lists item by item, the rest replaced.

`null` takes away what the layers before it said. A mapping where a keyed list is expected speaks
to every item, whichever layer adds it. Every value keeps a trail of all that was said about it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain

from renderer.compose.shapes import Shape
from renderer.compose.unchanged import REMOVE, UnchangedPlaces
from renderer.text.wording import misspelt
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Step

_CONTAINERS = (dict, tuple)
Key = tuple[str | int, ...]


class Addition(NamedTuple):
    """An item that an override adds to a list that it was expected to change, and its key.

    `alike` is the key of an item that is there; one of the two is perhaps misspelt. `lacks` is what
    a whole item has and this one has not. `expected` is what the schema says of additions.
    """

    path: Path
    key: Node
    alike: Node | None = None
    lacks: tuple[str, ...] = ()
    expected: str = ""

    @property
    def is_mistake(self) -> bool:
        """Whether it was meant to change an item that is there."""
        return bool(self.lacks or (self.alike and self.expected == "alike"))


class MergeResult(NamedTuple):
    """The folded tree, and what its overrides add."""

    tree: Node
    additions: tuple[Addition, ...]
    broadcasts_without_items: tuple[Node, ...]


class _LayerValue(NamedTuple):
    """What one layer says of a place; dropped if a later one took it away."""

    node: Node
    is_dropped: bool = False
    is_broadcast: bool = False
    is_default: bool = False


def merge(layers: Sequence[Node], shape: Shape, defaults: int = 0) -> MergeResult:
    """Fold whole documents, the first being the most general; so many of them are defaults."""
    fold = _Fold()
    values = [_LayerValue(node, is_default=n < defaults) for n, node in enumerate(layers)]
    tree = fold.place(values, shape, ())
    return MergeResult(
        tree or layers[-1], tuple(fold.additions), tuple(fold.broadcasts_without_items)
    )


class _Fold:
    """One folding; collects what overrides add, and which broadcasts reach no item."""

    def __init__(self) -> None:
        self.additions: list[Addition] = []
        self.broadcasts_without_items: list[Node] = []
        self._unchanged = UnchangedPlaces()

    def place(self, layers: list[_LayerValue], shape: Shape, path: Path) -> Node | None:
        """What remains of a place after all layers; nothing if it was taken away."""
        if (
            len(layers) == 1
            and not layers[0].is_dropped
            and self._unchanged.is_unchanged(layers[0].node, shape)
        ):
            return layers[0].node
        layers = _dropped_before(layers, _is_null)
        live = [layer.node for layer in layers if not layer.is_dropped]
        if not live:
            return None
        if shape.list_key and all(isinstance(node.value, _CONTAINERS) for node in live):
            folded = self._list(layers, shape, path)
        elif isinstance(live[-1].value, dict):
            folded = self._members(_dropped_before(layers, _is_no_mapping), shape, path)
        else:
            folded = live[-1]
        if len(layers) == 1:
            return folded
        value, origin, key, text, _, gone = folded
        return Node(value, origin, key, text, _trail(layers), gone)

    def _members(self, layers: list[_LayerValue], shape: Shape, path: Path) -> Node:
        maps = [layer.node for layer in layers if not layer.is_dropped]
        parts = [node.items for node in maps]
        members: dict[str, Node] = {}
        gone: dict[str, tuple[Step, ...]] = {}
        for key in dict.fromkeys(chain.from_iterable(parts)):
            part = shape.member(key)
            if len(maps) == len(layers) and (node := self._only(parts, key, part)):
                members[key] = node
                continue
            inner = list(_member_values(layers, key))
            folded = self.place(inner, part, (*path, key))
            if folded is None:
                gone[key] = _trail(inner)
            elif key != REMOVE:
                members[key] = folded
        return maps[-1].with_members(members, gone)

    def _only(self, maps: list[dict[str, Node]], key: str, shape: Shape) -> Node | None:
        """A member of which a single mapping speaks, if it stays as it is there."""
        nodes = [members[key] for members in maps if key in members]
        stays = len(nodes) == 1 and key != REMOVE and self._unchanged.is_unchanged(nodes[0], shape)
        return nodes[0] if stays else None

    def _list(self, layers: list[_LayerValue], shape: Shape, path: Path) -> Node:
        items_of = [items_by_key(layer.node, shape) for layer in layers]
        lists = [keys for keys, layer in zip(items_of, layers, strict=True) if _is_list(layer)]
        items: list[Node] = []
        places: dict[Key, Path] = {}
        gone: dict[str, tuple[Step, ...]] = {}
        for key in dict.fromkeys(chain.from_iterable(lists)):
            inner = list(_item_values(layers, items_of, key))
            place = (*path, len(items))
            item = self._item(inner, shape.item(), place)
            if item is None:
                gone[label(key)] = _trail(inner)
                self.broadcasts_without_items += (w.node for w in inner if len(inner) == 1)
                continue
            items.append(item)
            places[key] = place
        pairs = zip(items_of, layers, strict=True)
        own = [keys for keys, layer in pairs if _is_list(layer) and not layer.is_default]
        if len(own) > 1:
            self.additions += _additions(own, places, items, shape)
        live = [layer.node for layer in layers if not layer.is_dropped]
        if not items and not shape.needs_items:  # that it is empty is a finding of its shape
            self.broadcasts_without_items += (node for node in live if isinstance(node.value, dict))
        last = next((node for node in reversed(live) if isinstance(node.value, tuple)), live[-1])
        return last.with_members(tuple(items), gone)

    def _item(self, inner: list[_LayerValue], shape: Shape, path: Path) -> Node | None:
        """One item of a keyed list: where it stands is where it was last spoken of by itself."""
        own = _dropped_before([layer for layer in inner if not layer.is_broadcast], _is_removed)
        alive = [layer.node for layer in own if not layer.is_dropped]
        if not alive:
            return None
        if dropped := {id(layer.node) for layer in own if layer.is_dropped}:
            inner = [
                layer._replace(is_dropped=layer.is_dropped or id(layer.node) in dropped)
                for layer in inner
            ]
        folded = self.place(inner, shape, path)
        stands = alive[-1].origin, alive[-1].key
        if folded is None or (folded.origin, folded.key) == stands:
            return folded
        return folded._replace(origin=alive[-1].origin, key=alive[-1].key)


def _dropped_before(layers: list[_LayerValue], ends: Callable[[Node], bool]) -> list[_LayerValue]:
    """With everything up to the last layer that ends what came before it marked as dropped."""
    for index in range(len(layers) - 1, -1, -1):
        if not layers[index].is_dropped and ends(layers[index].node):
            is_dropped = (layer._replace(is_dropped=True) for layer in layers[: index + 1])
            return [*is_dropped, *layers[index + 1 :]]
    return layers


def _is_null(node: Node) -> bool:
    return node.value is None


def _is_no_mapping(node: Node) -> bool:
    return not isinstance(node.value, dict)


def _is_removed(node: Node) -> bool:
    mark = node.items.get(REMOVE)
    return mark is not None and mark.value is True


def _member_values(layers: list[_LayerValue], key: str) -> Iterator[_LayerValue]:
    for layer in layers:
        if key in layer.node.items:
            yield _LayerValue(layer.node.items[key], layer.is_dropped, is_default=layer.is_default)
        elif _is_null(layer.node):
            yield layer


def _is_list(layer: _LayerValue) -> bool:
    return not layer.is_dropped and isinstance(layer.node.value, tuple)


def _item_values(
    layers: list[_LayerValue], items_of: list[dict[Key, Node]], key: Key
) -> Iterator[_LayerValue]:
    for layer, items in zip(layers, items_of, strict=True):
        if isinstance(layer.node.value, dict):
            yield layer._replace(is_broadcast=True)
        elif key in items:
            yield _LayerValue(items[key], layer.is_dropped, is_default=layer.is_default)
        elif _is_null(layer.node):
            yield layer


def _additions(
    lists: list[dict[Key, Node]], places: Mapping[Key, Path], items: list[Node], shape: Shape
) -> Iterator[Addition]:
    """The items that only an override has; `places` are those of the items that remain."""
    for key, place in places.items():
        first = next((n for n, keys in enumerate(lists) if key in keys), 0)
        if first == 0:
            continue
        above = {one for keys in lists[:first] for one in keys}
        beside = {one for keys in lists if key in keys for one in keys}
        alike = _alike(key, above.intersection(places) - beside)
        lacks = tuple(shape.item().lacks(items[int(place[-1])])) if above else ()
        own = lists[first][key]
        if alike or lacks or shape.additions == "warn":
            found = Addition(place, _key_node(own, 0, shape), None, lacks, shape.additions)
            if alike:
                number, name = alike
                there = items[int(places[name][-1])]
                found = found._replace(
                    key=_key_node(own, number, shape), alike=_key_node(there, number, shape)
                )
            yield found


def _alike(key: Key, known: Collection[Key]) -> tuple[int, Key] | None:
    """A known key that a key may be misspelt for, and the number of the part in which it is."""
    for number, part in enumerate(key[:-1]):
        rest = key[:number] + key[number + 1 : -1]
        others = {
            str(one[number]): one
            for one in sorted(known)
            if number == 0 or one[:number] + one[number + 1 : -1] == rest
        }
        if near := misspelt(str(part), others):
            return number, others[near]
    return None


def _key_node(item: Node, number: int, shape: Shape) -> Node:
    return item.get(shape.list_key[number]) or item


def items_by_key(node: Node, shape: Shape) -> dict[Key, Node]:
    """The items of a list by their key; of a key that stands twice, the count is added."""
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
    return [label(key) for key in items_by_key(node, shape)] if shape.list_key else []


def label(key: Key) -> str:
    """`[alice]`, `[alice/guest]`: how a path names an item."""
    return f"[{'/'.join(str(part) for part in key[:-1] if part)}]"


def _trail(layers: list[_LayerValue]) -> tuple[Step, ...]:
    return tuple(
        Step(
            layer.node.origin,
            None if _is_null(layer.node) or _is_removed(layer.node) else layer.node,
        )
        for layer in layers
    )
