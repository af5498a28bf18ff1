"""What commands share: options, the repository they name, and giving up with findings."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Never, TextIO, TypeVar

import click

from renderer.cli import completion
from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.findings import report_of
from renderer.cli.recovery import settled_root
from renderer.cli.streams import shows_color
from renderer.evaluate.project import Project
from renderer.evaluate.question import WHOLE
from renderer.outputs.findings import FORMATS
from renderer.outputs.layout import Layout
from renderer.values.diagnostics import Diagnostic, Rule, Severity

F = TypeVar("F", bound=Callable[..., Any])
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


def root_of(context: click.Context) -> Path:
    """The repository that `--root` or the current folder names, with nothing half done in it."""
    return Path(settled_root(start_of(context)))


def start_of(context: click.Context) -> str:
    """Where the search for the repository begins."""
    given: Path | None = context.obj["root"]
    return str(given.resolve() if given else Path.cwd())


def verbosity(command: F) -> F:
    """The options `-q` and `-v`."""
    command = click.option("-q", "--quiet", is_flag=True, help="Print findings only.")(command)
    return click.option("-v", "--verbose", is_flag=True, help="Say what was looked at.")(command)


def environments_option(command: F) -> F:
    """`--env` of a command that looks at all environments, or at some."""
    return click.option(
        "--env",
        "environments",
        multiple=True,
        metavar="ENV",
        shell_complete=completion.environments,
        help="Only this environment; may be given several times.",
    )(command)


def cache_option(command: F) -> F:
    return click.option(
        "--no-cache",
        is_flag=True,
        help="Do not use results of earlier runs; always so where CI is set.",
    )(command)


def severity_option(default: str) -> Callable[[F], F]:
    """`--min-severity`: what is less bad is counted, and not shown."""
    return click.option(
        "--min-severity",
        type=click.Choice(["error", "warning", "info"]),
        default=default,
        show_default=True,
        help="Show findings of this severity and worse.",
    )


def shard_option(what: str) -> Callable[[F], F]:
    """The option `--shard`, which says what there is a part of."""
    return click.option(
        "--shard", default=WHOLE, metavar="I/N", help=f"Only part I of N of the {what}."
    )


def environment_option(command: F) -> F:
    """`--env` of a command that looks at one environment."""
    return click.option(
        "--env",
        "environment",
        required=True,
        metavar="ENV",
        shell_complete=completion.environments,
        help="The environment.",
    )(command)


def format_option(
    formats: Iterable[str], default: str = "text", about: str | None = None
) -> Callable[[F], F]:
    """The option `--format`, which a command gets as `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(list(formats)),
        default=default,
        show_default=True,
        help=about,
    )


def give_up(
    context: click.Context,
    found: Sequence[Diagnostic],
    project: Project,
    reason: str = "",
    *,
    to_stderr: bool = False,
    texts: Mapping[str, str] = _NO_TEXTS,
) -> Never:
    """Show what is wrong instead of an answer; `texts` are of files outside of the repository."""
    stream = sys.stderr if to_stderr else sys.stdout
    report = report_of(found, project, texts).limited_to(Severity.INFO)
    text = FORMATS["text"](report, Layout(color=wants_color(context, stream)))
    click.echo(text, nl=False, color=True, file=stream)
    if reason:
        click.echo(f"servingctl: {reason}", err=True)
    sys.exit(EXIT_FINDINGS)


def wants_color(context: click.Context, stream: TextIO | None) -> bool:
    """What `--color` says; in doubt, whether the stream (none: a file) shows colours."""
    return shows_color(context.obj["color"], stream)


def own_rules(context: click.Context) -> list[Rule]:
    """The rules of the repository that a command is called in, if it is called in one."""
    from renderer.compose.settings import read_settings
    from renderer.errors import UsageError
    from renderer.evaluate.shared import read_policies
    from renderer.io.repository import find_root
    from renderer.io.worktree import Snapshot, Worktree

    try:
        root = find_root(start_of(context))
    except UsageError:
        if context.obj["root"]:
            raise
        return []
    files = Snapshot(Worktree(root))
    settings, _ = read_settings(files)
    return [rule.documented for rule in read_policies(files, settings).rules]
