"""`servingctl bundle`: an environment's rendered tree as an archive."""

import sys
from pathlib import Path

import click

from renderer.cli.cache import run_in
from renderer.cli.options import environment_option, give_up, root_of
from renderer.cli.streams import say, write_file
from renderer.errors import RendererError, UsageError
from renderer.evaluate.question import Question
from renderer.publish.bundle import archive
from renderer.text.wording import counted, listed


@click.command(name="bundle", short_help="Render an environment to an archive.")
@environment_option
@click.option(
    "--output",
    required=True,
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="The archive, whose name ends in .tar.gz or .tgz; - is standard output.",
)
@click.option("--allow-empty", is_flag=True, help="A destination may have no objects at all.")
@click.pass_context
def command(context: click.Context, environment: str, output: Path, allow_empty: bool) -> None:
    """Validate, then write what 'render' makes of an environment to an archive.

    It holds a folder for each destination. The same specs give the same bytes on every machine, so
    that an artifact's digest says whether anything changed. A destination without objects is
    refused unless it is allowed: whoever applies the archive deletes all that is there.

    \b
    Examples:
      servingctl bundle --env prod --output prod.tar.gz
    """
    if str(output) != "-" and not output.name.endswith((".tar.gz", ".tgz")):
        raise UsageError(f"{output} would be a .tar.gz; call it so")
    root = root_of(context)
    project, made = run_in(root, Question((environment,)), no_cache=True)
    rendering = made.rendering()
    if not rendering.is_sound:
        give_up(context, made.diagnostics, project, "nothing was written", to_stderr=True)
    if not rendering.destinations:
        raise UsageError(f"{environment} has no destinations; it is only inherited from")
    empty = sorted({*rendering.destinations} - {item.folder for item in rendering.manifests})
    if empty and not allow_empty:
        what = f"nothing goes to {listed(empty)}, and what is there would be deleted"
        raise RendererError(f"{what}; if that is meant, add --allow-empty")
    files = rendering.files()
    data = archive(files, f"{environment}/")
    if str(output) == "-":
        sys.stdout.buffer.write(data)
    else:
        write_file("the bundle", output, data)
        say(f"{counted(len(files), 'file')} in {output}")
