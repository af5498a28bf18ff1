"""`servingctl render`: check everything, then write the manifests."""

import sys
from pathlib import Path

import click

from renderer.cli.options import (
    cache_option,
    environments_option,
    root_of,
    severity_option,
    shard_option,
    verbosity,
)
from renderer.cli.render_request import RenderRequest, render


@click.command(name="render", short_help="Validate, then write the manifests.")
@environments_option
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write, with the folders above; "
    "default: the folder that servingctl.yaml names, or rendered.",
)
@click.option("--check", is_flag=True, help="Write nothing; fail if the output is not up to date.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the manifests, write nothing.")
@click.option("--allow-empty", is_flag=True, help="Let a destination lose everything it had.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to use; default: one per core.")
@shard_option("destinations")
@severity_option("error")
@cache_option
@verbosity
@click.pass_context
def command(
    context: click.Context,
    environments: tuple[str, ...],
    output: Path | None,
    check: bool,
    to_stdout: bool,
    allow_empty: bool,
    jobs: int | None,
    shard: str,
    min_severity: str,
    no_cache: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Validate, then write rendered/<env>/<destination>/<kind>/<name>.yaml.

    If any selected environment has an error, it is shown and nothing is written anywhere. Files
    that an earlier render wrote and that are no longer wanted are deleted; files of others are
    never touched.

    \b
    Examples:
      servingctl render
      servingctl render --check                     in CI: is the committed output up to date?
      servingctl render --env dev --output /tmp/rendered
      servingctl render --env dev --stdout | kubectl diff -f -
    """
    given = RenderRequest(
        environments,
        output,
        check=check,
        to_stdout=to_stdout,
        allow_empty=allow_empty,
        jobs=jobs,
        shard=shard,
        min_severity=min_severity,
        no_cache=no_cache,
        quiet=quiet,
        verbose=verbose,
    )
    sys.exit(render(root_of(context), given, context.obj["color"]))
