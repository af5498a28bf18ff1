"""Trees as they differ from other trees: recordings of many that are nearly the same."""

from typing import Any

_ITEMS, _LENGTH = "$items", "$length"


def patch(old: Any, new: Any) -> Any:
    """What has to be merged into a tree: keys that differ, and null for what is gone."""
    if isinstance(old, dict) and isinstance(new, dict):
        gone = dict.fromkeys(key for key in old if key not in new)
        there = {key: value for key, value in new.items() if key not in old}
        both = {
            key: patch(old[key], new[key]) for key in new if key in old and old[key] != new[key]
        }
        return {**gone, **there, **both}
    if _are_lists_of_maps(old, new):
        items = {
            str(i): patch(old[i], item) if i < len(old) else item
            for i, item in enumerate(new)
            if i >= len(old) or old[i] != item
        }
        return {_ITEMS: items, _LENGTH: len(new)}
    return new


def _are_lists_of_maps(*trees: Any) -> bool:
    return all(
        isinstance(tree, list) and tree and all(isinstance(item, dict) for item in tree)
        for tree in trees
    )


def patched(old: Any, change: Any) -> Any:
    """A copy with what `patch` found."""
    if isinstance(old, dict) and isinstance(change, dict):
        kept = {key: value for key, value in old.items() if key not in change}
        new = {
            key: patched(old[key], value) if key in old else value
            for key, value in change.items()
            if value is not None
        }
        return {**kept, **new}
    if isinstance(old, list) and isinstance(change, dict):
        known = dict(enumerate(old[: change[_LENGTH]]))
        for key, value in change[_ITEMS].items():
            number = int(key)
            known[number] = patched(known[number], value) if number in known else value
        return [known[number] for number in sorted(known)]
    return change
