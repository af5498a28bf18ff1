"""What a user names to be compared: rendered output, a folder, or a Git revision."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from renderer.compose.settings import MARKER, read_settings
from renderer.errors import RendererError, UsageError
from renderer.evaluate.project import Project, open_project
from renderer.io.repository import load_files, refuse_half_written
from renderer.io.revisions import files_of, short_name
from renderer.io.worktree import Worktree
from renderer.publish.filesystem import refuse_links
from renderer.values.files import Entry, Files
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Output

RENDERED = "rendered"
WORK_TREE = "the work tree"


class NamedState(NamedTuple):
    """A state, and what it is called."""

    title: str
    state: Project | Output


class _StateLocation(NamedTuple):
    """Where a state is to be had, and what it is called; `is_output` if it is no repository."""

    title: str
    files: Files
    name: str
    is_output: bool = False

    @property
    def is_repository(self) -> bool:
        return not self.is_output and self.files.exists(MARKER)

    def state(self) -> Project | Output:
        if self.is_repository:
            return load_files(self.files)
        from renderer.publish.rendered_tree import reread

        is_there = self.is_output or _is_rendered(self.files)
        return reread(self.files, self.name) if is_there else _empty_project()


def pair(root: Path, before: str, after: str | None) -> tuple[NamedState, NamedState]:
    """Two states to be compared, the second one the work tree if it has no name."""
    with ExitStack() as opened:
        disk = Worktree(root)
        new = _place(root, after, disk, opened)  # first: what is on disk need not be asked of Git
        old = _place(root, before, disk, opened)
        second = NamedState(new.title, new.state())
        return NamedState(old.title, old.state()), second


def named_state(root: Path, name: str | None) -> NamedState:
    """The state that a word means: the output, else a folder that is there, else a revision.

    Without a word it is the work tree.
    """
    with ExitStack() as opened:
        place = _place(root, name, Worktree(root), opened)
        return NamedState(place.title, place.state())


def _place(root: Path, name: str | None, disk: Worktree, opened: ExitStack) -> _StateLocation:
    if name is None:
        return _StateLocation(WORK_TREE, disk, "")
    if name == RENDERED:
        return _output(root, disk)
    is_folder = os.path.isdir(name)
    if is_folder:
        files = Worktree(Path(name))
        if files.exists(MARKER) or _is_rendered(files):
            refuse_half_written(name)
            return _StateLocation(name, files, name)
    try:
        tree = opened.enter_context(files_of(root, name, disk))
    except RendererError as error:
        if not is_folder:
            raise
        message = f"{name} is neither a repository (with {MARKER}) nor rendered output"
        raise UsageError(message) from error
    commit = short_name(root, name)
    title = f"{name} ({commit})" if commit and not commit.startswith(name) else name
    return _StateLocation(title, tree, name)


def _is_rendered(files: Files) -> bool:
    """Whether it is rendered output; few comparisons need what it takes to read that."""
    from renderer.publish.rendered_tree import is_rendered

    return is_rendered(files)


def _output(root: Path, disk: Worktree) -> _StateLocation:
    settings, _ = read_settings(disk)
    refuse_links(root, root / settings.output)
    files = Worktree(root / settings.output)
    if not _is_rendered(files):
        message = f"there is no rendered output in {settings.output}"
        fix = f"run 'servingctl render', or write refs/heads/{RENDERED} for a branch of that name"
        raise UsageError(f"{message}; {fix}")
    return _StateLocation(settings.output, files, settings.output, is_output=True)


class _NoFiles:
    """The files of a repository before there was one."""

    root = ""

    def names(self, folder: str) -> list[str]:  # noqa: ARG002
        return []

    def entries(self, folder: str) -> Iterator[Entry]:  # noqa: ARG002
        return iter(())

    def exists(self, path: str) -> bool:  # noqa: ARG002
        return False

    def read(self, path: str, limit: int) -> bytes:  # noqa: ARG002
        return b""


def _empty_project() -> Project:
    """A repository before there was one, with which nothing is wrong."""
    nothing = open_project(_NoFiles())
    return Project(nothing.files, nothing.shared._replace(diagnostics=()), nothing.inputs)
