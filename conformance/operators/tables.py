"""Tables of manifests, each a small change of another one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from conformance.kubernetes.client import Object

Entry = dict[str, Any]


def read_entries(place: Path) -> Iterator[tuple[str, Entry]]:
    """All of a folder with their files, in the order in which they are written."""
    for path in sorted(place.glob("*.yaml")):
        for entry in yaml.safe_load(path.read_text("utf-8")):
            yield path.stem, entry


def read_bases(place: Path) -> dict[str, Object]:
    found: dict[str, Object] = yaml.safe_load((place / "bases.yaml").read_text("utf-8"))
    return found


def steps_of(entry: Entry, bases: dict[str, Object]) -> Iterator[Object]:
    """An entry names its base and gives changes, each to what the one before it came to."""
    manifest = merged({"metadata": {"name": entry["name"]}}, bases[entry["base"]])
    for change in entry.get("steps") or [entry.get("change", {})]:
        manifest = merged(manifest, change)
        yield manifest


def merged(tree: Any, change: Any) -> Any:
    """A copy with a change: mappings are merged, null takes away, the rest takes the place.

    A mapping of numbers changes items of a list, or adds one at its end.
    """
    if not isinstance(change, dict):
        return change
    if isinstance(tree, list) and all(isinstance(key, int) for key in change):
        indices = range(max(len(tree), *(key + 1 for key in change)))
        known = dict(enumerate(tree))
        items = [merged(known.get(i), change[i]) if i in change else known[i] for i in indices]
        return [item for item in items if item is not None]
    result = dict(tree) if isinstance(tree, dict) else {}
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
