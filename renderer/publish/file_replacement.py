"""File by file, where folders cannot be exchanged: the journal keeps all that is replaced."""

from pathlib import Path

from renderer.publish import filesystem, journal
from renderer.publish.inventory import parents
from renderer.publish.journal import FileStep, Record, prepared, replaced
from renderer.publish.plan import Plan


def prepare(folder: Path, plan: Plan) -> Record:
    """New files and second names of old ones, numbered, in the work folder."""
    steps = [FileStep(path, placed=True, existed=path in plan.entries) for path in plan.written]
    steps += [FileStep(path, placed=False, existed=True) for path in plan.removed]
    for number, step in enumerate(steps):
        name = str(number)
        if step.existed:
            filesystem.link_or_copy(folder / step.path, replaced(folder) / name)
        if step.placed:
            data, mode = plan.written[step.path].data, plan.mode_of(step.path)
            filesystem.write(prepared(folder) / name, data, mode)
    return Record(steps=tuple(steps), made=plan.made, emptied=plan.emptied)


def apply(folder: Path, plan: Plan, record: Record) -> None:  # noqa: ARG001 - as in folder_exchange
    for path in record.made:
        filesystem.make_folder(folder / path)
    for number, step in enumerate(record.steps):
        if step.placed:
            filesystem.rename(prepared(folder) / str(number), folder / step.path)
        else:
            filesystem.remove(folder / step.path)


def undo(folder: Path, record: Record) -> None:
    """Needs no room: names go back to where names were, and no folder has been removed yet."""
    for number, step in enumerate(record.steps):
        _undo_step(folder, str(number), step)
    for path in reversed(record.made):
        _refuse_links(folder, path)
        filesystem.remove_folder(folder / path)


def _undo_step(folder: Path, name: str, step: FileStep) -> None:
    target, kept = folder / step.path, replaced(folder) / name
    _refuse_links(folder, step.path)
    if step.placed:
        untouched = filesystem.status(prepared(folder) / name) is not None
    else:
        untouched = filesystem.status(target) is not None
    if untouched:
        return
    if not step.existed:
        filesystem.remove(target)
    elif filesystem.status(kept):
        filesystem.rename(kept, target)


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
