"""The group of commands, each imported when it is called."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from renderer import __version__
from renderer.cli.failures import reported
from renderer.text.wording import listed, suggest, visible

COMMANDS = (
    "add", "argocd", "bootstrap", "bundle", "diff", "explain", "export", "graph", "import", "init",
    "list", "preview", "promote", "render", "rules", "schema", "status", "trace", "validate",
)  # fmt: skip
_DEFAULTS = {"root": None, "color": "auto"}


class _EndedError(Exception):
    """A reader that went away, or an interruption, on its way through the library."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class _Commands(click.Group):
    """Finds a command in the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"renderer.cli.{cmd_name}").command
        for one in (command, *getattr(command, "commands", {}).values()):
            known = {param.name for param in one.params}
            one.params += (option for option in _everywhere() if option.name not in known)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; how it ends is for us to say, not for the library."""
        try:
            return super().invoke(ctx)
        except (BrokenPipeError, KeyboardInterrupt) as error:
            raise _EndedError(error) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            meant = suggest(args[0], COMMANDS, f"use {listed(COMMANDS, 'or')}.").capitalize()
            raise click.UsageError(f"No such command '{visible(args[0])}'. {meant}", ctx)
        return super().resolve_command(ctx, args)


def _everywhere() -> list[click.Option]:
    """The options that may stand before a command or behind it."""
    return [
        click.Option(
            ["--root"],
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="The repository; default: the nearest folder upward that holds servingctl.yaml.",
            callback=_kept,
            expose_value=False,
        ),
        click.Option(
            ["--color"],
            type=click.Choice(["auto", "always", "never"]),
            help="Whether findings are coloured; default: auto.",
            callback=_kept,
            expose_value=False,
        ),
    ]


def _kept(context: click.Context, option: click.Parameter, value: object) -> None:
    """Take what is given last; behind a command it says more than before it."""
    given = context.ensure_object(dict)
    given.setdefault(option.name, _DEFAULTS[option.name])
    if value is not None:
        given[option.name] = value


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="servingctl", message="%(prog)s %(version)s")
def cli() -> None:
    """Declarative serving specs in Git to checked Kubernetes manifests.

    \b
    Examples:
      servingctl init specs                    begin a repository with an example
      servingctl validate                      check everything
      servingctl validate environments/prod    check what depends on some files
      servingctl render                        check, then write rendered/
      servingctl diff                          what changes, and what that does
      servingctl explain SPC010                what a finding is about
      servingctl preview credit-risk --env prod
      servingctl trace credit-risk annotations --env prod

    Exit codes: 0 fine, 1 findings of severity error, 2 wrong usage, 3 the job could not be done,
    130 interrupted, 141 nobody reads the output.
    """


cli.params += _everywhere()


def run(entry: Callable[..., Any] = cli) -> None:
    """Run the command that the arguments name."""
    with reported():
        try:
            entry(prog_name="servingctl")
        except _EndedError as ended:
            raise ended.error from None
