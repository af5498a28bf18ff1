"""Finding a repository on disk and reading it."""

import os

from renderer.compose.settings import MARKER
from renderer.errors import UsageError
from renderer.evaluate.project import Project, open_project
from renderer.io.worktree import Snapshot, Worktree
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
    return load_files(Worktree(root))


def load_files(files: Files) -> Project:
    """Read a repository from wherever its files come from; later changes of them do not matter."""
    return open_project(Snapshot(files))
