"""The file that remembers the outcomes of a repository between runs."""

import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress

from renderer.evaluate.outcomes import Outcome
from renderer.io.encoding import MARK, decoded, encoded
from renderer.text.digests import blake2b

_FORM = 3
_ENDING = ".cache"
_LARGEST = 256 << 20
_MOST_REPOSITORIES = 50
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH

StrPath = str | os.PathLike[str]
Texts = Callable[[str, str], str | None]


class Store:
    """Outcomes by the keys of their pieces, those of the latest run.

    `texts` finds the text of a manifest by path and digest; without it digests will do.
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
        self._entries: dict[str, str] | None = None

    def recall(self, keys: Mapping[str, str], *, trees: bool = True) -> dict[str, Outcome]:
        if self._entries is None:
            self._entries = _read(self._file, self._head)
        known = [(stem, key) for stem, key in keys.items() if key in self._entries]
        found = {stem: self._outcome(key, self._entries, trees=trees) for stem, key in known}
        return {stem: outcome for stem, outcome in found.items() if outcome}

    def keep(self, keys: Mapping[str, str], found: Mapping[str, Outcome]) -> None:
        """Replace the file, unless it says the same already."""
        earlier = self._entries or {}
        if earlier.keys() == {keys[stem] for stem in found}:
            return
        entries = {
            keys[stem]: earlier.get(keys[stem]) or encoded(outcome)
            for stem, outcome in found.items()
        }
        lines = (f"{key}{MARK}{line}" for key, line in entries.items())
        _write(self._folder, self._file, "\n".join((self._head, *lines)).encode("ascii"))

    def _outcome(self, key: str, entries: dict[str, str], *, trees: bool) -> Outcome | None:
        """An outcome with its texts; nothing if it cannot be used or a text is gone."""
        try:
            outcome = decoded(entries[key], trees=trees)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            del entries[key]
            return None
        return outcome if self._texts is None else _with_texts(outcome, self._texts)


def _with_texts(outcome: Outcome, texts: Texts) -> Outcome | None:
    specs = []
    for seen in outcome.specs:
        made = [(item, texts(item.path, item.digest)) for item in seen.manifests]
        if any(text is None for _, text in made):
            return None
        manifests = tuple(item._replace(text=text or "", digest="") for item, text in made)
        specs.append(seen._replace(manifests=manifests))
    return outcome._replace(specs=tuple(specs))


def _read(file: str, head: str) -> dict[str, str]:
    """The lines of a file that is ours alone and of this very program, by key; else none."""
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
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
