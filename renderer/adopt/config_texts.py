"""Long texts of specs in files of their own, where their kind takes texts from files."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.adopt.drafts import Draft
from renderer.assets import has_template, read_template
from renderer.text.decoder import SPEC_LIMITS, decode
from renderer.values.files import Files, Unreadable
from renderer.values.model import TextFiles
from renderer.values.tree import Node

_FEW_LINES = 3


class WithTexts(NamedTuple):
    """A tree that refers to files, and the files that must be there for it, by path."""

    tree: Node
    files: dict[str, str]


def in_files(draft: Draft, files: Files) -> WithTexts:
    """The tree of a draft with its long texts in files; one that is there already is used."""
    texts: dict[str, str] = {}
    tree = draft.tree
    for place in draft.kind.text_files:
        shelf = _Shelf(files, place, draft.stem, draft.environment, texts)
        tree = shelf.replaced(tree, place.path, ())
    return WithTexts(tree, texts)


class _Shelf:
    """Where the texts of a spec are kept."""

    def __init__(
        self, files: Files, place: TextFiles, stem: str, environment: str, made: dict[str, str]
    ) -> None:
        self._files, self._folder, self._made = files, place.folder, made
        self._folders = (stem, f"{stem}/{environment}")

    def replaced(self, node: Node, path: tuple[str, ...], above: tuple[str, ...]) -> Node:
        if path:
            keys = node.items if path[0] == "*" else {path[0]} & node.items.keys()
            done = {k: self.replaced(node.items[k], path[1:], (*above, k)) for k in keys}
            return node.with_members({**node.items, **done}) if done else node
        text, key = node.value, str(above[-1])
        if not isinstance(text, str) or not _is_worth_a_file(text, key):
            return node
        name = next((name for name in self._names(key) if self._takes(name, text)), "")
        return node.with_members({"file": node.with_value(name)}) if name else node

    def _names(self, key: str) -> Iterator[str]:
        return (f"{folder}/{key}" for folder in self._folders)

    def _takes(self, name: str, text: str) -> bool:
        """Whether a file holds the text, or can be made to hold it."""
        path = f"templates/{self._folder}/{name}"
        if self._files.exists(path):
            return self._read(path) == text
        bundled = f"{self._folder}/{name}"
        if has_template(bundled):
            return read_template(bundled) == text.encode()
        self._made[path] = text
        return True

    def _read(self, path: str) -> str | None:
        try:
            return self._files.read(path, SPEC_LIMITS.size).decode("utf-8", "replace")
        except Unreadable:
            return None


def _is_worth_a_file(text: str, key: str) -> bool:
    """Whether a text is long, and a file of that name can say it."""
    if text.count("\n") < _FEW_LINES or key in (".", "..") or "/" in key or "\\" in key:
        return False
    return not decode(text.encode(), key, SPEC_LIMITS)[1]
