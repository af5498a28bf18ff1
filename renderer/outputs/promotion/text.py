"""A promotion for people: edits, what stays different, what that does, and a commit message."""

from collections.abc import Iterator

from renderer.outputs.diff import text as diff
from renderer.outputs.diff.cause_words import few
from renderer.outputs.diff.text import (
    findings_section,
    line_texts,
    section,
    sign_of,
    values_text,
)
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import BOLD, DIM, GREEN, PLAIN, Layout
from renderer.outputs.promotion import message
from renderer.outputs.promotion.report import PromotionReport, ShownEdit
from renderer.text.wording import visible
from renderer.values.environments import Reason

_MOST_LINES = 40
_FEW = 5


def show(report: PromotionReport, layout: Layout = PLAIN) -> str:
    """Sections in the order in which they matter; one without content is not there."""
    impact = diff.show(report.impact, layout)
    parts = [
        _edits(report, layout),
        section("Variables", _variables(report), layout),
        section("Not carried", _not_carried(report), layout),
        section("Left as it is", _left(report), layout),
        section(f"Kept in {report.target}", _kept(report), layout),
        findings_section("Errors", Report(report.findings, report.sources), layout),
        f"{layout.paint('Impact', BOLD)}\n{impact}" if impact else "",
        section("Commit message", _message(report), layout),
    ]
    return "\n".join(part for part in parts if part)


def _edits(report: PromotionReport, layout: Layout) -> str:
    """By spec; what describes the environment itself stands first."""
    owners = list(dict.fromkeys(item.spec for item in report.edits))
    parts = []
    for spec in sorted(owners):
        title = f"{spec or report.target}{' (new)' if spec in report.created else ''}"
        lines = (line for i in report.edits if i.spec == spec for line in _edit(i, layout))
        parts.append(section(title, lines, layout))
    return "\n".join(parts)


def _edit(item: ShownEdit, layout: Layout) -> Iterator[str]:
    paint, change, place = layout.paint, item.change, item.change.origin
    sign, color = sign_of(change.how)
    where = f"{place.file}:{place.line}" if change.path else place.file
    values = values_text(change, layout) if change.path else ""
    if item.becomes:
        values = f"{values}{_inherited(item, layout)}"
    yield f"  {paint(f'{sign} {visible(where)}', color)} {visible(change.path)}{values}".rstrip()
    yield from line_texts(change, "      ", layout)
    for line in item.lines[:_MOST_LINES]:
        yield f"      {paint(f'+{visible(line)}', GREEN)}"
    if len(item.lines) > _MOST_LINES:
        yield f"      {len(item.lines) - _MOST_LINES} more lines"


def _inherited(item: ShownEdit, layout: Layout) -> str:
    if not item.becomes or item.becomes.lines or item.change.lines:
        return ""
    text = values_text(item.becomes, layout)
    return f" → {text.removeprefix(': ')} {layout.paint('(inherited)', DIM)}"


def _variables(report: PromotionReport) -> Iterator[str]:
    for item in report.variables:
        said = [f"also changes {few(item.changes, _FEW)}"] if item.changes else []
        said += [f"reaches {few(item.reaches, _FEW)} without effect"] if item.reaches else []
        others = "; ".join(said) or "no other spec refers to it"
        yield visible(f"  vars.{item.name}: {others}")
    if report.variables:
        yield "  (to leave a variable as it is, add vars.NAME to promote.keep in servingctl.yaml)"


def _not_carried(report: PromotionReport) -> Iterator[str]:
    for item in report.not_carried:
        path = f" {item.change.path}" if item.change.path else ""
        yield visible(f"  {item.spec}{path}: {item.reason}")


def _left(report: PromotionReport) -> Iterator[str]:
    for item in report.left:
        yield visible(f"  {item.spec} is only in {item.environment}: {item.reason}")


def _kept(report: PromotionReport) -> Iterator[str]:
    """By spec and reason, the paths."""
    found: dict[tuple[str, str], list[str]] = {}
    for item in report.kept:
        found.setdefault((item.spec, item.reason), []).append(item.change.path)
    for (spec, reason), paths in found.items():
        yield visible(f"  {spec}: {few(paths, _FEW)}  [{reason}]")
    if any(reason == Reason.VARIABLE for _, reason in found):
        yield visible(f"  (to carry the value of a variable, edit vars of {report.target})")


def _message(report: PromotionReport) -> Iterator[str]:
    for line in message.show(report).splitlines():
        yield f"  {line}".rstrip()
