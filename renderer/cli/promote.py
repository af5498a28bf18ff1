"""`servingctl promote`: carry to an environment what was tried in another one."""

import os
import sys

import click

from renderer.cli import completion
from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.options import format_option, root_of, wants_color
from renderer.cli.progress import progress
from renderer.cli.streams import put, terminal_width
from renderer.errors import UsageError
from renderer.evaluate.parallel import Workers
from renderer.evaluate.project import Project, open_project
from renderer.io.edits import Replacement, write_together
from renderer.io.repository import load
from renderer.outputs.layout import Layout
from renderer.outputs.promotion import FORMATS
from renderer.outputs.promotion.report import PromotionReport, build_report, total_text
from renderer.promote.promotion import promote
from renderer.values.diagnostics import has_errors
from renderer.values.environments import Promotion
from renderer.values.files import EditedFiles


@click.command(name="promote", short_help="Carry what was tried in one environment to another.")
@click.argument("specs", nargs=-1, metavar="[SPEC]...", shell_complete=completion.specs)
@click.option(
    "--from",
    "source",
    required=True,
    metavar="ENV",
    shell_complete=completion.environments,
    help="The environment to copy from.",
)
@click.option(
    "--to",
    "target",
    required=True,
    metavar="ENV",
    shell_complete=completion.environments,
    help="The environment whose own files are edited.",
)
@click.option("--all", "every", is_flag=True, help="All specs of the first environment.")
@click.option("--write", is_flag=True, help="Edit the files instead of showing the edits.")
@format_option(FORMATS, about="How it is written; 'message' is for a commit.")
@click.option("-q", "--quiet", is_flag=True, help="Leave out the line at the end.")
@click.pass_context
def command(
    context: click.Context,
    specs: tuple[str, ...],
    source: str,
    target: str,
    every: bool,
    write: bool,
    form: str,
    quiet: bool,
) -> None:
    """Carry SPECs, and the prerequisites that they use, from one environment to another.

    What `diff --from env:A --to env:B` calls unexpected is carried; names, destinations and the
    paths of promote.keep in servingctl.yaml stay. Only files of the second environment itself are
    edited, with their comments and their order. An override that is in the way is deleted, and what
    comes through a variable is written to environment.yaml. Nothing is written if the result would
    have errors; what cannot be carried is listed, and it exits with 1.

    \b
    Examples:
      servingctl promote credit-risk --from staging --to prod            what would be edited
      servingctl promote credit-risk --from staging --to prod --write
      servingctl promote --all --from staging --to prod --format json
      servingctl promote --all --from staging --to prod --write --format message > message &&
        git add environments/prod && git commit --file message
    """
    if every == bool(specs):
        raise UsageError("name the specs that are to be promoted, or all of them with --all")
    root = root_of(context)
    project = load(root)
    with progress("specs compared") as watch:
        found = promote(project, source, target, specs, workers=Workers(os.cpu_count() or 1, watch))
    report = _report(found, project)
    if write and found.files and not has_errors(found.findings):
        write_together(root, _replacements(found), "promote")
        report = report._replace(written=True)
    _tell(context, report, form, quiet=quiet)
    if not found.is_complete or has_errors(found.comparison.findings):
        sys.exit(EXIT_FINDINGS)


def _replacements(found: Promotion) -> dict[str, Replacement]:
    files = sorted(found.files.items())
    return {path: Replacement(found.former.get(path), data) for path, data in files}


def _report(found: Promotion, project: Project) -> PromotionReport:
    """With the texts that findings point into, as they would be."""
    edited = open_project(EditedFiles(project.files, found.files))
    errors = (*found.findings, *found.comparison.findings, *found.comparison.incomparable)
    texts = {file: edited.text_of(file) for file in {item.file for item in errors}}
    sources = {file: text for file, text in texts.items() if text is not None}
    return build_report(found, sources)


def _tell(context: click.Context, report: PromotionReport, form: str, *, quiet: bool) -> None:
    text = FORMATS[form](report, Layout(terminal_width(), wants_color(context, sys.stdout)))
    if form == "text":
        click.echo(text, nl=False, color=True)
    else:
        put(text)
    if not quiet:
        click.echo(_ending(report), err=True)


def _ending(report: PromotionReport) -> str:
    if not report.files and not report.not_carried and not report.findings:
        return f"nothing to promote from {report.source} to {report.target}"
    hint = "" if report.written or not report.files else "; nothing is written without --write"
    return f"{total_text(report)}{'; nothing is written' if report.findings else hint}"
