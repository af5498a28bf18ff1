"""A diff as one page that opens from disk: nothing is loaded, no script runs."""

from collections.abc import Iterator

from renderer.outputs.diff.htmlobjects import folded
from renderer.outputs.diff.htmlstyle import STYLE
from renderer.outputs.diff.htmltext import code, effect_pill, pill, sentence, table, text
from renderer.outputs.diff.report import DiffReport
from renderer.outputs.diff.summary import Row, amount_text, by_spec, every_impact, signed, summarize
from renderer.text.wording import counted
from renderer.values.changes import Capacity
from renderer.values.diagnostics import Diagnostic, Severity

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_LOOKS = {Severity.ERROR: "bad", Severity.WARNING: "doubt", Severity.INFO: "plain"}
_RESOURCES = ("Environment", "Destination", "Unit", "Resource", "Before", "After", "Change", "Peak")


def show(report: DiffReport) -> str:
    """The page."""
    sections = [(name, title, body) for name, title, body in _sections(report) if body]
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in sections)
    parts = "".join(
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>\n'
        f"{body}</section>\n"
        for name, title, body in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<title>Serving changes</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#content">Skip to the changes</a>\n{_header(report)}'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n'
        f'<main id="content">\n{parts}</main>\n</body>\n</html>\n'
    )


def _sections(report: DiffReport) -> Iterator[tuple[str, str, str]]:
    """Their names, titles and contents; one without content is not there."""
    yield "summary", "Summary", _summary(report)
    yield "findings", "What to look at", _findings(report.findings)
    yield "incomparable", "Not comparable", _incomparable(report.incomparable)
    yield "pictures", "Parties and clusters", _pictures(report)
    yield "changes", "Changes", "".join(folded(report))
    yield "reach", "Reach", _reach(report)
    yield "capacity", "Capacity", _capacity(report.capacity)


def _header(report: DiffReport) -> str:
    units = {
        (item.environment, impact.spec, impact.unit)
        for item in report.objects
        for impact in every_impact(item)
    }
    errors, warnings = (
        sum(item.severity is level for item in report.findings)
        for level in (Severity.ERROR, Severity.WARNING)
    )
    tallies = (
        (len(report.objects), "object", "plain"),
        (len(units), "running unit", "plain"),
        (errors, "error", "bad" if errors else "good"),
        (warnings, "warning", "doubt" if warnings else "good"),
    )
    shown = "".join(
        f'<li class="{kind}"><b>{number}</b> {counted(number, word).partition(" ")[2]}</li>'
        for number, word, kind in tallies
    )
    return (
        f"<header><h1>Serving changes</h1>\n"
        f"<p>{code(report.before)} → {code(report.after)}</p>\n"
        f'<ul class="tallies">{shown}</ul></header>\n'
    )


def _summary(report: DiffReport) -> str:
    if not report.objects:
        return "<p>Nothing changes.</p>\n"
    numbers = {key: number for number, key in enumerate(by_spec(report), 1)}
    rows = (_row(row, numbers) for row in summarize(report))
    return table(("Environment", "Spec", "What happens"), rows, "Summary")


def _row(row: Row, numbers: dict[tuple[str, str], int]) -> Iterator[str]:
    number = numbers.get((row.environment, row.spec))
    yield text(row.environment)
    yield f'<a href="#spec-{number}">{text(row.spec)}</a>' if number else text(row.spec)
    happenings = (
        f"<li>{effect_pill(item.effect)} {', '.join(map(code, item.units))}</li>"
        for item in row.happenings
    )
    said = "".join(happenings)
    nothing = '<span class="quiet">nothing that runs is reached</span>'
    yield f'<ul class="happenings">{said}</ul>' if said else nothing


def _findings(findings: tuple[Diagnostic, ...]) -> str:
    lines = "".join(
        f"<li>{pill(str(item.severity), _LOOKS[item.severity])} {sentence(item.message)} "
        f'<span class="quiet">[{text(item.code)}] '
        f"{text(f'{item.file}:{item.line}:{item.column}')}</span>"
        f"{f'<br><em>{sentence(item.fix)}</em>' if item.fix else ''}</li>\n"
        for item in findings
    )
    return f'<ul class="findings">\n{lines}</ul>\n' if lines else ""


def _incomparable(findings: tuple[Diagnostic, ...]) -> str:
    note = '<p class="quiet">Errors of the old state; what they concern has nothing to compare.</p>'
    return f"{note}\n{_findings(findings)}" if findings else ""


def _pictures(report: DiffReport) -> str:
    """Drawings, which are ready to stand in a page."""
    return "".join(
        f'<figure class="scroll" tabindex="0">{item.svg}'
        f"<figcaption>{text(item.title)}</figcaption></figure>\n"
        for item in report.pictures
    )


def _reach(report: DiffReport) -> str:
    lines = "".join(
        f"<li>{code(item.file)}<ul>"
        + "".join(
            f'<li><span class="where">{text(spec.environment)}</span> {text(spec.spec)} '
            f'<span class="quiet">{text(", ".join(spec.units))}</span></li>'
            for spec in item.specs
        )
        + "</ul></li>\n"
        for item in report.reach
    )
    note = '<p class="quiet">Every spec whose objects change with an edited file.</p>\n'
    return f'{note}<ul class="reach">\n{lines}</ul>\n' if lines else ""


def _capacity(capacity: tuple[Capacity, ...]) -> str:
    rows = (
        (
            *map(text, (item.environment, item.destination, item.unit, item.resource)),
            amount_text(item.resource, item.before),
            amount_text(item.resource, item.after),
            signed(item.resource, item.after - item.before),
            f"<strong>{amount_text(item.resource, item.peak)}</strong>",
        )
        for item in capacity
    )
    note = '<p class="quiet">The peak is while the change is rolled out.</p>\n'
    return note + table(_RESOURCES, rows, "Capacity", numbers=4) if capacity else ""
