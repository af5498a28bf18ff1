"""The files of a repository on disk, read with care for what may lie there."""

import os
import stat
from collections.abc import Iterator

from renderer.values.files import Entry, Files, Unreadable

#: A pipe is not waited for when it is opened.
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
SAFE_FLAGS = getattr(os, "O_NOFOLLOW", 0) | NO_WAIT


class Worktree:
    """A repository on disk."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = os.fspath(root)
        self._real_root = os.path.realpath(root)
        self._plain: set[str] = set()

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in a fixed order; none if it is no folder that can be read."""
        try:
            return sorted(os.listdir(self._full(folder)))
        except OSError:
            return []

    def entries(self, folder: str) -> Iterator[Entry]:
        """Files and folders below a folder, in a fixed order; links to folders are refused."""
        try:
            found = sorted(os.scandir(self._full(folder)), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            yield Entry(folder, is_folder=True, problem=_unreadable(error))
            return
        real = os.path.realpath(self._full(folder)) == f"{self._real_root}/{folder}"
        for entry in found:
            path = f"{folder}/{entry.name}"
            if entry.name.startswith("."):
                continue
            if entry.is_symlink() and os.path.isdir(self._full(path)):
                problem = Unreadable("it is a link to a folder", "put the folder itself here")
                yield Entry(path, is_folder=True, problem=problem)
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if real and entry.is_file(follow_symlinks=False):
                self._plain.add(path)
            yield Entry(path, is_folder)
            if is_folder:
                yield from self.entries(path)

    def exists(self, path: str) -> bool:
        return os.path.lexists(self._full(path))

    def read(self, path: str, limit: int) -> bytes:
        """At most one byte more than the limit of a regular file inside the repository."""
        try:
            if path in self._plain:
                return _read_plain(f"{self._real_root}/{path}", limit)
            full = self._full(path)
            real = os.path.realpath(full)
            if os.path.commonpath((real, self._real_root)) != self._real_root:
                fix = "put the file itself into the repository"
                raise Unreadable("it is a link that leaves the repository", fix)
            _refuse_special(os.stat(real))
            return _read_plain(real, limit)
        except OSError as error:
            raise _unreadable(error) from error
        except ValueError as error:
            raise Unreadable("its name cannot be used", "rename it") from error

    def _full(self, path: str) -> str:
        return os.path.join(self.root, path)


class Snapshot:
    """Files as they were when they were first looked at, whatever happens to them later."""

    def __init__(self, files: Files) -> None:
        self.root = files.root
        self.names, self.exists = files.names, files.exists
        self._files = files
        self._listed: dict[str, tuple[Entry, ...]] = {}
        self._read: dict[str, bytes | Unreadable] = {}

    def entries(self, folder: str) -> Iterator[Entry]:
        if folder not in self._listed:
            self._listed[folder] = tuple(self._files.entries(folder))
        return iter(self._listed[folder])

    def read(self, path: str, limit: int) -> bytes:
        if path not in self._read:
            try:
                self._read[path] = self._files.read(path, limit)
            except Unreadable as error:
                self._read[path] = error
        found = self._read[path]
        if isinstance(found, Unreadable):
            raise found
        return found


def _read_plain(path: str, limit: int) -> bytes:
    """A file that was seen to be one, below folders that are no links; if it still is.

    Opening a pipe without a writer would wait without end.
    """
    handle = os.open(path, os.O_RDONLY | SAFE_FLAGS)
    try:
        about = os.fstat(handle)
        _refuse_special(about)
        return os.read(handle, min(about.st_size, limit) + 1)
    finally:
        os.close(handle)


def _refuse_special(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        what = "a folder" if stat.S_ISDIR(about.st_mode) else "not a regular file"
        raise Unreadable(f"it is {what}", "rename or delete it")


def _unreadable(error: OSError) -> Unreadable:
    reason = (error.strerror or "it cannot be read").lower()
    gone = isinstance(error, FileNotFoundError)
    return Unreadable(reason, "delete the link" if gone else "make it readable")
