"""A plan carried out: after it, or after the next command, the tree is all new or all old."""

import errno
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from renderer.errors import RendererError
from renderer.publish import WORK, file_replacement, filesystem, folder_exchange, journal
from renderer.publish.folder_lock import lock_folder
from renderer.publish.journal import Record
from renderer.publish.plan import Plan
from renderer.values.named_tuple import NamedTuple

NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)


class Method(Protocol):
    """A way from the old tree to the new one, which its record can undo at any point."""

    def prepare(self, folder: Path, plan: Plan) -> Record: ...
    def apply(self, folder: Path, plan: Plan, record: Record) -> None: ...


class Recovery(NamedTuple):
    """What was done about a run that did not end; it had an action if it came to change files."""

    action: str = ""
    is_undone: bool = False


def carry_out(folder: Path, plan: Plan) -> None:
    """Environment by environment where the system can exchange folders, else file by file."""
    if filesystem.can_exchange():
        try:
            return _transact(folder, plan, folder_exchange)
        except folder_exchange.NotPossible:
            recover(folder)  # undone already, unless clearing away met a second trouble
    return replace_files(folder, plan)


def replace_files(folder: Path, plan: Plan) -> None:
    """File by file: nothing else in their folders is touched."""
    _transact(folder, plan, file_replacement)


def _transact(folder: Path, plan: Plan, method: Method) -> None:
    try:
        journal.begin(folder)
        record = method.prepare(folder, plan)
        journal.note(folder, record)
        method.apply(folder, plan, record)
        journal.commit(folder)
    except BaseException:
        _undo(folder, plan.action)
        raise
    # The new tree holds. What cannot be cleared away now is rubbish for the next command,
    # and no reason to call the run failed.
    with suppress(OSError):
        recover(folder)


def _undo(folder: Path, action: str) -> None:
    """Recovery goes back as long as nothing is committed."""
    try:
        recover(folder)
    except OSError as error:
        if is_half_done(folder):
            reason = (error.strerror or "it cannot be written").lower()
            raise RendererError(
                f"{folder}: the {action} failed and could not be undone ({reason}); "
                "once this is mended, the next servingctl command undoes it"
            ) from error


def has_leftovers(folder: Path) -> bool:
    return filesystem.status(folder / WORK) is not None


def is_half_done(folder: Path) -> bool:
    """May the tree be neither the old one nor the new one?"""
    record = journal.recorded(folder)
    return record is not None and not record.committed


def settle(folder: Path) -> Recovery | None:
    """Leftovers of a dead run; a reader may ignore them unless the tree is neither old nor new."""
    if not has_leftovers(folder):
        return None
    try:
        with lock_folder(folder, exclusive=True):
            return recover(folder)
    except OSError as error:
        if error.errno not in NOT_ALLOWED or is_half_done(folder):
            raise
        return None


def recover(folder: Path) -> Recovery | None:
    """Only under the exclusive lock: then whoever made the work folder is no longer alive."""
    if not has_leftovers(folder):
        return None
    if not filesystem.is_folder(folder / WORK):
        raise journal.undecidable(folder)
    record = journal.recorded(folder)
    if record and record.committed:
        file_replacement.finish(folder, record)
    elif record:
        file_replacement.undo(folder, record)
        folder_exchange.undo(folder, record)
    journal.discard(folder)
    return Recovery(record.action, not record.committed) if record else Recovery()
