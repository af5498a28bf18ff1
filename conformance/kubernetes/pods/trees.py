"""Plain data with another value somewhere."""

from typing import Any

Path = tuple[str | int, ...]


def found(tree: Any, path: Path) -> Any:
    """What is at a path, or None."""
    for step in path:
        if isinstance(step, int):
            tree = tree[step] if isinstance(tree, list) and step < len(tree) else None
        else:
            tree = tree.get(step) if isinstance(tree, dict) else None
    return tree


def changed(tree: Any, path: Path, value: Any) -> Any:
    """A copy with another value at a path; None takes away what is there."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        items = list(tree or [])
        items[first : first + 1] = [changed(found(items, (first,)), rest, value)]
        return items
    inner = changed(found(tree, (first,)), rest, value)
    kept = {key: item for key, item in (tree or {}).items() if key != first or inner is not None}
    return kept if inner is None else {**kept, first: inner}


def expanded(value: Any) -> Any:
    """With texts in full that `$repeat` shortens."""
    if isinstance(value, dict):
        if "$repeat" in value:
            text, times = value["$repeat"]
            return text * times
        return {key: expanded(item) for key, item in value.items()}
    return [expanded(item) for item in value] if isinstance(value, list) else value
