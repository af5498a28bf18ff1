"""The git program: started without a pager, a prompt, a lock or the network."""

import os
import subprocess
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from renderer.errors import RendererError
from renderer.text.digests import sha1, sha256
from renderer.text.wording import visible
from renderer.values.files import Entry, Files, Unreadable
from renderer.values.named_tuple import NamedTuple

_COMMAND = ("git", "--no-pager", "--no-replace-objects", "--literal-pathspecs")
_CALLER_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE")
_SHORT_NAME = 40
_SETTINGS = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class Answer(NamedTuple):
    """What git printed, and whether it was content."""

    ok: bool
    output: bytes
    complaint: str

    @property
    def line(self) -> str:
        return os.fsdecode(self.output).removesuffix("\n")


def ask(folder: Path, *arguments: str) -> Answer:
    """Run a git command in a folder to its end."""
    with _start(folder, arguments) as process:
        output, errors = process.communicate()
    lines = visible_lines(errors)
    complaint = next(lines, "git failed").removeprefix("fatal: ")
    return Answer(process.returncode == 0, output, complaint)


def visible_lines(data: bytes) -> Iterator[str]:
    return (visible(line) for line in data.decode("utf-8", "replace").splitlines())


def _start(
    folder: Path, arguments: tuple[str, ...], errors: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """A hook's caller may have said which repository is meant; ours is the one of the folder."""
    inherited = {k: v for k, v in os.environ.items() if k not in _CALLER_VARIABLES}
    try:
        return subprocess.Popen(  # noqa: S603 - the arguments are ours
            (*_COMMAND, *arguments),
            cwd=folder,
            env={**inherited, **_SETTINGS},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    except FileNotFoundError as error:
        message = "git is not found; install it, or compare folders instead of revisions"
        raise RendererError(message) from error
    except OSError as error:
        raise RendererError(f"git does not start: {(error.strerror or '').lower()}") from error


def is_named(data: bytes, name: str) -> bool:
    """Whether some content is what an object's name stands for."""
    algorithm = sha1 if len(name) == _SHORT_NAME else sha256
    return algorithm(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest() == name


class Objects:
    """The object store of a repository; opened when it is first needed, until it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, name: str, limit: int) -> bytes | None:
        """At most one byte more than the limit of an object; nothing if it is not there."""
        if self._process is None:
            command = ("cat-file", "--batch")
            self._process = _start(self._folder, command, subprocess.DEVNULL)
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise RendererError("git closed its streams")
        try:
            requests.write(f"{name}\n".encode())
            requests.flush()
            header = answers.readline().split()
        except OSError as error:
            raise RendererError("git ended while it was read from") from error
        if len(header) != 3:  # noqa: PLR2004 - name, type, size
            return None
        return _body(answers, int(header[2]), limit + 1)

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()


def _body(answers: IO[bytes], size: int, wanted: int) -> bytes:
    """What is wanted of an object; the rest of it is read past."""
    data = answers.read(min(size, wanted))
    left = size - len(data) + 1  # a line end follows
    while left and (skipped := answers.read(min(left, 1 << 16))):
        left -= len(skipped)
    return data


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
