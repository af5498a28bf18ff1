"""Files as the program sees them, wherever they come from: a work tree or a Git revision."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from renderer.values.named_tuple import NamedTuple


class Unreadable(Exception):
    """A file cannot or must not be read; the text says why, `fix` what to do."""

    def __init__(self, reason: str, fix: str) -> None:
        super().__init__(reason)
        self.fix = fix


class Entry(NamedTuple):
    """Something found below a folder, by its path from the root; a problem if it was not read."""

    path: str
    is_folder: bool
    problem: "Unreadable | None" = None


class Files(Protocol):
    """Where files come from: a work tree, or a state of the past; paths are from its root."""

    root: str

    def names(self, folder: str) -> list[str]: ...
    def entries(self, folder: str) -> Iterator[Entry]: ...
    def exists(self, path: str) -> bool: ...
    def read(self, path: str, limit: int) -> bytes: ...


class EditedFiles:
    """Files as they would be after an edit: some have other content, are new, or are gone."""

    def __init__(self, files: Files, edited: Mapping[str, bytes | None]) -> None:
        self.root = files.root
        self._files = files
        self._written = {path: data for path, data in edited.items() if data is not None}
        self._deleted = edited.keys() - self._written.keys()

    def names(self, folder: str) -> list[str]:
        start = f"{folder}/" if folder else ""
        new = (path for path in self._written if path.startswith(start))
        written = {path[len(start) :].partition("/")[0] for path in new}
        kept = (n for n in self._files.names(folder) if f"{start}{n}" not in self._deleted)
        return sorted({*kept, *written})

    def entries(self, folder: str) -> Iterator[Entry]:
        """In the order in which they would be found on disk."""
        new = (path for path in self._written if path.startswith(f"{folder}/"))
        found = {path: Entry(path, is_folder=False) for path in new}
        found |= {e.path: e for e in self._files.entries(folder) if e.path not in self._deleted}
        return iter(sorted(found.values(), key=lambda entry: entry.path.split("/")))

    def exists(self, path: str) -> bool:
        return path in self._written or (path not in self._deleted and self._files.exists(path))

    def read(self, path: str, limit: int) -> bytes:
        if path in self._written:
            return self._written[path][: limit + 1]
        return self._files.read(path, limit)
