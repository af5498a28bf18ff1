"""Publish a rendering, or compare it with what is on disk."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import refusals
from renderer.publish.differences import differences, edited, rendered_only
from renderer.publish.files import Comparison, Published, Scope
from renderer.publish.journal import WORK
from renderer.publish.locking import held, made
from renderer.publish.plan import plan
from renderer.publish.recovery import has_leftovers, is_half_done, recover
from renderer.publish.transaction import carry_out
from renderer.publish.tree import survey
from renderer.publish.wanted import Wanted, want
from renderer.values.output import OutputFile

_NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)
_REMEDIES = {
    errno.ENOSPC: "free some room and run again",
    errno.EDQUOT: "free some room and run again",
    **dict.fromkeys(_NOT_ALLOWED, "make it accessible or choose another --output"),
}


def publish(
    folder: Path, files: Sequence[OutputFile], scope: Scope, *, allow_empty: bool = False
) -> Published:
    """Make the tree in scope what was rendered; files that are not ours stay as they are."""
    wanted = want(files, scope)
    with _reported(folder, "nothing was rendered"):
        if not wanted.files and not folder.exists():
            return Published(0, 0, 0, (), ())
        with made(folder), held(folder, exclusive=True):
            recover(folder)
            return _publish(folder, wanted, scope, allow_empty)


def compare(folder: Path, files: Sequence[OutputFile], scope: Scope) -> Comparison:
    """How the tree differs from what was rendered; needs no permission to write."""
    wanted = want(files, scope)
    with _reported(folder, "nothing was compared"):
        if not folder.exists():
            return Comparison(tuple(sorted(wanted.files)), (), (), ())
        _settle(folder)
        with held(folder, exclusive=False):
            return differences(survey(folder, wanted.files, scope), wanted, scope)


def _publish(folder: Path, wanted: Wanted, scope: Scope, allow_empty: bool) -> Published:
    found = survey(folder, wanted.files, scope)
    differing = differences(found, wanted, scope)
    refusals.refuse_obstacles(folder, found, wanted)
    refusals.refuse_strangers(folder, found, differing)
    if not allow_empty:
        refusals.refuse_emptying(folder, found, wanted)
    if differing.missing or differing.changed or differing.stale:
        carry_out(folder, plan(found, wanted, differing))
    written = rendered_only(differing.missing + differing.changed)
    return Published(
        written=written,
        unchanged=rendered_only(tuple(wanted.files)) - written,
        pruned=rendered_only(differing.stale),
        restored=edited(found, differing.changed),
        discarded=edited(found, differing.stale),
    )


def _settle(folder: Path) -> None:
    """Leftovers of a dead run; a reader may ignore them unless the tree is neither old nor new."""
    if not has_leftovers(folder):
        return
    try:
        with held(folder, exclusive=True):
            recover(folder)
    except OSError as error:
        if error.errno not in _NOT_ALLOWED or is_half_done(folder):
            raise


@contextmanager
def _reported(folder: Path, outcome: str) -> Iterator[None]:
    """What the system refuses, as one line that names the place and the way out."""
    try:
        yield
    except OSError as error:
        named = error.filename
        where = folder if named is None or WORK in str(named) else named
        reason = (error.strerror or "it cannot be used").lower()
        remedy = _REMEDIES.get(error.errno or 0, "mend this and run again")
        raise RendererError(f"{outcome}: {where}: {reason}; {remedy}") from error
