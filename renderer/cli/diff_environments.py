"""`servingctl diff --from env:A --to env:B`: are two environments what they should be?"""

import os

import click

from renderer.cli.failures import EXIT_FINDINGS, EXIT_OK
from renderer.cli.options import root_of
from renderer.errors import UsageError
from renderer.io.repository import load
from renderer.outputs.layout import Layout
from renderer.text.wording import listed
from renderer.values.named_tuple import NamedTuple

_PREFIX = "env:"


class Page(NamedTuple):
    """How a diff is to be shown, and what makes it fail."""

    form: str
    stat: bool
    layout: Layout
    exit_code: bool
    quiet: bool


def compares_environments(before: str, after: str | None) -> bool:
    """Whether two environments are to be compared; one alone has nothing to be compared with."""
    given = [name is not None and name.startswith(_PREFIX) for name in (before, after)]
    if any(given) and not all(given):
        alone = before if given[0] else after
        raise UsageError(
            f"{alone} can only be compared with another environment of the work tree; "
            f"name both sides, as in --from {_PREFIX}staging --to {_PREFIX}prod"
        )
    return all(given)


def compare_environments(
    context: click.Context, sides: tuple[str, str], specs: tuple[str, ...], page: Page
) -> int:
    """Show two environments side by side; the exit code says whether that is as it should be."""
    from renderer.changes import environments
    from renderer.outputs.environments import FORMATS, stat
    from renderer.outputs.environments.report import build_report, total_text

    project = load(root_of(context))
    first, second = (name.removeprefix(_PREFIX) for name in sides)
    jobs = os.cpu_count() or 1
    found = environments.compare_environments(project, (first, second), specs, jobs=jobs)
    files = {item.file for item in (*found.findings, *found.incomparable)}
    texts = {file: project.text_of(file) for file in files}
    sources = {file: text for file, text in texts.items() if text is not None}
    report = build_report(found, sources)
    show = stat.show if page.stat else FORMATS[page.form]
    text = show(report, page.layout)
    click.echo(text if page.form == "text" else text.encode(), nl=False, color=True)
    if not page.quiet and not page.stat:
        click.echo(total_text(report), err=True)
        if codes := [rule.code for rule in project.shared.policies.on_changes]:
            click.echo(f"not evaluated, as they are on changes: {listed(codes)}", err=True)
    differs = not found.is_as_expected or found.incomparable
    return EXIT_FINDINGS if found.findings or (page.exit_code and differs) else EXIT_OK
