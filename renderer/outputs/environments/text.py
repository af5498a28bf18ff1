"""Two environments for people: what differs unexpectedly, what only one has, what is expected."""

import sys
from collections.abc import Iterable, Iterator

from renderer.outputs.diff.text import line_texts, values_text
from renderer.outputs.environments.report import (
    Entry,
    EnvironmentReport,
    places_text,
    specs_text,
)
from renderer.outputs.findings import text as findings
from renderer.outputs.findings.report import Report
from renderer.outputs.terminal import BOLD, DIM, YELLOW, Paint, painter
from renderer.text.wording import visible
from renderer.values.changes import How
from renderer.values.diagnostics import Diagnostic

_SIGNS = {How.ADDED: "+", How.REMOVED: "-", How.RENAMED: "»"}
_FEW = 2


def show(report: EnvironmentReport) -> str:
    """Sections in the order in which they matter; one without content is not there."""
    paint = painter(color=report.color)
    most = sys.maxsize if report.every else _FEW
    parts = [
        _section("Unexpected", _entries(report.unexpected, paint, most), paint),
        *(_section(f"Only in {name}", _alone(report, name), paint) for name in _sides(report)),
        _findings(f"Errors in {report.before}", report.incomparable, report),
        _findings(f"Errors in {report.after}", report.findings, report),
        _section("Expected", _entries(report.expected, paint, most), paint),
    ]
    return "\n".join(part for part in parts if part)


def _sides(report: EnvironmentReport) -> Iterable[str]:
    return dict.fromkeys((report.before, report.after))


def _section(title: str, lines: Iterable[str], paint: Paint) -> str:
    text = "".join(f"{line}\n" for line in lines)
    return f"{paint(title, BOLD)}\n{text}" if text else ""


def _entries(entries: Iterable[Entry], paint: Paint, most: int) -> Iterator[str]:
    for item in entries:
        path = paint(f"{_SIGNS.get(item.change.how, '~')} {visible(item.change.path)}", YELLOW)
        reason = f"  [{item.reason}]" if item.reason else ""
        yield f"  {path}{values_text(item.change, paint)}{paint(reason, DIM)}"
        yield from line_texts(item.change, "      ", paint)
        yield f"      {visible(specs_text(item, most))}"
        if places := places_text(item):
            yield f"      {paint(visible(places), DIM)}"


def _alone(report: EnvironmentReport, name: str) -> Iterator[str]:
    for item in report.alone:
        if item.environment == name:
            yield f"  {visible(item.spec)}  {visible(item.origin.file)}"


def _findings(title: str, found: tuple[Diagnostic, ...], report: EnvironmentReport) -> str:
    """As `validate` shows them."""
    shown = findings.show(Report(found, report.sources, report.color))
    return f"{painter(color=report.color)(title, BOLD)}\n\n{shown.rstrip()}\n" if found else ""
