"""Trees that remember their origins: every value knows the place that set it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from renderer.values.diagnostics import Origin, Path
from renderer.values.named_tuple import NamedTuple

Scalar: TypeAlias = str | int | float | bool | None
Value: TypeAlias = "Scalar | dict[str, Node] | tuple[Node, ...]"
Plain: TypeAlias = "Scalar | dict[str, Plain] | list[Plain]"


_CONTAINERS = (dict, tuple)
_NUMBERS = (int, float)
_NOTHING: Mapping[str, "tuple[Step, ...]"] = {}


class Step(NamedTuple):
    """One word about a value: where it stands and what it said; nothing if it took it away."""

    origin: Origin
    node: "Node | None"


class Node(NamedTuple):
    """A value, where it was set, where its key stands, and its text if that says more.

    `trail` is all that was said about it, if more than one layer spoke; `gone` are the members
    that were taken away.
    """

    value: Value
    origin: Origin
    key: Origin | None = None
    text: str = ""
    trail: tuple[Step, ...] = ()
    gone: Mapping[str, tuple[Step, ...]] = _NOTHING

    @property
    def items(self) -> "dict[str, Node]":
        """The members of a mapping; nothing for any other value."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def elements(self) -> "tuple[Node, ...]":
        """The elements of a list; nothing for any other value."""
        return self.value if isinstance(self.value, tuple) else ()

    def step(self, segment: str | int) -> "Node | None":
        if isinstance(segment, int):
            return self.elements[segment] if segment < len(self.elements) else None
        return self.items.get(segment)

    def text_at(self, *path: str | int) -> str:
        """The text, number or switch at a path as text; empty where there is none."""
        found = self.get(*path)
        value = found.value if found else None
        if isinstance(value, str):
            return value
        return str(value) if isinstance(value, _NUMBERS) else ""

    def get(self, *path: str | int) -> "Node | None":
        node = self
        for segment in path:
            value: Any = node[0]  # an index is no key, and so finds nothing
            child = value.get(segment) if isinstance(value, dict) else node.step(segment)
            if child is None:
                return None
            node = child
        return node

    def with_value(self, value: Value) -> "Node":
        """Another value that came from the same place."""
        return Node(value, self.origin, self.key, trail=self.trail)

    def with_members(
        self,
        value: "dict[str, Node] | tuple[Node, ...]",
        gone: "Mapping[str, tuple[Step, ...]] | None" = None,
    ) -> "Node":
        """The same mapping or list with other members; `_replace` takes four times as long."""
        lost = self.gone if gone is None else gone
        return Node(value, self.origin, self.key, self.text, self.trail, lost)

    def plain(self) -> Plain:
        """The bare data."""
        value = self.value
        if isinstance(value, dict):
            return {key: child.plain() for key, child in value.items()}
        if isinstance(value, tuple):
            return [child.plain() for child in value]
        return value

    def locate(self, path: Path, *, at_key: bool = False) -> Origin:
        """The place of a path, or of its nearest existing ancestor."""
        node = self
        for segment in path:
            child = node.step(segment)
            if child is None:
                taken = node.gone.get(str(segment))
                return taken[-1].origin if taken else node.key or node.origin
            node = child
        return (node.key or node.origin) if at_key else node.origin


def drop_paths(node: Node, paths: Collection[Path]) -> Node:
    """The tree without the values at some paths; without anything if one of them is its own."""
    if () in paths:
        return node.with_value({})
    here: dict[str | int, list[Path]] = {}
    for first, *rest in paths:
        here.setdefault(first, []).append(tuple(rest))
    if not here:
        return node
    pairs: Iterable[tuple[str | int, Node]] = node.items.items() or enumerate(node.elements)
    kept = {
        key: drop_paths(child, here[key]) if key in here else child
        for key, child in pairs
        if () not in here.get(key, ())
    }
    if node.elements:
        return node._replace(value=tuple(kept.values()))
    return node._replace(value={str(key): child for key, child in kept.items()})


def put_texts(node: Node, texts: Mapping[Path, str]) -> Node:
    """The tree with other texts at some paths, which came from the places of the former ones."""
    if () in texts:
        return node.with_value(texts[()])
    here: dict[str | int, dict[Path, str]] = {}
    for (first, *rest), text in texts.items():
        here.setdefault(first, {})[tuple(rest)] = text
    if node.elements:
        items = enumerate(node.elements)
        return node.with_members(tuple(put_texts(i, here[n]) if n in here else i for n, i in items))
    changed = {k: put_texts(node.items[str(k)], some) for k, some in here.items()}
    return node.with_members({**node.items, **{str(k): child for k, child in changed.items()}})


def uniform_tree(value: Plain, origin: Origin) -> Node:
    """A tree all of whose values have one origin."""
    if isinstance(value, dict):
        return Node({key: uniform_tree(child, origin) for key, child in value.items()}, origin)
    if isinstance(value, list):
        return Node(tuple(uniform_tree(child, origin) for child in value), origin)
    return Node(value, origin)


def constant(value: Plain, reason: str) -> Node:
    """A value that no file gave: servingctl sets it, for the stated reason."""
    return uniform_tree(value, Origin("", 0, 0, reason))


def walk(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Every node of a tree with its path, parents first."""
    yield path, node
    waiting = [(path, _children(node))]
    while waiting:
        path, children = waiting[-1]
        for key, child in children:
            below = (*path, key)
            yield below, child
            if isinstance(child.value, _CONTAINERS):
                waiting.append((below, _children(child)))
                break
        else:
            waiting.pop()


def _children(node: Node) -> Iterator[tuple[str | int, Node]]:
    value = node.value
    return iter(value.items() if isinstance(value, dict) else enumerate(node.elements))
