"""`servingctl validate`: everything that can be known before applying."""

import sys
from pathlib import Path

import click

from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.session import (
    environments_option,
    print_findings,
    relevant,
    root_of,
    summary,
    verbosity,
)
from renderer.diagnostics import Severity
from renderer.loading import load
from renderer.overview import described, extent
from renderer.pipeline import render


@click.command(name="validate")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@environments_option
@click.option("--strict", is_flag=True, help="Warnings fail as well.")
@verbosity
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    environments: tuple[str, ...],
    strict: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Check the specs of the repository, and what would be rendered from them.

    With PATHS, only findings that depend on one of these files or folders are shown: the file
    itself, the environment of a spec, the specs it refers to.

    \b
    Examples:
      servingctl validate
      servingctl validate --env prod --strict
      servingctl validate environments/base/appimages/secretflow-serving.yaml
    """
    root = root_of(context)
    project = load(root)
    rendering = render(project, environments)
    found = relevant(rendering.diagnostics, paths, root)
    print_findings(context, found, project)
    if verbose:
        click.echo("\n".join(described(project, rendering)), err=True)
    if not quiet:
        click.echo(summary(found, extent(project, environments)), err=True)
    limit = Severity.WARNING if strict else Severity.ERROR
    if any(item.severity >= limit for item in found):
        sys.exit(EXIT_FINDINGS)
