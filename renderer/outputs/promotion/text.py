"""A promotion for people: edits, what stays different, what that does, and a commit message."""

from collections.abc import Iterable, Iterator

from renderer.outputs.diff import text as diff
from renderer.outputs.diff.cause_words import few
from renderer.outputs.findings import text as findings
from renderer.outputs.findings.report import Report
from renderer.outputs.promotion import message
from renderer.outputs.promotion.report import PromotionReport, ShownEdit
from renderer.outputs.terminal import BOLD, DIM, GREEN, RED, YELLOW, Paint, painter
from renderer.text.wording import visible
from renderer.values.changes import How
from renderer.values.environments import Reason

_SIGNS = {How.ADDED: ("+", GREEN), How.REMOVED: ("-", RED)}
_CHANGED = ("~", YELLOW)
_MOST_LINES = 40
_FEW = 5


def show(report: PromotionReport) -> str:
    """Sections in the order in which they matter; one without content is not there."""
    paint = painter(color=report.color)
    impact = report.impact._replace(color=report.color, width=report.width)
    parts = [
        _edits(report, paint),
        _section("Variables", _variables(report), paint),
        _section("Not carried", _not_carried(report), paint),
        _section("Left as it is", _left(report), paint),
        _section(f"Kept in {report.target}", _kept(report), paint),
        _errors(report),
        _titled("Impact", diff.show(impact), paint),
        _section("Commit message", _message(report), paint),
    ]
    return "\n".join(part for part in parts if part)


def _section(title: str, lines: Iterable[str], paint: Paint) -> str:
    return _titled(title, "".join(f"{line}\n" for line in lines), paint)


def _titled(title: str, text: str, paint: Paint) -> str:
    return f"{paint(visible(title), BOLD)}\n{text}" if text else ""


def _edits(report: PromotionReport, paint: Paint) -> str:
    """By spec; what describes the environment itself stands first."""
    owners = list(dict.fromkeys(item.spec for item in report.edits))
    parts = []
    for spec in sorted(owners):
        title = f"{spec or report.target}{' (new)' if spec in report.created else ''}"
        lines = (line for i in report.edits if i.spec == spec for line in _edit(i, paint))
        parts.append(_section(title, lines, paint))
    return "\n".join(parts)


def _edit(item: ShownEdit, paint: Paint) -> Iterator[str]:
    change, place = item.change, item.change.origin
    sign, color = _SIGNS.get(change.how, _CHANGED)
    where = f"{place.file}:{place.line}" if change.path else place.file
    values = diff.values_text(change, paint) if change.path else ""
    if item.becomes:
        values = f"{values}{_inherited(item, paint)}"
    yield f"  {paint(f'{sign} {visible(where)}', color)} {visible(change.path)}{values}".rstrip()
    yield from diff.line_texts(change, "      ", paint)
    for line in item.lines[:_MOST_LINES]:
        yield f"      {paint(f'+{visible(line)}', GREEN)}"
    if len(item.lines) > _MOST_LINES:
        yield f"      {len(item.lines) - _MOST_LINES} more lines"


def _inherited(item: ShownEdit, paint: Paint) -> str:
    if not item.becomes or item.becomes.lines or item.change.lines:
        return ""
    text = diff.values_text(item.becomes, paint)
    return f" → {text.removeprefix(': ')} {paint('(inherited)', DIM)}"


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


def _errors(report: PromotionReport) -> str:
    """As `validate` shows them."""
    shown = findings.show(Report(report.findings, report.sources, report.color))
    title = painter(color=report.color)("Errors", BOLD)
    return f"{title}\n\n{shown.rstrip()}\n" if report.findings else ""


def _message(report: PromotionReport) -> Iterator[str]:
    for line in message.show(report).splitlines():
        yield f"  {line}".rstrip()
