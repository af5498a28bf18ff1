"""`servingctl trace`: where a value comes from."""

import click

from renderer import selecting
from renderer.cli.session import root_of
from renderer.loading import load
from renderer.outputs.history import FORMATS, Question
from renderer.pipeline import render
from renderer.tracing import is_manifest_path, trace_manifests, trace_spec


@click.command(name="trace")
@click.argument("spec")
@click.argument("path")
@click.option("--env", "environment", required=True, metavar="ENV", help="The environment.")
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True
)
@click.pass_context
def command(context: click.Context, spec: str, path: str, environment: str, form: str) -> None:
    """Say where the value at PATH of a SPEC comes from.

    Every place that set, overrode or deleted it is named in order, the one that counts with an
    arrow. A path that begins with metadata or spec is one of the rendered object.

    \b
    Examples:
      servingctl trace credit-risk parties[alice].replicas --env prod
      servingctl trace AppImage/dataproxy 'configTemplates["serving-config.conf"]' --env dev
      servingctl trace credit-risk spec.parties[0].template.replicas --env prod
    """
    project = load(root_of(context))
    (chosen,) = selecting.environments(project, [environment])
    found = selecting.spec(chosen, spec)
    if is_manifest_path(path):
        rendering = render(project, [environment])
        manifests = [item for item in rendering.manifests if item.spec.identity == found.identity]
        traces = trace_manifests(manifests, path)
    else:
        traces = [trace_spec(found, path)]
    click.echo(FORMATS[form](Question(str(found), environment, path), traces), nl=False)
