"""`servingctl validate`: everything that can be known before applying."""

import sys
from functools import partial
from pathlib import Path

import click

from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.session import (
    environments_option,
    relevant,
    report_of,
    root_of,
    summary,
    verbosity,
    wants_color,
)
from renderer.cli.writing import write_file
from renderer.diagnostics import Severity
from renderer.loading import load
from renderer.outputs import OUTPUTS, show
from renderer.outputs.report import Report
from renderer.overview import described, extent
from renderer.pipeline import is_firm, render


@click.command(name="validate", short_help="Check specs and what would be rendered from them.")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@environments_option
@click.option(
    "--format",
    "form",
    type=click.Choice(OUTPUTS),
    default="text",
    show_default=True,
    help="How findings are written.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Write findings to a file instead of standard output.",
)
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Accept the findings that a file of --format baseline lists; only new ones count.",
)
@click.option("--strict", is_flag=True, help="Warnings fail as well.")
@verbosity
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    environments: tuple[str, ...],
    form: str,
    output: Path | None,
    baseline: Path | None,
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
      servingctl validate --format github                        annotations in GitHub Actions
      servingctl validate --format gitlab --output quality.json  a report for GitLab
      servingctl validate --format baseline --output accepted.json
      servingctl validate --baseline accepted.json               only what is new

    `servingctl explain CODE` says more about a finding.
    """
    root = root_of(context)
    project = load(root)
    rendering = render(project, environments)
    limit = Severity.WARNING if strict else Severity.ERROR
    report = report_of(relevant(rendering.diagnostics, paths, root), project)
    found = report.diagnostics
    if baseline:
        from renderer import baselines

        found = baselines.new(found, baselines.read(baseline), partial(is_firm, project))
    if form == "baseline":
        found = [item for item in found if not is_firm(project, item)]
    report = report._replace(diagnostics=found, limit=limit)
    if output is None or str(output) == "-":
        _print(form, report._replace(color=wants_color(context, sys.stdout)))
    else:
        text = show(form, report._replace(color=wants_color(context, None)))
        write_file("the report", output, text)
    if verbose:
        click.echo("\n".join(described(project, rendering)), err=True)
    if not quiet:
        click.echo(summary(found, extent(project, environments)), err=True)
    if form != "baseline" and any(item.severity >= limit for item in found):
        sys.exit(EXIT_FINDINGS)


def _print(form: str, report: Report) -> None:
    """Text is for this terminal; the other formats are UTF-8 wherever they are read."""
    text = show(form, report)
    click.echo(text if form == "text" else text.encode(), nl=False, color=True)
