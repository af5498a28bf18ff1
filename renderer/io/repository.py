"""Finding a repository on disk and reading it."""

import os

from renderer.compose.settings import MARKER
from renderer.errors import RendererError, UsageError
from renderer.evaluate.project import Project, open_project
from renderer.io.worktree import Snapshot, Worktree
from renderer.publish import WORK
from renderer.values.files import Files


def find_root(start: str) -> str:
    """The nearest folder upward that holds the marker."""
    folder = start
    while not os.path.isfile(os.path.join(folder, MARKER)):
        if folder == os.path.dirname(folder):
            raise UsageError(
                f"no {MARKER} in {start} or above it; begin with 'servingctl init DIR', "
                "create the file (it may be empty), or name the root with --root"
            )
        folder = os.path.dirname(folder)
    return folder


def load(root: str | os.PathLike[str]) -> Project:
    """Read a repository: its settings, environments and specs, templates and CRDs."""
    refuse_half_written(root)
    return load_files(Worktree(root))


def refuse_half_written(root: str | os.PathLike[str]) -> None:
    """Commands that only read refuse what an interrupted run left half new."""
    if os.path.lexists(os.path.join(root, WORK)):
        from pathlib import Path

        from renderer.publish.transaction import is_half_done

        if is_half_done(Path(root)):
            reason = "a run is writing files here, or was interrupted"
            raise RendererError(f"{root}: {reason}; 'servingctl list' in this folder undoes it")


def load_files(files: Files) -> Project:
    """Read a repository from wherever its files come from; later changes of them do not matter."""
    return open_project(Snapshot(files))
