"""Files as the program sees them, wherever they come from: a work tree or a Git revision."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol


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
