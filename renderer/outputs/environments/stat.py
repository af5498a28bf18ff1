"""Two environments in a line for each difference, what is unexpected first, and a total."""

import json
from collections.abc import Iterator

from renderer.outputs.environments.report import (
    Entry,
    EnvironmentReport,
    places_text,
    total_text,
)
from renderer.outputs.findings.causes import by_cause
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import shortened
from renderer.text.wording import visible
from renderer.values.tree import Plain

_LONGEST_VALUE = 40
_NOTHING = "-"


def show(report: EnvironmentReport, _layout: Layout = PLAIN) -> str:
    """`WORD SPECS PATH BEFORE → AFTER PLACES`, and how much that is together."""
    unexpected = (*map(_row, report.unexpected), *_alone(report))
    rows = [*_errors(report), *unexpected, *map(_row, report.expected)]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]}" for row in rows]
    return "".join(f"{line}\n" for line in (*lines, total_text(report)))


def _errors(report: EnvironmentReport) -> Iterator[tuple[str, str, str]]:
    for cause in by_cause((*report.incomparable, *report.findings)):
        item, size = cause.first, sum(one.stands_for for one in cause.findings)
        what = f"{item.message} [{item.code}]  {item.file}:{item.line}"
        yield "error", f"{size:,}", visible(what)


def _row(entry: Entry) -> tuple[str, str, str]:
    change = entry.change
    word = "expected" if entry.reason else "unexpected"
    sides = (
        _value(change.before) if change.has_before else _NOTHING,
        _value(change.after) if change.has_after else _NOTHING,
    )
    what = f"{entry.kind} {change.path} {' → '.join(sides)}  {places_text(entry)}"
    return word, f"{len(entry.places):,}", visible(what)


def _alone(report: EnvironmentReport) -> Iterator[tuple[str, str, str]]:
    for item in report.alone:
        what = f"{item.spec} only in {item.environment}  {item.origin.file}"
        yield "unexpected", "1", visible(what)


def _value(value: Plain) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(text.replace("\n", " "), _LONGEST_VALUE)
