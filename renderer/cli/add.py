"""`servingctl add`: a new spec, with what is obvious from its environment."""

import click

from renderer.backends.kinds import ENVIRONMENT, KINDS
from renderer.cli import completion
from renderer.cli.options import environment_option, give_up, root_of
from renderer.io.edits import add_files
from renderer.io.repository import load
from renderer.scaffold.skeleton import new_spec
from renderer.text.wording import listed

_KINDS = listed(name for name in KINDS if name != ENVIRONMENT.name)


@click.command(name="add", short_help="Begin a spec.", epilog=f"Kinds, in any case: {_KINDS}.")
@click.argument("kind", shell_complete=completion.kinds)
@click.argument("name")
@environment_option
@click.pass_context
def command(context: click.Context, kind: str, name: str, environment: str) -> None:
    """Write a new spec of a KIND to an environment, as short as it can be.

    NAME becomes the name of the file and of the object. What the environment has already is
    used: its destinations, and the one spec that a reference can mean. In an environment that
    inherits such a spec, the new file is for what differs. No file is ever overwritten.

    \b
    Examples:
      servingctl add KIND credit-risk --env base
      servingctl schema KIND                     all fields
    """
    root = root_of(context)
    project = load(root)
    project.refuse_unknown([environment])
    chosen = project.environment(environment)
    if chosen is None:
        reason = f"the environment {environment!r} cannot be composed; nothing was written"
        give_up(context, project.shared.diagnostics, project, reason)
    made = new_spec(project, kind, name, chosen)
    add_files(root, {made.path: made.text}, "add")
    click.echo(made.path)
