"""What commands share: finding the repository, and putting findings on the screen."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from renderer.diagnostics import Diagnostic, Severity
from renderer.errors import UsageError
from renderer.loading import find_root
from renderer.model import Project
from renderer.outputs import show
from renderer.outputs.report import Report
from renderer.secrets import masked, masked_text
from renderer.wording import counted

if TYPE_CHECKING:
    from renderer.incremental.looking import Asked
    from renderer.pipeline import Rendering

F = TypeVar("F", bound=Callable[..., Any])


def root_of(context: click.Context) -> Path:
    """The repository that `--root` or the current folder names."""
    given: Path | None = context.obj["root"]
    return find_root(given.resolve() if given else Path.cwd())


def verbosity(command: F) -> F:
    """The options `-q` and `-v`."""
    command = click.option("-q", "--quiet", is_flag=True, help="Print findings only.")(command)
    return click.option("-v", "--verbose", is_flag=True, help="Say what was looked at.")(command)


def environments_option(command: F) -> F:
    return click.option(
        "--env",
        "environments",
        multiple=True,
        metavar="ENV",
        help="Only this environment; may be given several times.",
    )(command)


def cache_option(command: F) -> F:
    return click.option(
        "--no-cache",
        is_flag=True,
        help="Look at everything again, whatever an earlier run found; always so where CI is set.",
    )(command)


def look(
    root: Path, asked: "Asked", *, no_cache: bool, folder: Path | None = None
) -> "tuple[Project, Rendering]":
    """The repository and what comes of it; texts that are wanted may be taken from a folder."""
    from renderer.incremental.looking import Forgetful, Memory
    from renderer.incremental.looking import look as look_at
    from renderer.worktree import Worktree

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


def print_findings(
    context: click.Context,
    found: Sequence[Diagnostic],
    project: Project,
    *,
    to_stderr: bool = False,
) -> None:
    """Findings on standard output, unless that is for something else."""
    stream = sys.stderr if to_stderr else sys.stdout
    report = report_of(found, project)._replace(color=wants_color(context, stream))
    click.echo(show("text", report), nl=False, color=True, file=stream)


def report_of(found: Sequence[Diagnostic], project: Project) -> Report:
    """Findings with the texts that they point into, secrets hidden in both."""
    sources = {path: document.source for path, document in project.documents.items()}
    sources |= {f"templates/{name}": text for name, text in project.templates.items()}
    files = {item.file for item in found}
    shown = {file: masked_text(text) for file, text in sources.items() if file in files}
    hidden = [item._replace(message=masked(item.message), fix=masked(item.fix)) for item in found]
    return Report(hidden, shown)


def summary(found: Sequence[Diagnostic], checked: str) -> str:
    """One line for the end of a run."""
    errors = sum(item.severity is Severity.ERROR for item in found)
    warnings = sum(item.severity is Severity.WARNING for item in found)
    if not found:
        return f"{checked}: no findings"
    parts = [counted(errors, "error"), counted(warnings, "warning")]
    if notes := len(found) - errors - warnings:
        parts.append(counted(notes, "note"))
    return f"{checked}: {', '.join(parts)}"


def relevant(found: Sequence[Diagnostic], paths: Sequence[Path], root: Path) -> list[Diagnostic]:
    """The findings that depend on one of the files, or on a file in one of the folders."""
    if not paths:
        return list(found)
    names = [_inside(path, root) for path in paths]
    return [item for item in found if any(_covers(names, f) for f in (item.file, *item.related))]


def _inside(path: Path, root: Path) -> str:
    full = Path(os.path.abspath(path))  # noqa: PTH100 - links are not to be resolved
    for base in (root, Path(os.path.realpath(root))):
        if full.is_relative_to(base):
            return full.relative_to(base).as_posix()
    raise UsageError(f"{path} is not in the repository {root}")


def _covers(names: list[str], file: str) -> bool:
    return any(name in (".", file) or file.startswith(f"{name}/") for name in names)


def wants_color(context: click.Context, stream: TextIO | None) -> bool:
    """What `--color` says; in doubt, whether the stream (none: a file) shows colours."""
    choice = context.obj["color"]
    if choice != "auto":
        return bool(choice == "always")
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty() or bool(os.environ.get("GITHUB_ACTIONS"))
