"""`servingctl validate`: everything that can be known before applying."""

import sys
from pathlib import Path

import click

from renderer.cli.options import (
    cache_option,
    environments_option,
    format_option,
    root_of,
    severity_option,
    shard_option,
    verbosity,
)
from renderer.cli.validate_request import ValidateRequest, validate
from renderer.outputs.findings import FORMATS


@click.command(name="validate", short_help="Check specs and what would be rendered from them.")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@environments_option
@format_option(FORMATS, about="How findings are written.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Write findings to a file instead of standard output; folders are made.",
)
@click.option(
    "--baseline",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Accept the findings that a file of --format baseline lists; only new ones count.",
)
@click.option("--strict", is_flag=True, help="Warnings fail as well.")
@severity_option("info")
@shard_option("specs, by their stems; looked at without the cache")
@cache_option
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
    min_severity: str,
    shard: str,
    no_cache: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Check the specs of the repository, and what would be rendered from them.

    With PATHS, only findings that depend on one of these files or folders are shown: the file
    itself, the environment of a spec, the specs it refers to.

    Errors come first. In text, what has one cause is one finding that names a few of the places.

    \b
    Examples:
      servingctl validate
      servingctl validate --env prod --strict
      servingctl validate --min-severity error                   without warnings and infos
      servingctl validate environments/base/environment.yaml
      servingctl validate --format github                        annotations in GitHub Actions
      servingctl validate --format gitlab --output quality.json  a report for GitLab
      servingctl validate --format baseline --output accepted.json
      servingctl validate --baseline accepted.json               only what is new
      servingctl validate --shard 2/8                            the second of eight machines

    `servingctl explain CODE` says more about a finding.
    """
    given = ValidateRequest(
        paths,
        environments,
        form,
        output,
        baseline,
        strict,
        min_severity,
        shard,
        no_cache,
        quiet,
        verbose,
    )
    sys.exit(validate(root_of(context), given, context.obj["color"]))
