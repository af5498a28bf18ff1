"""Environments prepared beside their places and exchanged, each in one system call."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import filesystem, journal
from renderer.publish.filesystem import NOT_HERE
from renderer.publish.journal import Record, Swap, prepared, replaced
from renderer.publish.plan import Plan
from renderer.publish.snapshot import DiskEntries, walk


class NotPossible(Exception):
    """This system or file system cannot do it; file by file it can still be done."""


@contextmanager
def _possible() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in NOT_HERE:
            raise NotPossible from error
        raise


def prepare(folder: Path, plan: Plan) -> Record:
    """Build each environment that changes, out of links to what stays and new files."""
    with _possible():
        return Record(swaps=tuple(_prepare(folder, plan, name) for name in plan.environments))


def _prepare(folder: Path, plan: Plan, environment: str) -> Swap:
    before = _entries_within(plan.entries, environment)
    if environment in plan.emptied:
        return Swap(environment, existed=True, inode=0)
    target = prepared(folder)
    made = {path for path in plan.made if _is_within(path, environment)}
    folders = {path for path, entry in before.items() if entry.is_folder}.difference(plan.emptied)
    for path in sorted(folders | made):
        filesystem.make_folder(target / path)
    for path in sorted(before.keys() - folders - {*plan.written, *plan.removed, *plan.emptied}):
        # Not copied where it cannot be linked: a copy has another owner and another inode,
        # and working file by file leaves what is not ours entirely alone.
        filesystem.link(f"{folder}/{path}", f"{target}/{path}")
    for path in (path for path in plan.written if _is_within(path, environment)):
        filesystem.write(target / path, plan.written[path], plan.mode_of(path))
    for path in sorted(folders, reverse=True):
        filesystem.copy_folder_status(folder / path, target / path)
    return Swap(environment, bool(before), filesystem.inode(target / environment))


def apply(folder: Path, plan: Plan, record: Record) -> None:
    with _possible():
        for swap in record.swaps:
            _swap(folder, swap)
    for swap in record.swaps:
        _refuse_late_change(folder, plan, swap)


def _swap(folder: Path, swap: Swap) -> None:
    current = folder / swap.environment
    if not swap.inode:
        filesystem.rename(current, replaced(folder) / swap.environment)
    elif swap.existed:
        filesystem.exchange(prepared(folder) / swap.environment, current)
    else:
        filesystem.rename(prepared(folder) / swap.environment, current)


def _refuse_late_change(folder: Path, plan: Plan, swap: Swap) -> None:
    """What was saved by others while we worked is in the old folder only, and would go with it."""
    if not swap.existed:
        return
    aside = prepared(folder) if swap.inode else replaced(folder)
    if dict(walk(aside, swap.environment)) != _entries_within(plan.entries, swap.environment):
        where = folder / swap.environment
        raise RendererError(f"{where} was changed by someone else just now; render again")


def undo(folder: Path, record: Record) -> None:
    """Every folder back to its old current, wherever the run stopped."""
    for swap in record.swaps:
        current, aside = folder / swap.environment, prepared(folder) / swap.environment
        gone = replaced(folder) / swap.environment
        if not swap.inode and filesystem.inode(gone) and not filesystem.inode(current):
            filesystem.rename(gone, current)
        elif swap.inode and filesystem.inode(current) == swap.inode and swap.existed:
            filesystem.exchange(aside, current)
        elif swap.inode and filesystem.inode(current) == swap.inode:
            filesystem.rename(current, aside)
        elif swap.existed and filesystem.inode(aside) != swap.inode:
            raise journal.undecidable(folder)


def _entries_within(entries: DiskEntries, environment: str) -> DiskEntries:
    return {path: entry for path, entry in entries.items() if _is_within(path, environment)}


def _is_within(path: str, environment: str) -> bool:
    return path == environment or path.startswith(f"{environment}/")
