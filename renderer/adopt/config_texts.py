"""Long texts of specs in files of their own, where their kind takes texts from files."""

from collections.abc import Mapping

from renderer.adopt.drafts import Draft
from renderer.assets import has_template, read_template
from renderer.text.decoder import SPEC_LIMITS, decode
from renderer.values.files import Files, Unreadable
from renderer.values.kinds import TextFiles
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_FEW_LINES = 3


class TreeAndTexts(NamedTuple):
    """A tree that refers to files, and the files that must be there for it, by path."""

    tree: Node
    files: Mapping[str, str]


def move_texts_to_files(draft: Draft, files: Files) -> TreeAndTexts:
    """The tree of a draft with its long texts in files; one that is there already is used.

    An object that is a spec as it is keeps its texts.
    """
    texts: dict[str, str] = {}
    tree = draft.tree
    for place in () if draft.kind.is_open else draft.kind.text_files:
        shelf = _Shelf(files, place, draft.stem, draft.environment)
        tree, made = shelf.replace(tree, place.path)
        texts.update(made)
    return TreeAndTexts(tree, texts)


class _Shelf:
    """Where the texts of a spec are kept."""

    def __init__(self, files: Files, place: TextFiles, stem: str, environment: str) -> None:
        self._files, self._folder = files, place.folder
        self._folders = (stem, f"{stem}/{environment}")

    def replace(self, node: Node, path: tuple[str, ...], key: str = "") -> TreeAndTexts:
        if path:
            keys = node.items if path[0] == "*" else {path[0]} & node.items.keys()
            done = {k: self.replace(node.items[k], path[1:], k) for k in keys}
            if not done:
                return TreeAndTexts(node, {})
            members = {**node.items, **{k: made.tree for k, made in done.items()}}
            files = {file: text for made in done.values() for file, text in made.files.items()}
            return TreeAndTexts(node.with_members(members), files)
        return self._move(node, node.value, key)

    def _move(self, node: Node, text: object, key: str) -> TreeAndTexts:
        """A text in the first file that holds it already, or can be made to hold it."""
        if isinstance(text, str) and _is_worth_a_file(text, key):
            for name in (f"{folder}/{key}" for folder in self._folders):
                path = f"templates/{self._folder}/{name}"
                present = self._present(path, name)
                if present in (None, text):
                    tree = node.with_members({"file": node.with_value(name)})
                    return TreeAndTexts(tree, {path: text} if present is None else {})
        return TreeAndTexts(node, {})

    def _present(self, path: str, name: str) -> str | None:
        """What a file holds that is there already, of the repository or bundled."""
        if self._files.exists(path):
            return self._read(path)
        bundled = f"{self._folder}/{name}"
        return read_template(bundled).decode("utf-8", "replace") if has_template(bundled) else None

    def _read(self, path: str) -> str:
        try:
            return self._files.read(path, SPEC_LIMITS.size).decode("utf-8", "replace")
        except Unreadable:
            return ""  # no text that is worth a file


def _is_worth_a_file(text: str, key: str) -> bool:
    """Whether a text is long, and a file of that name can say it."""
    if text.count("\n") < _FEW_LINES or key in (".", "..") or "/" in key or "\\" in key:
        return False
    return not decode(text.encode(), key, SPEC_LIMITS)[1]
