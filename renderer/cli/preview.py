"""`servingctl preview`: what the platform will make of a spec."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from renderer.backends import BACKENDS
from renderer.cli import completion
from renderer.cli.options import (
    environment_option,
    format_option,
    give_up,
    root_of,
    wants_color,
)
from renderer.cli.streams import terminal_width
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.inspect.preview import PreviewPart, PreviewRequest, attempt, has_specs
from renderer.io.repository import load
from renderer.outputs.layout import Layout
from renderer.outputs.preview import FORMATS
from renderer.text.wording import listed
from renderer.values.inspection import Preview


def _options_of_platforms(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that platforms add, each under its own name."""
    for option in (item for backend in BACKENDS for item in backend.preview_options):
        command = click.option(
            f"--{option.name}", multiple=True, metavar=option.metavar, help=option.help
        )(command)
    return command


@click.command(name="preview", short_help="Show what the platform will make of a spec.")
@click.argument("spec", shell_complete=completion.specs)
@environment_option
@click.option("--destination", default="", metavar="NAME", help="Only what this destination makes.")
@click.option("--unit", default="", metavar="UNIT", help="Only this unit, as alice or alice/host.")
@format_option(FORMATS)
@click.option(
    "--diff",
    "since",
    metavar="REV|DIR",
    help="Only objects and files that differ from this state.",
)
@_options_of_platforms
@click.pass_context
def command(
    context: click.Context,
    /,
    spec: str,
    environment: str,
    destination: str,
    unit: str,
    form: str,
    since: str | None,
    **options: tuple[str, ...],
) -> None:
    """Show what the platform will make of a SPEC, down to the files that containers read.

    For each unit and the destination that runs it: the objects that the platform derives, the
    addresses to call, and every config file with its variables filled in.

    What is only known at run time appears as a marker, such as <port:NAME>. In YAML a marker
    is replaced by a number with, for example, sed -E 's/<port:[^>]*>/20000/g'.

    \b
    Examples:
      servingctl preview credit-risk --env prod
      servingctl preview credit-risk --env prod --unit bob
      servingctl preview credit-risk --env prod --format yaml | sed -E 's/<port:[^>]*>/20000/g'
      servingctl preview credit-risk --env prod --diff HEAD~1
    """
    own = {name.replace("_", "-"): values for name, values in options.items()}
    wanted = PreviewRequest(environment, spec, own, PreviewPart(destination, unit))
    root = root_of(context)
    project = load(root)
    made = _made(context, project, wanted)
    layout = Layout(terminal_width(), wants_color(context, sys.stdout))
    if since is None:
        text = FORMATS[form](made, layout)
    else:
        text = _changes_text(form, _former(context, root, since, wanted), made, layout)
    click.echo(text if form == "text" else text.encode(), nl=False, color=True)


def _made(context: click.Context, project: Project, wanted: PreviewRequest) -> Preview:
    """The preview, or else what keeps it from being made."""
    made = attempt(project, wanted)
    if not isinstance(made, Preview):
        reason = f"there is no preview of {wanted.spec!r} until this is mended"
        give_up(context, made, project, reason)
    return made


def _former(
    context: click.Context, root: Path, name: str, wanted: PreviewRequest
) -> Preview | None:
    """The preview of another state; nothing if there was no such spec."""
    from renderer.io.states import named_state

    state = named_state(root, name).state
    if not isinstance(state, Project):
        raise UsageError(f"{name} is rendered output, and a preview needs specs")
    known = has_specs(state, wanted.environment, [wanted.spec])
    return _made(context, state, wanted) if known else None


def _changes_text(form: str, before: Preview | None, after: Preview, layout: Layout) -> str:
    from renderer.outputs.preview import changes

    if form not in changes.FORMATS:
        raise UsageError(f"--diff is shown as {listed(changes.FORMATS, 'or')}")
    return changes.FORMATS[form](changes.compare_previews(before, after), layout)
