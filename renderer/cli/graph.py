"""`servingctl graph`: a picture of what runs where and who may call whom."""

from pathlib import Path

import click

from renderer.cli import completion
from renderer.cli.options import environment_option, format_option, give_up, root_of
from renderer.cli.streams import screen_width, write_file
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.evaluate.question import find_spec
from renderer.evaluate.run import render
from renderer.inspect.applied_specs import derived_spec, derived_specs
from renderer.inspect.company import company_of
from renderer.inspect.picture import draw_environment, draw_spec
from renderer.inspect.preview import hindrances
from renderer.io.repository import load
from renderer.outputs.layout import Layout
from renderer.outputs.picture import FORMATS
from renderer.values.diagnostics import has_errors
from renderer.values.picture import Picture


@click.command(name="graph", short_help="Draw what runs where and who may call whom.")
@click.argument("spec", metavar="[SPEC]", required=False, shell_complete=completion.specs)
@environment_option
@format_option(
    FORMATS,
    about="A tree for terminals, a flowchart for Markdown, or a drawing for light and dark pages.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Write the picture to a file instead of standard output; folders are made.",
)
@click.pass_context
def command(
    context: click.Context, spec: str | None, environment: str, form: str, output: Path | None
) -> None:
    """Draw a SPEC: where it is applied, what runs there, and who may call whom.

    Without a SPEC, the whole environment is drawn: its destinations and what connects them. If
    specs have errors, these are shown instead of a picture.

    \b
    Examples:
      servingctl graph --env prod
      servingctl graph credit-risk --env prod
      servingctl graph credit-risk --env prod --format svg --output docs/credit-risk.svg
      servingctl graph --env prod --format mermaid          for a ```mermaid block in Markdown
    """
    project = load(root_of(context))
    is_shown = output is None or str(output) == "-"
    drawn = _picture(context, project, environment, spec)
    text = FORMATS[form](drawn, Layout(screen_width() if is_shown else 0))
    if output is None or is_shown:
        click.echo(text if form == "text" else text.encode(), nl=False)
    else:
        write_file("the picture", output, text)


def _picture(context: click.Context, project: Project, name: str, wanted: str | None) -> Picture:
    """The picture of a spec or of the whole environment, if nothing is wrong with them."""
    rendering = render(project, [name])
    found = rendering.diagnostics
    environment = project.environment(name)
    if environment is None:
        give_up(context, found, project, to_stderr=True)
    if wanted is None:
        if has_errors(found):
            give_up(context, found, project, to_stderr=True)
        return draw_environment(environment, derived_specs(project, rendering, environment))
    try:
        spec = find_spec(environment, wanted)
    except UsageError:
        if has_errors(found):  # a file that cannot be read may be the one that is meant
            give_up(context, found, project, to_stderr=True)
        raise
    if errors := hindrances(rendering, environment, spec):
        give_up(context, errors, project, to_stderr=True)
    applied, derivation = derived_spec(project, rendering, environment, spec)
    return draw_spec(applied, derivation, company_of(environment))
