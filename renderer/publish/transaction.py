"""A plan carried out: after it, or after the next command, the tree is all new or all old."""

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from renderer.errors import RendererError
from renderer.publish import exchanging, journal, replacing, swapping
from renderer.publish.journal import Record
from renderer.publish.plan import Plan
from renderer.publish.recovery import is_half_done, recover


class Method(Protocol):
    """A way from the old tree to the new one, which its record can undo at any point."""

    def prepare(self, folder: Path, plan: Plan) -> Record: ...
    def apply(self, folder: Path, plan: Plan, record: Record) -> None: ...


def carry_out(folder: Path, plan: Plan) -> None:
    if exchanging.is_available():
        try:
            return _transact(folder, plan, swapping)
        except swapping.NotPossible:
            recover(folder)  # undone already, unless clearing away met a second trouble
    return _transact(folder, plan, replacing)


def _transact(folder: Path, plan: Plan, method: Method) -> None:
    try:
        journal.begin(folder)
        record = method.prepare(folder, plan)
        journal.note(folder, record)
        method.apply(folder, plan, record)
        journal.commit(folder)
    except BaseException:
        _undo(folder)
        raise
    # The new tree holds. What cannot be cleared away now is rubbish for the next command,
    # and no reason to call the render failed.
    with suppress(OSError):
        recover(folder)


def _undo(folder: Path) -> None:
    """Recovery goes back as long as nothing is committed."""
    try:
        recover(folder)
    except OSError as error:
        if is_half_done(folder):
            reason = (error.strerror or "it cannot be written").lower()
            raise RendererError(
                f"{folder}: the render failed and could not be undone ({reason}); "
                "once this is mended, the next servingctl command undoes it"
            ) from error
