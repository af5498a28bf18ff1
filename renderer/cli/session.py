"""What commands share: finding the repository, and putting findings on the screen."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from renderer.cli.findings import report_of, shows_color
from renderer.evaluate.project import Project
from renderer.io.loading import find_root
from renderer.outputs.findings import show
from renderer.values.diagnostics import Diagnostic

_PIPE = 100
_NARROWEST, _WIDEST = 60, 160
F = TypeVar("F", bound=Callable[..., Any])


def root_of(context: click.Context) -> Path:
    """The repository that `--root` or the current folder names."""
    given: Path | None = context.obj["root"]
    return Path(find_root(str(given.resolve() if given else Path.cwd())))


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


def wants_color(context: click.Context, stream: TextIO | None) -> bool:
    """What `--color` says; in doubt, whether the stream (none: a file) shows colours."""
    return shows_color(context.obj["color"], stream)


def terminal_width() -> int:
    """Of the terminal; where the text goes elsewhere, always the same."""
    import shutil

    if not sys.stdout.isatty():
        return _PIPE
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
