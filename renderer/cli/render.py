"""`servingctl render`: check everything, then write the manifests."""

import sys
from pathlib import Path

import click

from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.session import environments_option, print_findings, root_of, summary, verbosity
from renderer.loading import load
from renderer.overview import described, extent
from renderer.pipeline import render
from renderer.wording import counted
from renderer.writing import write_files


@click.command(name="render")
@environments_option
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write; default: the folder that servingctl.yaml names, or rendered.",
)
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the manifests, write nothing.")
@verbosity
@click.pass_context
def command(
    context: click.Context,
    environments: tuple[str, ...],
    output: Path | None,
    to_stdout: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Validate, then write rendered/<env>/<destination>/<kind>/<name>.yaml.

    If any selected environment has an error, nothing is written.

    \b
    Examples:
      servingctl render
      servingctl render --env dev --output /tmp/rendered
      servingctl render --env dev --stdout | kubectl diff -f -
    """
    root = root_of(context)
    project = load(root)
    rendering = render(project, environments)
    if not rendering.is_sound or not to_stdout:
        print_findings(context, rendering.diagnostics, project)
    if verbose:
        click.echo("\n".join(described(project, rendering)), err=True)
    if not rendering.is_sound:
        outcome = summary(rendering.diagnostics, extent(project, environments))
        click.echo(f"{outcome}; nothing was written", err=True)
        sys.exit(EXIT_FINDINGS)
    files = rendering.files()
    if to_stdout:
        click.echo("".join(f"---\n# {path}\n{text}" for path, text in files.items()), nl=False)
        return
    written = write_files(output or root / project.settings.output, files)
    if not quiet:
        changed = counted(written.changed, "file")
        click.echo(f"{changed} written, {written.unchanged} unchanged", err=True)
