"""What others wrote, read from files, folders and standard input."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator

from renderer.adopt.sources import ForeignText
from renderer.errors import RendererError, UsageError
from renderer.io.worktree import Worktree
from renderer.values.files import Unreadable

STDIN = "-"
_ENDINGS = (".yaml", ".yml", ".json", ".sh")
_LARGEST = 64 << 20


def read_foreign(names: Iterable[str]) -> list[ForeignText]:
    """Every file that is named, and in folders those that may hold objects or requests."""
    return [text for name in names for text in _texts(name)]


def _texts(name: str) -> Iterator[ForeignText]:
    if name == STDIN:
        yield ForeignText("standard input", sys.stdin.buffer.read(_LARGEST + 1))
    elif not os.path.exists(name):
        raise UsageError(f"there is no file {name!r} to import")
    elif os.path.isdir(name):
        yield from _read_folder(name)
    elif stat.S_ISFIFO(os.stat(name).st_mode):  # as shells make of <(a command)
        with open(name, "rb") as stream:
            yield ForeignText(name, stream.read(_LARGEST + 1))
    else:
        folder, base = os.path.split(os.path.abspath(name))
        yield ForeignText(name, _read(Worktree(folder), base, name))


def _read_folder(name: str) -> Iterator[ForeignText]:
    """Files in a folder and below it, in a fixed order; hidden ones are left alone."""
    tree = Worktree(os.path.dirname(os.path.abspath(name)))
    base = os.path.basename(os.path.abspath(name))
    found = [
        entry.path
        for entry in tree.entries(base)
        if not entry.is_folder and entry.path.lower().endswith(_ENDINGS)
    ]
    if not found:
        raise UsageError(f"there is no file that ends in {', '.join(_ENDINGS)} in {name!r}")
    for path in found:
        shown = os.path.join(name, path.removeprefix(f"{base}/"))
        yield ForeignText(shown, _read(tree, path, shown), is_found=True)


def _read(tree: Worktree, path: str, shown: str) -> bytes:
    try:
        return tree.read(path, _LARGEST)
    except Unreadable as error:
        raise RendererError(f"{shown} is not read: {error}; {error.fix}") from error
