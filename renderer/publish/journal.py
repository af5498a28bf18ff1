"""The work folder of a run, and the record in it that says how to undo what was begun.

The record is a rollback journal. Without one, a work folder is rubbish and the tree is whole.
With `journal` the tree may be half new, and is brought back to the old one. Renaming `journal`
to `committed` is the moment at which the new tree holds; from then on only rubbish is left.

Only the record is synced to disk, so that after a power cut it never promises what it does not
know. Rendered files are not: one that comes back damaged differs from its inventory, and the next
render restores it.
"""

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from renderer.errors import RendererError
from renderer.publish import filesystem
from renderer.publish.inventory import is_safe

#: Fixed, because the lock lets only one run work; hidden, because no environment is.
WORK = ".servingctl-render"
_JOURNAL, _COMMITTED, _DRAFT = "journal", "committed", "draft"


class Swap(NamedTuple):
    """An environment's folder that changes places with a prepared one."""

    environment: str
    existed: bool
    inode: int  # of the prepared folder: tells whether the swap has happened; 0: it just goes


class FileStep(NamedTuple):
    """A file that is replaced or removed; its number is its name in the work folder."""

    path: str
    placed: bool
    existed: bool


class Record(NamedTuple):
    """What a run is about to do; folders are made before and removed after everything else."""

    swaps: tuple[Swap, ...] = ()
    steps: tuple[FileStep, ...] = ()
    made: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    committed: bool = False


def prepared(folder: Path) -> Path:
    return folder / WORK / "new"


def replaced(folder: Path) -> Path:
    return folder / WORK / "old"


def begin(folder: Path) -> None:
    work = folder / WORK
    filesystem.make_folder(work)
    # After a crash, `git add .` must not take the leftovers along.
    filesystem.write(work / ".gitignore", b"*\n")
    filesystem.make_folder(prepared(folder))
    filesystem.make_folder(replaced(folder))


def note(folder: Path, record: Record) -> None:
    """From here on the tree may be changed: a crash will be undone."""
    work = folder / WORK
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
            if not stat.S_ISREG(found.st_mode):
                raise undecidable(folder)
            try:
                return _record(json.loads(filesystem.read(path)), name == _COMMITTED)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise undecidable(folder) from error
    return None


def discard(folder: Path) -> None:
    """The record goes first: without it, the rest is rubbish however little of it is left."""
    work = folder / WORK
    for name in (_JOURNAL, _COMMITTED):
        filesystem.remove(work / name)
    filesystem.remove_tree(work)


def undecidable(folder: Path) -> RendererError:
    return RendererError(
        f"{folder / WORK}: an interrupted render left this and it cannot be undone; "
        f"restore {folder} from Git, delete {WORK} and render again"
    )


def _record(document: Mapping[str, Any], committed: bool) -> Record:
    record = Record(
        swaps=tuple(Swap(*item) for item in document["swaps"]),
        steps=tuple(FileStep(*item) for item in document["steps"]),
        made=tuple(document["made"]),
        emptied=tuple(document["emptied"]),
        committed=committed,
    )
    _refuse_odd_paths(record)
    return record


def _refuse_odd_paths(record: Record) -> None:
    """The record may have come with a stranger's repository: it must reach environments only.

    What is hidden beside them, such as `.git`, runs programs.
    """
    environments = [swap.environment for swap in record.swaps]
    paths = [*(step.path for step in record.steps), *record.made, *record.emptied, *environments]
    if any(path.startswith(".") or not is_safe(path) for path in paths):
        raise ValueError(paths)
    if any("/" in name for name in environments):
        raise ValueError(environments)
