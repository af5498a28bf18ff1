"""A look at a repository that remembers the one before; where the memory is kept."""

import os
from typing import TYPE_CHECKING

from renderer.evaluate.looking import look as look_at
from renderer.evaluate.memory import Forgetful, Memory
from renderer.evaluate.pieces import Asked
from renderer.evaluate.pipeline import Rendering
from renderer.io.worktree import Worktree
from renderer.values.model import Project

if TYPE_CHECKING:
    from pathlib import Path


def look(
    root: "str | Path", asked: Asked, *, no_cache: bool, folder: "Path | None" = None
) -> tuple[Project, Rendering]:
    """The repository and what comes of it.

    Of objects that were made before, the digests will do unless there is a folder with their texts.
    """
    place = "" if no_cache or os.environ.get("CI") else _cache()
    return look_at(Worktree(root), asked, _memory(place, root, folder) if place else Forgetful())


def _memory(place: str, root: "str | Path", folder: "Path | None") -> Memory:
    from renderer.io.program import program
    from renderer.io.store import Store

    if folder is None:
        return Store(place, os.path.realpath(root), program())
    from renderer.io.texts import texts_in

    return Store(place, os.path.realpath(root), program(), texts_in(folder))


def _cache() -> str:
    """The user's own folder for what can be made again; none if the user has no home."""
    given = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA", "")
    base = given if os.path.isabs(given) else os.path.expanduser("~/.cache")
    return f"{base}/servingctl" if os.path.isabs(base) else ""
