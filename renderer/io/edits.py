"""Files of a repository written together: all of them or none, also if the process is killed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from renderer.errors import RendererError
from renderer.publish import WORK, filesystem
from renderer.publish.folder_lock import made_and_locked
from renderer.publish.inventory import parents
from renderer.publish.plan import Plan
from renderer.publish.snapshot import DiskEntry
from renderer.publish.transaction import recover, replace_files


class Replacement(NamedTuple):
    """What a file is to hold, and what it held when that was decided; None is no file."""

    before: bytes | None
    after: bytes | None


def write_together(root: Path, files: Mapping[str, Replacement], action: str) -> None:
    """Replace files that are still as they were; if one cannot be, all stay as they are.

    They come in the order that they are given in. What is done here is undone by the next command
    if this one, whose name is the action, is killed before the last file is in its place.
    """
    if not files:
        return
    with _reported(root), made_and_locked(root):
        recover(root)
        for path, item in files.items():
            _refuse_others(root, path, item.before)
        replace_files(root, _plan(root, files, action))


def _refuse_others(root: Path, path: str, before: bytes | None) -> None:
    """Nothing but what was read is replaced, and no link: it may lead to a file of others."""
    full = root / path
    folder = next(folder for folder in full.parents if folder.exists())
    real = root.resolve() / folder.relative_to(root)
    if full.is_symlink() or folder.resolve() != real:
        raise RendererError(f"nothing was written: {path} is behind a link; edit it by hand")
    if (filesystem.read(full) if full.exists() else None) != before:
        raise RendererError(f"nothing was written: {path} was changed meanwhile; try again")


def _plan(root: Path, files: Mapping[str, Replacement], action: str) -> Plan:
    found = {
        path: filesystem.status(root / path)
        for path, item in files.items()
        if item.before is not None
    }
    above = {folder for path in files for folder in parents(path)}
    return Plan(
        entries={path: DiskEntry(status.st_mode) for path, status in found.items() if status},
        written={path: item.after for path, item in files.items() if item.after is not None},
        removed=tuple(path for path, item in files.items() if item.after is None),
        made=tuple(sorted(path for path in above if not filesystem.is_folder(root / path))),
        action=action,
    )


@contextmanager
def _reported(root: Path) -> Iterator[None]:
    """What the system refuses, as one line."""
    try:
        yield
    except OSError as error:
        named = str(error.filename or root)
        where = root if WORK in named else named
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"{where}: {reason}; nothing was written") from error
