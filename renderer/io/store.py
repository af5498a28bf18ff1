"""The file that remembers the results of a repository between runs: safe to delete and to lose.

It holds data and no code. It is used only if no one but its owner can write it, every entry is
named by the content of all that it depends on, and what is not understood is forgotten.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from renderer import __version__
from renderer.assets import SCHEMAS, TEMPLATES
from renderer.evaluate.memo import Digests, FreshResults, RememberedResult
from renderer.evaluate.result import Conclusion, Result, SpecFindings
from renderer.io.encoding import (
    MARK,
    Line,
    decode_conclusion,
    decode_findings,
    decode_manifests,
    decode_result,
    encode_conclusion,
    encode_result,
    line_of,
)
from renderer.io.worktree import SAFE_FLAGS, Worktree
from renderer.text.digests import blake2b, sha256
from renderer.values.files import Unreadable
from renderer.values.objects import Manifest

if TYPE_CHECKING:
    from pathlib import Path

_FORM = 7
_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_COMPILED = "__pycache__"
_LIBRARIES = ("site-packages", "dist-packages")
_ENDING = ".cache"
_LARGEST = 256 << 20
_MOST_REPOSITORIES = 50
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_NOT_UNDERSTOOD = (LookupError, TypeError, ValueError, AttributeError, RecursionError)

StrPath = str | os.PathLike[str]
Texts = Callable[[str, str], str | None]


class StoredResult:
    """A line of the file; `texts` finds the text of a manifest by path and digest."""

    def __init__(self, line: Line, texts: Texts | None) -> None:
        self.digest = line.digest
        self.has_findings = bool(line.spec_findings)
        self._line = line
        self._texts = texts

    def result(self) -> Result | None:
        manifests = self.manifests()
        if manifests is None:
            return None
        try:
            return decode_result(self._line, manifests)
        except _NOT_UNDERSTOOD:
            return None

    def manifests(self) -> tuple[Manifest, ...] | None:
        try:
            return add_texts(decode_manifests(self._line), self._texts)
        except _NOT_UNDERSTOOD:
            return None

    def spec_findings(self) -> tuple[SpecFindings, ...] | None:
        try:
            return decode_findings(self._line)
        except _NOT_UNDERSTOOD:
            return None


class Store:
    """Results by the keys of their groups, and a conclusion: those of the latest run.

    With `texts`, only results are recalled whose manifests can be had with their texts.
    """

    remembers = True

    def __init__(
        self, folder: StrPath, root: StrPath, program: str, texts: Texts | None = None
    ) -> None:
        path = os.fspath(root).encode("utf-8", "surrogateescape")
        name = blake2b(path, digest_size=16).hexdigest()
        self._folder = os.fspath(folder)
        self._file = f"{self._folder}/{name}{_ENDING}"
        self._head = f"{_FORM}{MARK}{program}"
        self._texts = texts
        self._used: dict[str, str] = {}

    def recall(self, keys: Mapping[str, str], digest_of: Digests) -> dict[str, RememberedResult]:
        found: dict[str, RememberedResult] = {}
        for stem, key in keys.items():
            text = self._entries.get(key)
            kept = self._usable_result(text, digest_of) if text is not None else None
            if kept is not None and text is not None:
                found[stem] = kept
                self._used[key] = text
        return found

    def conclusion(self, key: str) -> Conclusion | None:
        try:
            conclusion = decode_conclusion(self._entries[key])
        except _NOT_UNDERSTOOD:
            return None
        made = add_texts(conclusion.manifests, self._texts)
        return conclusion._replace(manifests=made) if made is not None else None

    def is_clean(self, digest: str) -> bool:
        is_known = digest in self._entries
        if is_known:
            self._used[digest] = ""
        return is_known

    def keep(self, fresh: FreshResults, digest_of: Digests) -> None:
        """Replace the file, unless it says the same already."""
        entries = dict(self._used)
        entries |= {
            key: encode_result(item, digest_of(item.reads)) for key, item in fresh.results.items()
        }
        if fresh.conclusion:
            key, conclusion = fresh.conclusion
            entries[key] = self._entries.get(key) or encode_conclusion(conclusion)
        if fresh.clean:
            entries[fresh.clean] = ""
        if entries.keys() == self._entries.keys() and not fresh.results:
            return
        lines = (f"{key}{MARK}{line}" for key, line in entries.items())
        _write(self._folder, self._file, "\n".join((self._head, *lines)).encode("ascii"))

    @cached_property
    def _entries(self) -> dict[str, str]:
        return _read(self._file, self._head)

    def _usable_result(self, text: str, digest_of: Digests) -> StoredResult | None:
        """A line that can be used: what it read is as it was, and its texts are there."""
        try:
            line = line_of(text)
            if digest_of(line.read_names) != line.reads_digest:
                return None
            kept = StoredResult(line, self._texts)
            return kept if self._texts is None or kept.manifests() is not None else None
        except _NOT_UNDERSTOOD:
            return None


def add_texts(manifests: tuple[Manifest, ...], texts: Texts | None) -> tuple[Manifest, ...] | None:
    """Manifests with their texts; nothing if one is gone. Without `texts` the digests will do."""
    if texts is None:
        return manifests
    made = [(item, texts(item.path, item.digest)) for item in manifests]
    if any(text is None for _, text in made):
        return None
    return tuple(item._replace(text=text or "", digest="") for item, text in made)


def texts_in(folder: "Path") -> Texts:
    """Finds a manifest in an output folder; whatever was changed there is not found."""

    files = Worktree(folder)

    def find(path: str, digest: str) -> str | None:
        try:
            data = files.read(path, _LARGEST)
            return data.decode() if sha256(data).hexdigest() == digest else None
        except (Unreadable, ValueError):
            return None

    return find


def _read(file: str, head: str) -> dict[str, str]:
    """The lines of a file that is ours alone and of this very program, by key; else none."""
    try:
        handle = os.open(file, os.O_RDONLY | SAFE_FLAGS)
        with os.fdopen(handle, "rb") as stream:
            about = os.fstat(stream.fileno())
            if not _is_ours(about) or about.st_size > _LARGEST:
                return {}
            first, *lines = stream.read().decode("ascii").split("\n")
    except (OSError, ValueError):
        return {}
    pairs = (line.partition(MARK) for line in lines) if first == head else ()
    return {key: line for key, _, line in pairs}


def _is_ours(about: os.stat_result) -> bool:
    owner = getattr(os, "geteuid", lambda: about.st_uid)()
    regular = stat.S_ISREG(about.st_mode)
    return regular and about.st_uid == owner and not about.st_mode & _OTHERS_MAY_WRITE


def _write(folder: str, file: str, data: bytes) -> None:
    """All of the file or nothing; a cache that cannot be written is no cache, and no error."""
    draft = f"{folder}/.{os.urandom(8).hex()}"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(draft, file)
        _tidy(folder)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)


def _tidy(folder: str) -> None:
    """Forget the repositories that were not looked at for longest."""
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if entry.name.endswith(_ENDING)]
    if len(files) > _MOST_REPOSITORIES:
        files.sort(key=lambda entry: entry.stat().st_mtime)
        for file in files[:-_MOST_REPOSITORIES]:
            with suppress(FileNotFoundError):
                os.unlink(file)


def program() -> str:
    """A name for this version, with the Python that runs it and its files as they are on disk.

    Where libraries are installed, the time of the folder tells whether one came or went.
    """
    total = blake2b(f"{__version__}\0{sys.version}".encode(), digest_size=16)
    for folder in filter(os.path.isdir, (path for path in sys.path if path.endswith(_LIBRARIES))):
        total.update(f"{folder}\0{os.stat(folder).st_mtime_ns}\0".encode())
    for folder in sorted({_PACKAGE, SCHEMAS, TEMPLATES}):
        for line in sorted(_files(folder)):
            total.update(line.encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir() and entry.name != _COMPILED:
                yield from _files(entry.path)
            elif entry.is_file():
                about = entry.stat()
                yield f"{entry.path}\0{about.st_size}\0{about.st_mtime_ns}\0"
