"""What a run that died left behind: undone or finished, and then removed."""

from pathlib import Path

from renderer.publish import filesystem, journal, replacing, swapping


def has_leftovers(folder: Path) -> bool:
    return filesystem.status(folder / journal.WORK) is not None


def is_half_done(folder: Path) -> bool:
    """May the tree be neither the old one nor the new one?"""
    record = journal.recorded(folder)
    return record is not None and not record.committed


def recover(folder: Path) -> None:
    """Only under the exclusive lock: then whoever made the work folder is no longer alive."""
    if not has_leftovers(folder):
        return
    if not filesystem.is_folder(folder / journal.WORK):
        raise journal.undecidable(folder)
    record = journal.recorded(folder)
    if record and record.committed:
        replacing.finish(folder, record)
    elif record:
        replacing.undo(folder, record)
        swapping.undo(folder, record)
    journal.discard(folder)
