"""`servingctl trace`: where a value comes from."""

import click

from renderer.cli import completion
from renderer.cli.options import environment_option, format_option, give_up, root_of
from renderer.cli.streams import screen_width
from renderer.evaluate.question import find_spec
from renderer.evaluate.run import render
from renderer.inspect.engine_lines import argument_path, trace_argument
from renderer.inspect.preview import made_objects
from renderer.inspect.trace import MADE, manifest_path, trace_made, trace_manifests, trace_spec
from renderer.io.repository import load
from renderer.outputs.layout import Layout
from renderer.outputs.trace import FORMATS, TraceReport


@click.command(name="trace", short_help="Say where a value comes from.")
@click.argument("spec", shell_complete=completion.specs)
@click.argument("path")
@environment_option
@format_option(FORMATS)
@click.pass_context
def command(context: click.Context, spec: str, path: str, environment: str, form: str) -> None:
    """Say where the value at PATH of a SPEC comes from.

    Every place that set, overrode or deleted it is named in order, the one that counts with an
    arrow. A path that begins with metadata or spec is one of the rendered object; where a spec has
    such a field itself, only after "manifest:". An argument of a server of language models is
    args[--name], a setting of a model on Ray engine_kwargs.name; if several have it, the path or
    the name of a container stands before it. A path of an object that the platform makes, as
    preview shows it, is made:KIND/NAME.path.

    \b
    Examples:
      servingctl trace credit-risk annotations --env prod
      servingctl trace credit-risk 'containers[scorer].image' --env prod
      servingctl trace credit-risk 'files["app.conf"]' --env dev
      servingctl trace credit-risk metadata.labels --env prod
      servingctl trace chat 'args[--max-model-len]' --env prod
      servingctl trace chat 'containers[main].args[--port]' --env prod
      servingctl trace chat made:Service/chat.spec.ports --env prod
    """
    project = load(root_of(context))
    rendering = render(project, [environment])
    chosen = project.environment(environment)
    if chosen is None:
        reason = f"the environment {environment!r} cannot be composed"
        give_up(context, rendering.diagnostics, project, reason)
    found = find_spec(chosen, spec)
    if argument_path(path):
        traces = trace_argument(found, chosen, path, project.documents)
    elif path.startswith(MADE):
        made = made_objects(project, rendering, chosen, found)
        traces = trace_made(made, path.removeprefix(MADE))
    elif within := manifest_path(found, path):
        manifests = [item for item in rendering.manifests if item.spec.identity == found.identity]
        if not manifests:
            reason = f"{found} is not rendered in {environment!r}"
            give_up(context, rendering.diagnostics, project, reason)
        traces = trace_manifests(manifests, within)
    else:
        traces = [trace_spec(found, path)]
    report = TraceReport(str(found), environment, path, traces)
    click.echo(FORMATS[form](report, Layout(screen_width())), nl=False)
