"""Where a live object is not what was rendered, apart from what its platform adds to it."""

from collections.abc import Iterator, Sequence

from renderer.changes.trees import differences, shape_of
from renderer.text.secrets.masks import hidden_at
from renderer.text.wording import path_text
from renderer.values.changes import Change, How
from renderer.values.diagnostics import Path
from renderer.values.live import LiveObject
from renderer.values.objects import Manifest
from renderer.values.statuses import LiveDifference
from renderer.values.tree import Node, Plain

_MARKS = ("labels", "annotations")
#: Who the object is, which was known before, and what no file says.
_NOT_COMPARED = ("apiVersion", "kind", "metadata", "status")
_ANY = "*"


def drift(
    manifest: Manifest, live: LiveObject, written_back: Sequence[tuple[str, ...]]
) -> Iterator[LiveDifference]:
    """Every value of an object that is not what Git says; secrets are hidden.

    What Git has encrypted cannot be compared.
    """
    copied = manifest.spec.kind.copied
    if copied and copied.is_one(manifest.tree):
        return
    wanted, found = _compared(manifest.tree, manifest.tree), _compared(live.tree, manifest.tree)
    for change in differences(wanted, found, shape_of(manifest.schema)):
        if not _is_of_the_platform(change, written_back):
            yield LiveDifference(_place(change), _shown(change, "before"), _shown(change, "after"))


def _compared(tree: Node, rendered: Node) -> Node:
    """What is compared of an object; labels and annotations of others are theirs."""
    marks: dict[str, Node] = {}
    for key in _MARKS:
        ours, given = rendered.get("metadata", key), tree.get("metadata", key)
        if ours and given:
            kept = {name: node for name, node in given.items.items() if name in ours.items}
            marks[key] = given.with_members(kept)
    rest = {key: node for key, node in tree.items.items() if key not in _NOT_COMPARED}
    return tree.with_members({"metadata": tree.with_members(marks), **rest})


def _is_of_the_platform(change: Change, written_back: Sequence[tuple[str, ...]]) -> bool:
    """Whether a value that says nothing came or went, or something is there that it adds."""
    if change.how not in (How.ADDED, How.REMOVED):
        return False
    node = change.after or change.before
    if node is None or _is_empty(node.plain()):
        return True
    is_added = change.how is How.ADDED
    return is_added and any(_leads_to(pattern, change.path) for pattern in written_back)


def _is_empty(value: Plain) -> bool:
    """Whether a value says nothing, at any depth: typed clients write such values."""
    if isinstance(value, dict):
        return all(map(_is_empty, value.values()))
    if isinstance(value, list):
        return all(map(_is_empty, value))
    return value in (None, "")


def _leads_to(pattern: tuple[str, ...], path: Path) -> bool:
    pairs = zip(pattern, path, strict=False)
    return len(pattern) <= len(path) and all(want in (_ANY, have) for want, have in pairs)


def _place(change: Change) -> str:
    place = path_text(change.path)
    if change.how is How.MOVED:
        return f"order of {place}"
    return f"{place} (written in another way)" if change.texts_only else place


def _shown(change: Change, side: str) -> Plain:
    node: Node | None = getattr(change, side)
    return hidden_at(node.plain(), change.path) if node else None
