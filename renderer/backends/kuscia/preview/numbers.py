"""Numbers that stand for those that Kuscia draws, told apart from all other text."""

import json
from collections.abc import Iterable, Sequence

from renderer.values.tree import Node

Key = tuple[str, str, str]
_FIRST = 71_000_000


def draw(keys: Iterable[Key], trees: Sequence[Node]) -> dict[Key, int]:
    """A number for each domain, role and port; its digits occur nowhere in the trees."""
    known = "".join(json.dumps(tree.plain()) for tree in trees)
    start = _FIRST
    while str(start) in known:
        start += 1
    return {key: start * 10_000 + index for index, key in enumerate(dict.fromkeys(keys))}
