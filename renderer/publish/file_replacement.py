"""File by file, where folders cannot be exchanged: the journal keeps all that is replaced."""

import stat
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import WORK, filesystem, journal
from renderer.publish.inventory import digest_of, parents
from renderer.publish.journal import RENDER, FileStep, Record, prepared, replaced
from renderer.publish.plan import Plan

_NO_FILE = "no file"


def prepare(folder: Path, plan: Plan) -> Record:
    """New files and second names of old ones, numbered, in the work folder."""
    steps = [
        FileStep(path, placed=True, existed=path in plan.entries, digest=digest_of(data))
        for path, data in plan.written.items()
    ]
    steps += [FileStep(path, placed=False, existed=True) for path in plan.removed]
    for number, step in enumerate(steps):
        name = str(number)
        if step.existed:
            filesystem.link_or_copy(folder / step.path, replaced(folder) / name)
        if step.placed:
            data, mode = plan.written[step.path], plan.mode_of(step.path)
            can_be_made_again = plan.action == RENDER
            filesystem.write(prepared(folder) / name, data, mode, sync=not can_be_made_again)
    return Record(steps=tuple(steps), made=plan.made, emptied=plan.emptied, action=plan.action)


def apply(folder: Path, plan: Plan, record: Record) -> None:  # noqa: ARG001 - as in folder_exchange
    for path in record.made:
        filesystem.make_folder(folder / path)
    for number, step in enumerate(record.steps):
        if step.placed:
            filesystem.move(prepared(folder) / str(number), folder / step.path)
        else:
            filesystem.remove(folder / step.path)


def undo(folder: Path, record: Record) -> None:
    """Needs no room: names go back to where names were, and no folder has been removed yet.

    What people did to a file after the crash is not undone. If that file was one of theirs before,
    what it held stays in the work folder until they have looked at it.
    """
    changed = [
        (step.path, replaced(folder) / str(number))
        for number, step in enumerate(record.steps)
        if not _undo_step(folder, str(number), step)
    ]
    for path in reversed(record.made):
        _refuse_links(folder, path)
        filesystem.remove_folder(folder / path)
    if changed and record.action != RENDER:
        path, kept = changed[0]
        more = f" (and {len(changed) - 1} more)" if len(changed) > 1 else ""
        raise RendererError(
            f"{folder / path}{more} was changed after an interrupted {record.action} had replaced "
            f"it; what it held before is in {kept}: take from it what you need, delete {WORK} "
            "and run again"
        )


def _undo_step(folder: Path, name: str, step: FileStep) -> bool:
    """Whether a file is what it was, or was never touched."""
    target, kept = folder / step.path, replaced(folder) / name
    _refuse_links(folder, step.path)
    filesystem.remove(filesystem.draft_beside(target))
    now, waits = _content(target), filesystem.status(prepared(folder) / name) is not None
    if now == (step.digest or None) or (now is None and not waits):
        if not step.existed:
            filesystem.remove(target)
        elif filesystem.status(kept):
            filesystem.move(kept, target)
        return True
    return waits or not step.placed or _content(kept) in (None, now)


def _content(path: Path) -> str | None:
    """The digest of a file; None if nothing is there."""
    found = filesystem.status(path)
    if found is None:
        return None
    return digest_of(filesystem.read(path)) if stat.S_ISREG(found.st_mode) else _NO_FILE


def finish(folder: Path, record: Record) -> None:
    """What waits for the commit, because bringing a folder back could need room."""
    for path in record.emptied:
        _refuse_links(folder, path)
        filesystem.remove_folder(folder / path)


def _refuse_links(folder: Path, path: str) -> None:
    """Between a crash and its undoing anybody may have put a link in the way."""
    for above in parents(path):
        if filesystem.status(folder / above) and not filesystem.is_folder(folder / above):
            raise journal.undecidable(folder)
