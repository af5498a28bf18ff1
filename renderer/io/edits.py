"""Files of a repository written together: all of them or none, also if the process is killed."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from renderer.errors import RendererError, UsageError
from renderer.publish import WORK, filesystem, transaction
from renderer.publish.folder_lock import made_and_locked
from renderer.publish.inventory import parents
from renderer.publish.plan import Plan
from renderer.publish.snapshot import DiskEntry
from renderer.text.wording import listed
from renderer.values.named_tuple import NamedTuple


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
        transaction.recover(root)
        for path, item in files.items():
            _refuse_others(root, path, item.before)
        transaction.replace_files(root, _plan(root, files, action))


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


_MOST_NAMED = 3


def add_files(folder: Path, files: Mapping[str, str], action: str) -> None:
    """Write texts by their paths below a folder, which need not be there yet.

    The last of them comes last: that is the one that makes the others count.
    """
    _refuse_what_is_there(folder, files)
    new = {path: Replacement(None, text.encode()) for path, text in files.items()}
    write_together(Path(os.path.abspath(folder)), new, action)


def replace_files(
    folder: Path, files: Mapping[str, str], action: str, *, root: Path, force: bool
) -> int:
    """Write texts by their paths below a folder; how many were not as they are to be.

    A file that is there and differs is replaced by force only. A folder below the root is a part
    of that repository, whose next command looks after what was interrupted.
    """
    folder = Path(os.path.abspath(folder))
    wanted = {path: text.encode() for path, text in files.items()}
    found = {path: _content(folder / path) for path in wanted}
    differing = [path for path in wanted if found[path] != wanted[path]]
    there = [str(folder / path) for path in differing if found[path] is not None]
    if there and not force:
        what = f"{_few(there)} {_are(there)} there already and differ{'s' * (len(there) == 1)}"
        raise UsageError(f"{what}; nothing was written; --force replaces what is there")
    base = root if folder.is_relative_to(root) else folder
    below = folder.relative_to(base)
    write_together(
        base,
        {str(below / path): Replacement(found[path], wanted[path]) for path in differing},
        action,
    )
    return len(differing)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"{path}: {reason}; nothing was written") from error


def _refuse_what_is_there(folder: Path, files: Mapping[str, str]) -> None:
    """No file may be in the way, nor a link that leads elsewhere."""
    for path in (PurePosixPath(path) for path in files):
        for place in (folder, *(folder / above for above in reversed(path.parents[:-1]))):
            if os.path.lexists(place) and not _is_folder(place, may_be_link=place == folder):
                raise UsageError(f"{place} is not a folder; nothing was written")
    there = sorted(str(folder / path) for path in files if os.path.lexists(folder / path))
    if there:
        raise UsageError(f"{_few(there)} {_are(there)} there already; nothing was written")


def _few(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return listed([*names[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])])


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _is_folder(place: Path, *, may_be_link: bool) -> bool:
    return place.is_dir() and (may_be_link or not place.is_symlink())
