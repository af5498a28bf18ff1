"""`servingctl preview`: what the platform will make of a spec."""

import shutil
import sys
from collections.abc import Callable
from typing import Any

import click

from renderer import selecting
from renderer.backends import BACKENDS
from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.session import print_findings, root_of, wants_color
from renderer.loading import load
from renderer.outputs.preview import FORMATS, Screen, show
from renderer.pipeline import render
from renderer.previewing import Part, hindrances, preview

_PIPE = 100
_NARROWEST, _WIDEST = 60, 160


def _options_of_platforms(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that platforms add, each under its own name."""
    for option in (item for backend in BACKENDS.values() for item in backend.PREVIEW_OPTIONS):
        command = click.option(
            f"--{option.name}", multiple=True, metavar=option.metavar, help=option.help
        )(command)
    return command


@click.command(name="preview", short_help="Show what the platform will make of a spec.")
@click.argument("spec")
@click.option("--env", "environment", required=True, metavar="ENV", help="The environment.")
@click.option("--destination", default="", metavar="NAME", help="Only what this destination makes.")
@click.option("--unit", default="", metavar="UNIT", help="Only this unit, as alice or alice/host.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
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
    **options: tuple[str, ...],
) -> None:
    """Show what the platform will make of a SPEC, down to the files that containers read.

    For each unit (a party) and the destination that runs it: the objects that the platform
    derives, the addresses to call, and every config file with its variables filled in.

    Numbers that are drawn at run time appear as <port:NAME>, values of a configuration
    manager as <config:NAME>. In YAML a marker is replaced by a number with, for example,
    sed -E 's/<port:[^>]*>/20000/g'.

    \b
    Examples:
      servingctl preview credit-risk --env prod
      servingctl preview credit-risk --env prod --unit bob
      servingctl preview credit-risk --env dev --config-key SERVING_OSS_META='{}'
      servingctl preview credit-risk --env prod --format yaml | sed -E 's/<port:[^>]*>/20000/g'
    """
    project = load(root_of(context))
    rendering = render(project, [environment])
    chosen = selecting.environments(project, [environment])
    found = selecting.spec(chosen[0], spec) if chosen else None
    errors = hindrances(rendering, chosen[0], found) if found else rendering.diagnostics
    if errors or not found:
        print_findings(context, errors, project)
        click.echo(f"servingctl: there is no preview of {spec!r} until this is mended", err=True)
        sys.exit(EXIT_FINDINGS)
    own = {name.replace("_", "-"): values for name, values in options.items()}
    made = preview(project, rendering, chosen[0], found, own, Part(destination, unit))
    text = show(form, made, Screen(_width(), wants_color(context, sys.stdout)))
    click.echo(text if form == "text" else text.encode(), nl=False, color=True)


def _width() -> int:
    """Of the terminal; where the text goes elsewhere, always the same."""
    if not sys.stdout.isatty():
        return _PIPE
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
