"""A look at a repository that remembers the one before; where the memory is kept."""

import os
from pathlib import Path

from renderer.incremental.looking import look as look_at
from renderer.incremental.memory import Forgetful, Memory
from renderer.incremental.pieces import Asked
from renderer.model import Project
from renderer.pipeline import Rendering
from renderer.worktree import Worktree


def look(
    root: Path, asked: Asked, *, no_cache: bool, folder: Path | None = None
) -> tuple[Project, Rendering]:
    """The repository and what comes of it.

    Of objects that were made before, the digests will do unless there is a folder with their texts.
    """
    memory: Memory = Forgetful()
    if not no_cache and not os.environ.get("CI"):
        from renderer.caching.program import program
        from renderer.caching.store import Store
        from renderer.caching.texts import texts_in

        texts = texts_in(folder) if folder else None
        memory = Store(_cache(), Path(os.path.realpath(root)), program(), texts)
    return look_at(Worktree(root), asked, memory)


def _cache() -> Path:
    """The user's own folder for what can be made again."""
    given = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA", "")
    base = Path(given) if Path(given).is_absolute() else Path("~/.cache").expanduser()
    return base / "servingctl"
