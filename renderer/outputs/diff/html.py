"""A diff as one page, with a script that filters, sorts and steps through what is there anyway."""

from collections.abc import Iterator, Mapping

from renderer.assets import read_template
from renderer.outputs.diff.cause import Cause
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.html_causes import show_causes
from renderer.outputs.diff.html_elements import code, folded, page, pill, sentence, table, text
from renderer.outputs.diff.html_rows import show_rows
from renderer.outputs.diff.report import DiffReport
from renderer.outputs.diff.summary import amount_texts, count_units
from renderer.outputs.findings.causes import Cause as FindingCause
from renderer.outputs.findings.causes import group_by_cause
from renderer.outputs.layout import PLAIN, Layout
from renderer.text.wording import counted
from renderer.values.changes import Capacity
from renderer.values.diagnostics import Diagnostic, Severity

_LOOKS = {Severity.ERROR: "bad", Severity.WARNING: "doubt", Severity.INFO: "plain"}
_RESOURCES = ("Environment", "Destination", "Unit", "Resource", "Before", "After", "Change", "Peak")


def show(report: DiffReport, _layout: Layout = PLAIN) -> str:
    """The page."""
    causes = joined_causes(report)
    sections = [(name, title, body) for name, title, body in _sections(report, causes) if body]
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in sections)
    parts = "".join(
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>\n'
        f"{body}</section>\n"
        for name, title, body in sections
    )
    body = (
        f'<a class="skip" href="#content">Skip to the changes</a>\n{_header(report, causes)}'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n'
        f'<main id="content">\n{parts}</main>\n'
    )
    return page("Serving changes", body, f"\n{read_template('outputs/page.js').decode()}")


def _sections(report: DiffReport, causes: list[Cause]) -> Iterator[tuple[str, str, str]]:
    """Their names, titles and contents; one without content is not there."""
    nothing = "" if report.objects or report.findings else "<p>Nothing changes.</p>\n"
    yield "edits", "Edits", show_causes(causes) or nothing
    yield "findings", "What to look at", _findings(report.findings, report.specs)
    yield "incomparable", "Not comparable", _incomparable(report)
    yield "specs", "Specs", show_rows(report, causes)
    yield "pictures", "What runs where", _pictures(report)
    yield "capacity", "Capacity", _capacity(report.capacity)


def _header(report: DiffReport, causes: list[Cause]) -> str:
    errors, warnings = (
        sum(item.stands_for for item in report.findings if item.severity is level)
        for level in (Severity.ERROR, Severity.WARNING)
    )
    tallies = (
        (sum(len(cause.edits) for cause in causes), "edit", "plain"),
        (len(report.objects), "object", "plain"),
        (count_units(report), "running unit", "plain"),
        (errors, "error", "bad" if errors else "good"),
        (warnings, "warning", "doubt" if warnings else "good"),
    )
    shown = "".join(
        f'<li class="{kind}"><b>{number:,}</b> {counted(number, word).partition(" ")[2]}</li>'
        for number, word, kind in tallies
    )
    return (
        f"<header><h1>Serving changes</h1>\n"
        f"<p>{code(report.before)} → {code(report.after)}</p>\n"
        f'<ul class="tallies">{shown}</ul></header>\n'
    )


def _findings(findings: tuple[Diagnostic, ...], specs: Mapping[str, str]) -> str:
    """Errors first; what has one cause is shown once."""
    found = sorted(
        group_by_cause(findings), key=lambda item: list(_LOOKS).index(item.first.severity)
    )
    lines = "".join(_finding(item, specs) for item in found)
    return f'<ul class="findings">\n{lines}</ul>\n' if lines else ""


def _finding(found: FindingCause, specs: Mapping[str, str]) -> str:
    item = found.first
    places = dict.fromkeys(f"{one.file}:{one.line}:{one.column}" for one in found.findings)
    fix = f"<br><em>{sentence(item.fix)}</em>" if item.fix else ""
    reach = found.specs_text(specs)
    of = f'<br><span class="quiet">of: {text(reach)}</span>' if reach else ""
    return (
        f"<li>{pill(str(item.severity), _LOOKS[item.severity])} {sentence(item.message)} "
        f'<span class="quiet">[{text(item.code)}]</span> {folded(list(places))}{fix}{of}</li>\n'
    )


def _incomparable(report: DiffReport) -> str:
    note = '<p class="quiet">Errors of the old state; what they concern has nothing to compare.</p>'
    found = report.incomparable
    return f"{note}\n{_findings(found, report.specs)}" if found else ""


def _pictures(report: DiffReport) -> str:
    """Drawings, which are ready to stand in a page, production first."""
    return "".join(
        f'<figure class="scroll" tabindex="0">{item.svg}'
        f"<figcaption>{text(item.title)}</figcaption></figure>\n"
        for item in sorted(report.pictures, key=lambda one: one.title not in report.production)
    )


def _capacity(capacity: tuple[Capacity, ...]) -> str:
    note = '<p class="quiet">The peak is while the change is rolled out.</p>\n'
    rows = map(_capacity_row, capacity)
    return note + table(_RESOURCES, rows, "Capacity", numbers=4) if capacity else ""


def _capacity_row(item: Capacity) -> Iterator[str]:
    yield from map(text, (item.environment, item.destination, item.unit, item.resource))
    *amounts, peak = amount_texts(item)
    yield from amounts
    yield f"<strong>{peak}</strong>"
