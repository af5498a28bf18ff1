"""The files of a Git tree, with links followed as far as they would be on disk."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from renderer.io.git import Objects, is_named
from renderer.values.files import Entry, Files, Unreadable

_LINK, _SUBMODULE, _FOLDER = "120000", "160000", "040000"
_LONGEST_CHAIN = 40
_LONGEST_LINK = 4096
_POINTER = b"version https://git-lfs.github.com/spec/"
_MISSING = Unreadable("no such file or directory", "delete the link")
_LEAVES = Unreadable(
    "it is a link that leaves the repository", "put the file itself into the repository"
)


class Item(NamedTuple):
    """An entry of a Git tree: its mode and the name of its object."""

    mode: str
    name: str

    @property
    def is_submodule(self) -> bool:
        return self.mode == _SUBMODULE


class GitTree:
    """A repository as it was in a revision; `root` is where it is on disk, if it is.

    A file that `beside` holds with the very same content is read there, which is faster.
    """

    def __init__(
        self, root: Path, items: Mapping[str, Item], objects: Objects, beside: Files | None = None
    ) -> None:
        self.root = str(root)
        self._items = items
        self._paths = sorted(items, key=lambda path: path.split("/"))
        self._keys = [path.split("/") for path in self._paths]
        self._objects = objects
        self._beside = beside

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in a fixed order."""
        return [inside for inside, _ in self._entries_below(folder) if "/" not in inside]

    def entries(self, folder: str) -> Iterator[Entry]:
        """Files and folders below a folder, in a fixed order; links to folders are refused."""
        for inside, real in self._entries_below(folder):
            if any(name.startswith(".") for name in inside.split("/")):
                continue
            path, mode = f"{folder}/{inside}", self._items[real].mode
            what = "a submodule" if self._items[real].is_submodule else ""
            if mode == _LINK and self._leads_to_folder(real):
                what = "a link to a folder"
            problem = Unreadable(f"it is {what}", "put the folder itself here") if what else None
            yield Entry(path, mode == _FOLDER or bool(what), problem)

    def exists(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        try:
            real = self._follow(folder)
        except Unreadable:
            return False
        return f"{real}/{name}".removeprefix("/") in self._items

    def read(self, path: str, limit: int) -> bytes:
        """At most one byte more than the limit of a regular file inside the repository."""
        real = self._follow(path)
        item = self._items.get(real)
        if item is None or item.mode in (_FOLDER, _SUBMODULE):
            what = "a submodule" if item and item.is_submodule else "a folder"
            raise Unreadable(f"it is {what}", "rename or delete it")
        same = self._same(real, item, limit)
        data = self._blob(item, limit) if same is None else same
        if data.startswith(_POINTER):
            fix = "keep specs and templates in Git itself"
            raise Unreadable("it is a pointer to a file that Git LFS keeps", fix)
        return data

    def _entries_below(self, folder: str) -> Iterator[tuple[str, str]]:
        """Everything below a folder, by its path from there and by its path from the root."""
        try:
            start = self._follow(folder).split("/") if folder else []
        except Unreadable:
            return
        for index in range(bisect_left(self._keys, start), len(self._keys)):
            key = self._keys[index]
            if key[: len(start)] != start:
                return
            if key != start:
                yield "/".join(key[len(start) :]), self._paths[index]

    def _same(self, path: str, item: Item, limit: int) -> bytes | None:
        """The file as it is elsewhere, if that is the same; else nothing."""
        if self._beside is None:
            return None
        try:
            data = self._beside.read(path, limit)
        except Unreadable:
            return None
        return data if is_named(data, item.name) else None

    def _blob(self, item: Item, limit: int) -> bytes:
        data = self._objects.read(item.name, limit)
        if data is None:
            fix = "fetch it: 'git fetch --refetch' for a partial clone, 'git fsck' for any other"
            raise Unreadable("its object is not in this clone", fix)
        return data

    def _leads_to_folder(self, path: str) -> bool:
        try:
            real = self._follow(path)
        except Unreadable:
            return False
        return not real or self._items[real].mode in (_FOLDER, _SUBMODULE)

    def _follow(self, path: str) -> str:
        """The path with every link in it followed; links that lead out are refused."""
        done: list[str] = []
        left = path.split("/")[::-1] if path else []
        links = 0
        while left:
            name = left.pop()
            if name == "..":
                if not done:
                    raise _LEAVES
                done.pop()
                continue
            if name in ("", "."):
                continue
            done.append(name)
            item = self._items.get("/".join(done))
            if item is None:
                raise _MISSING
            if item.mode == _LINK:
                links += 1
                target = self._blob(item, _LONGEST_LINK).decode("utf-8", "surrogateescape")
                if target.startswith("/"):
                    raise _LEAVES
                if links > _LONGEST_CHAIN:
                    raise Unreadable("it is a link that leads in a circle", "delete the link")
                done.pop()
                left += target.split("/")[::-1]
        return "/".join(done)
