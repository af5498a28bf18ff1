"""The texts of a tree, those inside JSON included, and what each of them is called."""

import json
from collections.abc import Iterator

from renderer.text.secrets import option_name
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import last_result_cached
from renderer.values.tree import Node, Plain, derived, walk

_DEEPEST = 3


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


def texts(tree: Node) -> Iterator[tuple[Path, str, str]]:
    """Every text and number with its path and key; those inside JSON lead on into the text."""
    for path, node in walk(tree):
        if isinstance(node.value, bool) or not isinstance(node.value, str | int | float):
            continue
        key = _key(tree, path)
        inner = _parsed(node.value) if isinstance(node.value, str) else None
        if inner is None:
            yield path, key, str(node.value)
            continue
        for inside, inner_key, text in _inner_texts(derived(inner, node.origin), _DEEPEST):
            yield (*path, *inside), inner_key or key, text


def _inner_texts(tree: Node, deeper: int) -> Iterator[tuple[Path, str, str]]:
    """The texts of JSON data; those of JSON in its texts have the place of their text."""
    for path, node in walk(tree):
        if not isinstance(node.value, str):
            continue
        yield path, _key(tree, path), node.value
        inner = _parsed(node.value) if deeper else None
        if inner is not None:
            for _, key, text in _inner_texts(derived(inner, node.origin), deeper - 1):
                yield path, key, text


def _key(tree: Node, path: Path) -> str:
    """What a value is called: its key, the name beside it, or the option before it."""
    if path and isinstance(path[-1], int) and path[-1]:
        before = tree.get(*path[:-1], path[-1] - 1)
        return option_name(str(before.value)) if before else ""
    key = path[-1] if path and isinstance(path[-1], str) else ""
    name = tree.get(*path[:-1], "name") if key == "value" else None
    return str(name.value) if name else key


def _parsed(text: str) -> Plain:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        data: Plain = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data
