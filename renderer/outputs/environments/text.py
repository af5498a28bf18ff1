"""Two environments for people: what differs unexpectedly, what only one has, what is expected."""

from collections.abc import Iterable, Iterator

from renderer.outputs.diff.text import (
    findings_section,
    line_texts,
    most_names,
    section,
    sign_of,
    values_text,
)
from renderer.outputs.environments.report import (
    Entry,
    EnvironmentReport,
    places_text,
    specs_text,
)
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import DIM, PLAIN, YELLOW, Layout
from renderer.text.wording import visible


def show(report: EnvironmentReport, layout: Layout = PLAIN) -> str:
    """Sections in the order in which they matter; one without content is not there."""
    sides = dict.fromkeys((report.before, report.after))
    old, new = (Report(found, report.sources) for found in (report.incomparable, report.findings))
    parts = [
        section("Unexpected", _entries(report.unexpected, layout), layout),
        *(section(f"Only in {name}", _alone(report, name), layout) for name in sides),
        findings_section(f"Errors in {report.before}", old, layout),
        findings_section(f"Errors in {report.after}", new, layout),
        section("Expected", _entries(report.expected, layout), layout),
    ]
    return "\n".join(part for part in parts if part)


def _entries(entries: Iterable[Entry], layout: Layout) -> Iterator[str]:
    paint = layout.paint
    for item in entries:
        path = paint(f"{sign_of(item.change.how)[0]} {visible(item.change.path)}", YELLOW)
        reason = f"  [{item.reason}]" if item.reason else ""
        yield f"  {path}{values_text(item.change, layout)}{paint(reason, DIM)}"
        yield from line_texts(item.change, "      ", layout)
        yield f"      {visible(specs_text(item, most_names(layout)))}"
        if places := places_text(item):
            yield f"      {paint(visible(places), DIM)}"


def _alone(report: EnvironmentReport, name: str) -> Iterator[str]:
    for item in report.alone:
        if item.environment == name:
            yield f"  {visible(item.spec)}  {visible(item.origin.file)}"
