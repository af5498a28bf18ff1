"""What a user names to be compared: rendered output, a folder, or a Git revision."""

import os
from pathlib import Path
from typing import NamedTuple

from renderer.errors import RendererError, UsageError
from renderer.history.revisions import files_of, short_name
from renderer.loading import MARKER, load_files, read_settings
from renderer.model import Output, Project, Settings
from renderer.publishing.rereading import is_rendered, reread
from renderer.worktree import Files, Worktree

RENDERED = "rendered"
WORK_TREE = "the work tree"


class Named(NamedTuple):
    """A state, and how to speak of it."""

    title: str
    state: Project | Output


def work_tree(root: Path) -> Named:
    """The repository as it is on disk."""
    return Named(WORK_TREE, load_files(Worktree(root)))


def named(root: Path, name: str) -> Named:
    """The state that a word means: the output, else a folder that is there, else a revision."""
    if name == RENDERED:
        return _output(root)
    is_folder = os.path.isdir(name)  # noqa: PTH112 - no name is too long to be asked for
    if is_folder and (state := _state(Worktree(Path(name)), name)):
        return Named(name, state)
    try:
        return _revision(root, name)
    except RendererError as error:
        if not is_folder:
            raise
        message = f"{name} is neither a repository (with {MARKER}) nor rendered output"
        raise UsageError(message) from error


def _revision(root: Path, name: str) -> Named:
    with files_of(root, name) as files:
        commit = short_name(root, name)
        title = f"{name} ({commit})" if commit and not commit.startswith(name) else name
        return Named(title, _state(files, name) or _nothing())


def _output(root: Path) -> Named:
    settings, _ = read_settings(Worktree(root))
    files = Worktree(root / settings.output)
    if not is_rendered(files):
        message = f"there is no rendered output in {settings.output}"
        fix = f"run 'servingctl render', or write refs/heads/{RENDERED} for a branch of that name"
        raise UsageError(f"{message}; {fix}")
    return Named(settings.output, reread(files, settings.output))


def _state(files: Files, name: str) -> Project | Output | None:
    if files.exists(MARKER):
        return load_files(files)
    return reread(files, name) if is_rendered(files) else None


def _nothing() -> Project:
    """A repository before there was one."""
    return Project(Settings(), (), {}, {}, (), ())
