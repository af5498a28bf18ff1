"""Publish a rendering, or compare it with what is on disk."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import WORK
from renderer.publish.folder_lock import lock_folder, made_and_locked
from renderer.publish.inventory import Scope
from renderer.publish.plan import (
    TargetTree,
    TreeDifferences,
    accept_former_names,
    build_target,
    compare_trees,
    count_rendered,
    find_edited,
    make_plan,
    refuse_emptying,
    refuse_obstacles,
    refuse_strangers,
)
from renderer.publish.snapshot import Snapshot, take_snapshot
from renderer.publish.transaction import NOT_ALLOWED, carry_out, recover, settle
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import OutputFile

_REMEDIES = {
    errno.ENOSPC: "free some room and run again",
    errno.EDQUOT: "free some room and run again",
    **dict.fromkeys(NOT_ALLOWED, "make it accessible or choose another --output"),
}


class PublishedCounts(NamedTuple):
    """How many rendered files were written, left alone and deleted (inventories not counted).

    `restored` names files edited by hand that were put back, `discarded` those that were deleted.
    """

    written: int
    unchanged: int
    pruned: int
    restored: tuple[str, ...]
    discarded: tuple[str, ...]


def publish(
    folder: Path, files: Sequence[OutputFile], scope: Scope, *, allow_empty: bool = False
) -> PublishedCounts:
    """Make the tree in scope what was rendered; files that are not ours stay as they are."""
    target = build_target(files, scope)
    with _reported(folder, "nothing was rendered"):
        if not target.files and not folder.exists():
            return PublishedCounts(0, 0, 0, (), ())
        with made_and_locked(folder):
            recover(folder)
            return _publish(folder, target, scope, allow_empty)


def compare(folder: Path, files: Sequence[OutputFile], scope: Scope) -> TreeDifferences:
    """How the tree differs from what was rendered; needs no permission to write."""
    target = build_target(files, scope)
    with _reported(folder, "nothing was compared"):
        try:
            settle(folder)
            with lock_folder(folder, exclusive=False):
                found = take_snapshot(folder, target.files, scope)
                target = _add_former(found, target)
                differing = compare_trees(found, target, scope)
                return accept_former_names(found, target, differing)
        except FileNotFoundError:
            if folder.exists():
                raise
            return TreeDifferences(tuple(sorted(target.files)), (), (), ())


def _publish(folder: Path, target: TargetTree, scope: Scope, allow_empty: bool) -> PublishedCounts:
    found = take_snapshot(folder, target.files, scope)
    target = _add_former(found, target)
    differing = compare_trees(found, target, scope)
    refuse_obstacles(folder, found, target)
    refuse_strangers(folder, found, differing)
    if not allow_empty:
        refuse_emptying(folder, found, target)
    if differing.missing or differing.changed or differing.stale:
        carry_out(folder, make_plan(found, target, differing))
    written = count_rendered(differing.missing + differing.changed)
    return PublishedCounts(
        written=written,
        unchanged=count_rendered(tuple(target.files)) - written,
        pruned=count_rendered(differing.stale),
        restored=find_edited(found, differing.changed),
        discarded=find_edited(found, differing.stale),
    )


def _add_former(found: Snapshot, target: TargetTree) -> TargetTree:
    """The tree wanted, with what stays of earlier content; most trees have nothing of the kind."""
    if not any(file.has_generations for file in target.files.values()):
        return target
    from renderer.publish.generations import keep_former

    return keep_former(found, target)


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
