"""`servingctl diff`: what changes, and what that does to what runs."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from renderer.changes.comparison import compare
from renderer.cli import completion
from renderer.cli.diff_environments import Page, compare_environments, compares_environments
from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.findings import spec_names
from renderer.cli.options import (
    environments_option,
    format_option,
    root_of,
    shard_option,
    verbosity,
    wants_color,
)
from renderer.cli.progress import progress
from renderer.cli.streams import terminal_width
from renderer.errors import UsageError
from renderer.evaluate.parallel import Workers
from renderer.evaluate.project import Project
from renderer.evaluate.question import Shard, parse_shard
from renderer.io.states import RENDERED, NamedState, pair
from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.report import DiffReport, ShownPicture, build_report
from renderer.outputs.layout import Layout
from renderer.text.wording import counted, suggest
from renderer.values.changes import Comparison, How
from renderer.values.diagnostics import Severity, has_errors
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Output

_MOST_BYTES = 65000
_CHANGED = (How.CHANGED, How.RENAMED)


@click.command(name="diff", short_help="Say what changes, and what that does to what runs.")
@click.argument("specs", nargs=-1, metavar="[SPEC|PART.json]...", shell_complete=completion.specs)
@environments_option
@click.option(
    "--from",
    "before",
    default="HEAD",
    metavar="REV|DIR|env:ENV",
    show_default=True,
    help="The old state: a Git revision, a folder, 'rendered' for the committed output, "
    "or an environment of the work tree.",
)
@click.option(
    "--to",
    "after",
    metavar="REV|DIR|env:ENV",
    help="The new state, named in the same way; default: the work tree.",
)
@format_option(FORMATS, about="How the diff is written.")
@click.option("--all", "every", is_flag=True, help="Name every spec and object, not only a few.")
@click.option("--stat", is_flag=True, help="One line for each edit, and a total.")
@shard_option("specs, by their stems; all parts report what they share")
@click.option("--merge", is_flag=True, help="Join the JSON reports of all shards, given as PARTs.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything differs.")
@click.option(
    "--max-bytes",
    type=click.IntRange(1000),
    default=_MOST_BYTES,
    show_default=True,
    help="How long Markdown may get; what does not fit is counted.",
)
@verbosity
@click.pass_context
def command(
    context: click.Context,
    specs: tuple[str, ...],
    environments: tuple[str, ...],
    before: str,
    after: str | None,
    form: str,
    every: bool,
    stat: bool,
    shard: str,
    merge: bool,
    exit_code: bool,
    max_bytes: int,
    quiet: bool,
    verbose: bool,
) -> None:
    """Compare two states as they would be rendered, with the impact of every change.

    Nothing is written and the work tree is not touched. Errors of the old state are listed as not
    comparable; errors of the new one, and changes that break or are refused, exit with 1.

    \b
    Examples:
      servingctl diff                                      what is not committed yet
      servingctl diff --from $(git merge-base main HEAD)   what a branch changes
      servingctl diff --from v1.4.0 --to v1.5.0 --env prod
      servingctl diff --from rendered                      against the committed output
      servingctl diff --from env:staging --to env:prod     is prod what was tested?
      servingctl diff credit-risk                          only that spec
      servingctl diff --shard 2/8 --format json > 2.json   on the second of eight machines
      servingctl diff --merge *.json --format markdown     what all of them found
      servingctl diff --format json | jq '.objects[].changes[].impacts[].class'
    """
    if stat and form != "text":
        raise UsageError("--stat is a text of its own; leave out --format, or --stat")
    color = wants_color(context, sys.stdout)
    layout = Layout(terminal_width(), color, every, max_bytes)
    page = Page(form, stat, layout, exit_code, quiet)
    wanted = _Question(specs, environments, before, after, parse_shard(shard), form)
    if compares_environments(before, after):
        if environments or merge or wanted.shard.total > 1:
            raise UsageError("--env, --shard and --merge do not go with env:")
        sys.exit(compare_environments(context, (before, after or ""), specs, page))
    report = _merged_report(specs) if merge else _report(context, wanted)
    if verbose:
        click.echo(f"{report.before} → {report.after}", err=True)
    _tell(report, page)
    if has_errors(report.findings) or (exit_code and report.objects):
        sys.exit(EXIT_FINDINGS)


def _tell(report: DiffReport, page: Page) -> None:
    show = FORMATS[page.form]
    if page.stat:
        from renderer.outputs.diff.stat import show
    text = show(report.limited(), page.layout)
    click.echo(text if page.form == "text" else text.encode(), nl=False, color=True)
    if not page.quiet:
        click.echo(_summary(report), err=True)


class _Question(NamedTuple):
    """What is to be compared."""

    specs: tuple[str, ...]
    environments: tuple[str, ...]
    before: str
    after: str | None
    shard: Shard
    form: str


def _report(context: click.Context, wanted: _Question) -> DiffReport:
    """Two states, or a part of them, compared."""
    if wanted.specs and wanted.shard.total > 1:
        raise UsageError("--shard is for all specs; leave out their names")
    root = _root(context, wanted.before, wanted.after)
    old, new = pair(root, wanted.before, wanted.after)
    _refuse_unknown(wanted.environments, (old, new))
    with progress("specs compared") as watch:
        comparison = compare(
            old.state,
            new.state,
            wanted.environments,
            specs=wanted.specs,
            shard=wanted.shard,
            workers=Workers(os.cpu_count() or 1, watch),
        )
    sources = _sources(comparison, old.state, new.state)
    report = build_report(comparison, (old.title, new.title), sources)
    if wanted.form == "html":
        report = report._replace(pictures=_pictures(comparison, new.state))
    names = _spec_names(old.state, new.state)
    return report._replace(specs=names, shard=(wanted.shard.number, wanted.shard.total))


def _merged_report(names: tuple[str, ...]) -> DiffReport:
    """What one run would have reported; every part must be among the files."""
    if not names:
        raise UsageError("--merge joins reports; name the files that --shard I/N wrote")
    from renderer.outputs.diff.parts import join

    reports = [_read_part(name) for name in names]
    try:
        return join(reports)
    except ValueError as error:
        raise UsageError(f"the parts do not make a whole: {error}") from error


def _read_part(name: str) -> DiffReport:
    from renderer.outputs.diff.parts import read

    try:
        return read(Path(name).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from error
    except ValueError as error:
        written = "write it with 'servingctl diff --shard I/N --format json' of this version"
        raise UsageError(f"{name} is not the report of a shard; {written}") from error


def _pictures(comparison: Comparison, after: Project | Output) -> tuple[ShownPicture, ...]:
    """A picture of all of every environment that changes, if it can be drawn.

    Groups that do not change were not looked at, so all are if nothing is wrong with the others.
    """
    from renderer.evaluate.run import render
    from renderer.inspect.applied_specs import derived_specs
    from renderer.inspect.picture import draw_environment
    from renderer.outputs.picture import svg
    from renderer.rules import impacts

    changed = {item.change.environment for item in comparison.objects}
    of_impacts = {rule.code for rule in impacts.RULES}
    wrong = has_errors(item for item in comparison.findings if item.code not in of_impacts)
    if not changed or not isinstance(after, Project) or wrong:
        return ()
    rendering = render(after, jobs=os.cpu_count() or 1)
    if has_errors(rendering.diagnostics):
        return ()
    drawn = (item for item in after.environments if item.name in changed and item.destinations)
    pictures = (
        (item.name, draw_environment(item, derived_specs(after, rendering, item))) for item in drawn
    )
    return tuple(ShownPicture(name, svg.draw(picture, name)) for name, picture in pictures)


def _root(context: click.Context, before: str, after: str | None) -> Path:
    """The repository; two states that are not on disk need none in the work tree."""
    try:
        return root_of(context)
    except UsageError as error:
        if after is None or RENDERED in (before, after):
            more = "without a work tree, name two revisions with --from and --to"
            raise UsageError(f"{error}; {more}") from error
        given: Path | None = context.obj["root"]
        return given.resolve() if given else Path.cwd()


def _refuse_unknown(environments: tuple[str, ...], sides: tuple[NamedState, NamedState]) -> None:
    """An environment may be new or gone, but one of the sides must know it."""
    known = {name for side in sides for name in _environments(side.state)}
    for name in environments:
        if all(_is_only_inherited(side.state, name) for side in sides):
            reason = "is only inherited from; it has no destinations"
            raise UsageError(f"the environment {name!r} {reason}")
        if name not in known:
            raise UsageError(f"there is no environment {name!r}; {suggest(name, sorted(known))}")


def _is_only_inherited(state: Project | Output, name: str) -> bool:
    known = state.shared.environments if isinstance(state, Project) else ()
    return any(item.name == name and not item.destinations for item in known)


def _environments(state: Project | Output) -> set[str]:
    if isinstance(state, Output):
        return {item.environment for item in state.manifests}
    broken = {name for item in state.shared.diagnostics for name in item.environments}
    return broken | {item.name for item in state.shared.environments}


def _sources(comparison: Comparison, *states: Project | Output) -> dict[str, str]:
    """The texts of files that findings point into, as they are in the new state if it has them."""
    files = {item.file for item in (*comparison.findings, *comparison.incomparable)}
    sources: dict[str, str] = {}
    for state in states:
        texts = {file: state.text_of(file) for file in files if isinstance(state, Project)}
        sources |= {file: text for file, text in texts.items() if text is not None}
    return sources


def _spec_names(*states: Project | Output) -> dict[str, str]:
    known = [spec_names(state) for state in states if isinstance(state, Project)]
    return {file: name for names in known for file, name in names.items()}


def _summary(report: DiffReport) -> str:
    """One line for the end of a run."""
    if not report.objects and not report.findings and not report.incomparable:
        return "nothing changes"
    errors, warnings = (
        sum(item.stands_for for item in report.findings if item.severity is level)
        for level in (Severity.ERROR, Severity.WARNING)
    )
    parts = [*_objects(report), counted(errors, "error"), counted(warnings, "warning")]
    if report.incomparable:
        parts.append(f"{len(report.incomparable)} not comparable")
    return ", ".join(parts)


def _objects(report: DiffReport) -> Iterator[str]:
    """How many objects change, come and go; nothing of those that do not."""
    come, gone = (sum(i.how is how for i in report.objects) for how in (How.ADDED, How.REMOVED))
    if changed := len(report.objects) - come - gone:
        changes = sum(len(item.changes) for item in report.objects if item.how in _CHANGED)
        yield f"{counted(changed, 'object')} with {counted(changes, 'change')}"
    if come:
        yield f"{counted(come, 'object')} added"
    if gone:
        yield f"{counted(gone, 'object')} deleted"
