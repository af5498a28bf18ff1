"""What an interrupted run left in a repository: finished or undone before anything is read."""

import os
from typing import TYPE_CHECKING

from renderer.cli.streams import say
from renderer.errors import UsageError
from renderer.io.repository import find_root
from renderer.publish import WORK

if TYPE_CHECKING:
    from pathlib import Path

    from renderer.publish.transaction import Recovery


def settled_root(start: str) -> str:
    """The nearest folder upward that holds the marker, with nothing half done in it.

    Where there is none, a run that was to make one may have been interrupted.
    """
    try:
        root = find_root(start)
    except UsageError:
        tidy(start)
        raise
    tidy(root)
    return root


def tidy(folder: "str | Path") -> None:
    """Finish or undo what was begun in a folder, and say so."""
    if os.path.lexists(f"{folder}/{WORK}"):
        from pathlib import Path

        from renderer.publish.transaction import settle

        done = settle(Path(folder))
        if done:
            say(f"servingctl: {_report(done)}")


def _report(done: "Recovery") -> str:
    if done.is_undone:
        return f"an interrupted {done.action} was undone; all files are as they were before it"
    if done.action:
        return f"an interrupted {done.action} had written all its files; its leftovers are removed"
    return "leftovers of an interrupted command are removed; no file of yours was half written"
