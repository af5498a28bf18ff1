"""The texts of a tree, those inside JSON and YAML included, and what each of them is called."""

import json
from collections.abc import Iterator

from renderer.text.secrets.scan import may_give
from renderer.text.secrets.shapes import may_have_shape
from renderer.text.secrets.values import name_of_item, name_of_member
from renderer.values.diagnostics import Origin, Path
from renderer.values.identity_cache import last_result_cached
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, uniform_tree, walk

_DEEPEST = 3
_ESCAPES = ("\\u", "\\U", "\\x")
_NEARBY = 8
_NOWHERE = Origin("")


class Text(NamedTuple):
    """A text or number, its path, and what it is called; a path may lead on into a text."""

    path: Path
    key: str
    value: str
    is_in_yaml: bool = False


@last_result_cached
def words(tree: Node) -> str:
    """Every key and text of a tree, a line or more for each: a quick look at all at once."""
    found: list[str] = []
    waiting = [tree]
    for node in waiting:
        value = node.value
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            found += value
            waiting += value.values()
        elif isinstance(value, tuple):
            waiting += value
    return "\n".join(found)


def filled_words(tree: Node) -> str:
    """The texts that variables filled in, with the keys and texts beside them that name them."""
    found: list[str] = []
    waiting = [tree]
    for node in waiting:
        value = node.value
        if isinstance(value, dict):
            children = tuple(value.values())
        elif isinstance(value, tuple):
            children = value
        else:
            continue
        waiting += children
        if [child for child in children if child.origin.note]:
            found += node.items
            found += [child.value for child in children if isinstance(child.value, str)]
    return "\n".join(found)


def may_hold_secret(text: str) -> bool:
    """Whether a closer look can find one; JSON and YAML have other ways to write any letter."""
    return may_give(text) or may_have_shape(text) or any(mark in text for mark in _ESCAPES)


def texts(tree: Node) -> Iterator[Text]:
    """Every text and number with its path and name; those inside a text lead on into it."""
    for path, node in walk(tree):
        if isinstance(node.value, bool) or not isinstance(node.value, str | int | float):
            continue
        key = _key(tree, path)
        inner = _opened(node.value) if isinstance(node.value, str) else None
        if inner is None:
            yield Text(path, key, str(node.value))
            continue
        for found in _inner_texts(inner, _DEEPEST):
            yield found._replace(path=(*path, *found.path), key=found.key or key)


def _inner_texts(inner: "_Inner", deeper: int) -> Iterator[Text]:
    """The texts of data in a text; those of data in its texts have the place of their text."""
    for path, node in walk(inner.tree):
        if isinstance(node.value, bool) or not isinstance(node.value, inner.types):
            continue
        yield Text(path, _key(inner.tree, path), str(node.value), inner.is_yaml)
        below = _opened(node.value) if deeper and isinstance(node.value, str) else None
        if below is not None:
            for found in _inner_texts(below, deeper - 1):
                yield found._replace(path=path, is_in_yaml=inner.is_yaml or below.is_yaml)


def _key(tree: Node, path: Path) -> str:
    """What a value is called; most by their keys, without a look at what is beside them."""
    last = path[-1] if path else ""
    if isinstance(last, str) and last != "value" and not last.lower().endswith("key"):
        return last
    above = tree.get(*path[:-1])
    parent = next((name for name in reversed(path[:-1]) if isinstance(name, str)), "")
    return name_of_child(above, last, parent) if above else str(last)


def name_of_child(above: Node, last: str | int, parent: str) -> str:
    """What a member or an item of a node is called, which has a name itself."""
    if isinstance(last, int):
        near = [item.value for item in above.elements[max(0, last - _NEARBY) : last + 1]]
        return name_of_item(near, len(near) - 1, parent)
    members = above.items
    name = members["name"].value if "name" in members else None
    return name_of_member(last, members[last].value, name, members, parent)


class _Inner(NamedTuple):
    """The data of a text; of JSON only texts count, as YAML alone has words for numbers."""

    tree: Node
    is_yaml: bool

    @property
    def types(self) -> tuple[type, ...]:
        return (str, int, float) if self.is_yaml else (str,)


def _opened(text: str) -> _Inner | None:
    """The data of a text that is JSON, or of one that is YAML and may hold a secret."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return _Inner(uniform_tree(json.loads(text), _NOWHERE), is_yaml=False)
        except (ValueError, RecursionError):
            pass
    if "\n" not in text or ":" not in text or not may_hold_secret(text):
        return None
    from renderer.text import yaml_reader

    tree = yaml_reader.read(text.encode("utf-8", "replace"), "").document.tree
    return _Inner(tree, is_yaml=True) if tree and (tree.items or tree.elements) else None
