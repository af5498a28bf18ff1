"""`servingctl render`: check everything, then write the manifests."""

import os
import sys
from pathlib import Path

import click

from renderer import sharding
from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.findings import summary
from renderer.cli.recalling import look
from renderer.cli.session import (
    cache_option,
    environments_option,
    print_findings,
    root_of,
    verbosity,
)
from renderer.errors import UsageError
from renderer.incremental.pieces import Asked
from renderer.loading import settings_of
from renderer.model import OutputFile, Project
from renderer.overview import described, extent
from renderer.pipeline import Rendering
from renderer.publishing.files import Published, Scope, TextsAreMissing
from renderer.publishing.publisher import compare, publish
from renderer.wording import counted, visible
from renderer.worktree import Worktree

_SOURCES = ("environments", "templates", "schemas")


@click.command(name="render", short_help="Validate, then write the manifests.")
@environments_option
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write; default: the folder that servingctl.yaml names, or rendered.",
)
@click.option("--check", is_flag=True, help="Write nothing; fail if the output is not up to date.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the manifests, write nothing.")
@click.option("--allow-empty", is_flag=True, help="Let a destination lose everything it had.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to use; default: one per core.")
@click.option("--shard", default="1/1", metavar="I/N", help="Only part I of N destinations.")
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
    no_cache: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Validate, then write rendered/<env>/<destination>/<kind>/<name>.yaml.

    If any selected environment has an error, nothing is written anywhere. Files that an earlier
    render wrote and that are no longer wanted are deleted; files of others are never touched.

    \b
    Examples:
      servingctl render
      servingctl render --check                     in CI: is the committed output up to date?
      servingctl render --env dev --output /tmp/rendered
      servingctl render --env dev --stdout | kubectl diff -f -
    """
    if check and to_stdout:
        raise UsageError("--check and --stdout do not go together")
    root = root_of(context)
    part = sharding.parse(shard)
    asked = Asked(environments, part, jobs or os.cpu_count() or 1, trees=verbose)
    folder = output or root / settings_of(Worktree(root)).output
    texts = folder if to_stdout else None
    project, rendering = look(root, asked, no_cache=no_cache, folder=texts)
    _report(context, project, rendering, environments, verbose=verbose, to_stderr=to_stdout)
    if to_stdout:
        shown = (f"---\n# {item.path}\n{item.text}" for item in rendering.manifests)
        click.echo("".join(shown), nl=False)
        return
    folder = _folder(root, folder)
    scope = Scope(frozenset(environments) if environments else None, part.owns)
    if check:
        _check(folder, rendering.files(), scope, quiet=quiet)
        return
    try:
        done = publish(folder, rendering.files(), scope, allow_empty=allow_empty)
    except TextsAreMissing:  # somebody changed the output since it was made
        _, rendering = look(root, asked, no_cache=no_cache, folder=folder)
        done = publish(folder, rendering.files(), scope, allow_empty=allow_empty)
    _tell(folder, done, quiet=quiet)


def _tell(folder: Path, done: Published, *, quiet: bool) -> None:
    for path in (*done.restored, *done.discarded):
        click.echo(f"{visible(str(folder / path))} had been edited by hand", err=True)
    if not quiet:
        pruned = f", {done.pruned} deleted" if done.pruned else ""
        written = counted(done.written, "file")
        click.echo(f"{written} written, {done.unchanged} unchanged{pruned}", err=True)


def _report(
    context: click.Context,
    project: Project,
    rendering: Rendering,
    environments: tuple[str, ...],
    *,
    verbose: bool,
    to_stderr: bool,
) -> None:
    """Show findings; go no further if any is an error."""
    print_findings(context, rendering.diagnostics, project, to_stderr=to_stderr)
    if verbose:
        click.echo("\n".join(described(project, rendering)), err=True)
    if not rendering.is_sound:
        outcome = summary(rendering.diagnostics, extent(project, environments))
        click.echo(f"{outcome}; nothing was written", err=True)
        sys.exit(EXIT_FINDINGS)


def _folder(root: Path, folder: Path) -> Path:
    """The output folder, which must not lie among what it is made from."""
    real = folder.resolve()
    for name in _SOURCES:
        if real.is_relative_to((root / name).resolve()):
            raise UsageError(f"the output folder {folder} lies inside {name}/; choose another one")
    inside = real.relative_to(root.resolve()).parts if real.is_relative_to(root.resolve()) else ()
    if any(part.startswith(".") for part in inside):
        raise UsageError(f"the output folder {folder} is a hidden one; choose another one")
    if root.resolve().is_relative_to(real):
        raise UsageError(f"the output folder {folder} contains the repository; choose another one")
    return folder


def _check(folder: Path, files: list[OutputFile], scope: Scope, *, quiet: bool) -> None:
    """List what `render` would do, and fail if it would do anything."""
    found = compare(folder, files, scope)
    for word, paths in found._asdict().items():
        for path in paths:
            click.echo(f"{word}: {visible(path)}")
    outdated = len(found.missing) + len(found.changed) + len(found.stale)
    if not quiet:
        hint = "; run 'servingctl render'" if outdated else ""
        click.echo(f"{counted(outdated, 'file')} out of date{hint}", err=True)
    if outdated:
        sys.exit(EXIT_FINDINGS)
