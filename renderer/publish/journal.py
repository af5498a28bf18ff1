"""The work folder of a run, and the record in it that says how to undo what was begun.

The record is a rollback journal. Without one, a work folder is rubbish and the tree is whole.
With `journal` the tree may be half new, and is brought back to the old one. Renaming `journal`
to `committed` is the moment at which the new tree holds; from then on only rubbish is left.

The record is synced to disk, so that after a power cut it never promises what it does not know.
So are edits of specs, which nothing could make again. Rendered files are not: one that comes back
damaged differs from its inventory, and the next render restores it.
"""

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from renderer.errors import RendererError
from renderer.publish import WORK, filesystem
from renderer.publish.inventory import is_safe
from renderer.values.named_tuple import NamedTuple

RENDER = "render"
_JOURNAL, _COMMITTED, _DRAFT = "journal", "committed", "draft"
_NOT_TRACKED, _IGNORED = ".git", ".gitignore"
_GIT = {".git", "git~1"}  # the second is what Windows calls the first


class Swap(NamedTuple):
    """An environment's folder that changes places with a prepared one."""

    environment: str
    existed: bool
    inode: int  # of the prepared folder: tells whether the swap has happened; 0: it just goes


class FileStep(NamedTuple):
    """A file that is replaced or removed; its number is its name in the work folder.

    By the digest of what is placed, it is known later whether it is there.
    """

    path: str
    placed: bool
    existed: bool
    digest: str = ""


class Record(NamedTuple):
    """What a run is about to do; folders are made before and removed after everything else.

    The inode is that of the work folder: a record that came with a clone or an archive has another
    one, and is not believed.
    """

    swaps: tuple[Swap, ...] = ()
    steps: tuple[FileStep, ...] = ()
    made: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    action: str = RENDER
    inode: int = 0
    committed: bool = False


def prepared(folder: Path) -> Path:
    return folder / WORK / "new"


def replaced(folder: Path) -> Path:
    return folder / WORK / "old"


def begin(folder: Path) -> None:
    work = folder / WORK
    filesystem.make_folder(work)
    # After a crash, `git add .` must not take the leftovers along; nor this file, while it is
    # empty, and Git never takes one that is called so.
    filesystem.write(work / _NOT_TRACKED, b"*\n")
    filesystem.rename(work / _NOT_TRACKED, work / _IGNORED)
    filesystem.make_folder(prepared(folder))
    filesystem.make_folder(replaced(folder))


def note(folder: Path, record: Record) -> None:
    """From here on the tree may be changed: a crash will be undone."""
    work = folder / WORK
    record = record._replace(inode=filesystem.inode(work))
    filesystem.write(work / _DRAFT, json.dumps(record._asdict()).encode(), sync=True)
    filesystem.rename(work / _DRAFT, work / _JOURNAL)
    filesystem.sync_folder(work)


def commit(folder: Path) -> None:
    work = folder / WORK
    filesystem.rename(work / _JOURNAL, work / _COMMITTED)


def recorded(folder: Path) -> Record | None:
    """The record of a run that did not end, if it got so far."""
    for name in (_JOURNAL, _COMMITTED):
        path = folder / WORK / name
        found = filesystem.status(path)
        if found:
            if not stat.S_ISREG(found.st_mode) or not filesystem.is_own(found):
                raise undecidable(folder)
            try:
                record = _record(json.loads(filesystem.read(path)), name == _COMMITTED)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise undecidable(folder) from error
            if record.inode != filesystem.inode(folder / WORK):
                raise undecidable(folder)
            return record
    return None


def discard(folder: Path) -> None:
    """The record goes first: without it, the rest is rubbish however little of it is left.

    What keeps Git from taking the rest goes last.
    """
    work = folder / WORK
    for name in (_JOURNAL, _COMMITTED):
        filesystem.remove(work / name)
    for name in reversed(filesystem.names(work)):  # names with a dot are the first in order
        filesystem.remove_tree(work / name)
    filesystem.remove_tree(work)


def undecidable(folder: Path) -> RendererError:
    return RendererError(
        f"{folder / WORK}: an interrupted run left this and it cannot be undone; "
        f"restore from Git what it changed in {folder}, delete {WORK} and run again"
    )


def _record(document: Mapping[str, Any], committed: bool) -> Record:
    from renderer.values.codec import Decoder  # seldom: only what an interrupted run left is read

    fields = [document[name] for name in Record._fields]
    record = Decoder().decode(Record, fields)._replace(committed=committed)
    _refuse_odd_paths(record)
    return record


def _refuse_odd_paths(record: Record) -> None:
    """A record reaches files below its folder only, and none of Git's, some of which are run."""
    environments = [swap.environment for swap in record.swaps]
    paths = [*(step.path for step in record.steps), *record.made, *record.emptied, *environments]
    parts = [part for path in paths for part in path.lower().split("/")]
    if any(part.rstrip(". ") in _GIT for part in parts) or not all(map(is_safe, paths)):
        raise ValueError(paths)
    if any("/" in name or name.startswith(".") for name in environments):
        raise ValueError(environments)
