"""Rows of what platforms were asked and answered: the object that was stored in the end."""

import copy
import json
import re

from tests.support.places import ROOT

_MAPS = ("metadata.annotations.", "metadata.labels.")


def rows(platform):
    """All rows of a platform's cases."""
    folder = ROOT / "tests/observed" / platform / "cases"
    return [row for path in sorted(folder.glob("*.json")) for row in json.loads(path.read_text())]


def stored(row):
    """The manifest of a row with what was changed in it."""
    tree = copy.deepcopy(row["given"])
    for change in row["stored"]:
        *path, last = _steps(change["path"])
        node = tree
        for step in path:
            node = node.setdefault(step, {}) if isinstance(node, dict) else node[step]
        if "after" in change:
            node[last] = change["after"]
        else:
            del node[last]
    return tree


def _steps(path):
    """A path as it is written there, whose last key may have dots in it."""
    for start in _MAPS:
        if path.startswith(start):
            return [*start.strip(".").split("."), path.removeprefix(start)]
    steps = re.findall(r"[^.\[\]]+", path)
    return [int(step) if step.isdigit() else step for step in steps]
