"""Two environments in a line for each difference, what is unexpected first, and a total."""

from collections.abc import Iterator

from renderer.outputs.diff.stat import both_values, stat_table
from renderer.outputs.environments.report import (
    Entry,
    EnvironmentReport,
    places_text,
    total_text,
)
from renderer.outputs.findings.causes import group_by_cause
from renderer.outputs.layout import PLAIN, Layout
from renderer.text.wording import visible


def show(report: EnvironmentReport, _layout: Layout = PLAIN) -> str:
    """`WORD SPECS PATH BEFORE → AFTER PLACES`, and how much that is together."""
    unexpected = (*map(_row, report.unexpected), *_alone(report))
    rows = [*_errors(report), *unexpected, *map(_row, report.expected)]
    return stat_table(rows, [total_text(report)])


def _errors(report: EnvironmentReport) -> Iterator[tuple[str, str, str]]:
    for cause in group_by_cause((*report.incomparable, *report.findings)):
        item, size = cause.first, sum(one.stands_for for one in cause.findings)
        what = f"{item.message} [{item.code}]  {item.file}:{item.line}"
        yield "error", f"{size:,}", visible(what)


def _row(entry: Entry) -> tuple[str, str, str]:
    change = entry.change
    word = "expected" if entry.reason else "unexpected"
    what = f"{entry.kind} {change.path} {both_values(change)}  {places_text(entry)}"
    return word, f"{len(entry.places):,}", visible(what)


def _alone(report: EnvironmentReport) -> Iterator[tuple[str, str, str]]:
    for item in report.alone:
        what = f"{item.spec} only in {item.environment}  {item.origin.file}"
        yield "unexpected", "1", visible(what)
