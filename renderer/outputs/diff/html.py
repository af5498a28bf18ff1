"""A diff as one page that opens from disk: nothing is loaded, no script runs."""

from collections.abc import Iterator, Mapping

from renderer.outputs.diff.html_elements import (
    STYLE,
    code,
    effect_pill,
    look,
    pill,
    sentence,
    table,
    text,
    value,
)
from renderer.outputs.diff.report import DiffReport, ShownChange, ShownObject
from renderer.outputs.diff.summary import (
    RANKING,
    SpecSummary,
    amount_texts,
    by_spec,
    count_units,
    distinct,
    every_impact,
    size_text,
    summarize,
)
from renderer.outputs.findings.causes import Cause, by_cause
from renderer.text.wording import counted
from renderer.values.changes import Capacity, How, Impact
from renderer.values.diagnostics import Diagnostic, Severity

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_LOOKS = {Severity.ERROR: "bad", Severity.WARNING: "doubt", Severity.INFO: "plain"}
_RESOURCES = ("Environment", "Destination", "Unit", "Resource", "Before", "After", "Change", "Peak")
_LINES = {"+": "added", "-": "removed", "@": "place"}
_CALM = frozenset(("good", "moves", "plain"))


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
    yield "findings", "What to look at", _findings(report.findings, report.specs)
    yield "incomparable", "Not comparable", _incomparable(report)
    yield "pictures", "What runs where", _pictures(report)
    yield "changes", "Changes", "".join(_folded_specs(report))
    yield "reach", "Reach", _reach(report)
    yield "capacity", "Capacity", _capacity(report.capacity)


def _header(report: DiffReport) -> str:
    errors, warnings = (
        sum(item.severity is level for item in report.findings)
        for level in (Severity.ERROR, Severity.WARNING)
    )
    tallies = (
        (len(report.objects), "object", "plain"),
        (count_units(report), "running unit", "plain"),
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
    rows = (_summary_row(item, numbers) for item in summarize(report))
    return table(("Environment", "Spec", "What happens"), rows, "Summary")


def _summary_row(summary: SpecSummary, numbers: dict[tuple[str, str], int]) -> Iterator[str]:
    number = numbers.get((summary.environment, summary.spec))
    yield text(summary.environment)
    yield f'<a href="#spec-{number}">{text(summary.spec)}</a>' if number else text(summary.spec)
    said = "".join(
        f"<li>{effect_pill(item.effect)} {', '.join(map(code, item.units))}</li>"
        for item in summary.effects
    )
    nothing = '<span class="quiet">nothing that runs is reached</span>'
    yield f'<ul class="happenings">{said}</ul>' if said else nothing


def _findings(findings: tuple[Diagnostic, ...], specs: Mapping[str, str]) -> str:
    lines = "".join(_finding(item, specs) for item in by_cause(findings))
    return f'<ul class="findings">\n{lines}</ul>\n' if lines else ""


def _finding(found: Cause, specs: Mapping[str, str]) -> str:
    item = found.first
    notes = {"also": found.others_text(specs), "of": found.specs_text(specs)}
    more = "".join(
        f'<br><span class="quiet">{name}: {text(note)}</span>'
        for name, note in notes.items()
        if note
    )
    return (
        f"<li>{pill(str(item.severity), _LOOKS[item.severity])} {sentence(item.message)} "
        f'<span class="quiet">[{text(item.code)}] '
        f"{text(f'{item.file}:{item.line}:{item.column}')}</span>"
        f"{f'<br><em>{sentence(item.fix)}</em>' if item.fix else ''}{more}</li>\n"
    )


def _incomparable(report: DiffReport) -> str:
    note = '<p class="quiet">Errors of the old state; what they concern has nothing to compare.</p>'
    found = report.incomparable
    return f"{note}\n{_findings(found, report.specs)}" if found else ""


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
    note = '<p class="quiet">The peak is while the change is rolled out.</p>\n'
    rows = map(_capacity_row, capacity)
    return note + table(_RESOURCES, rows, "Capacity", numbers=4) if capacity else ""


def _capacity_row(item: Capacity) -> Iterator[str]:
    yield from map(text, (item.environment, item.destination, item.unit, item.resource))
    *amounts, peak = amount_texts(item)
    yield from amounts
    yield f"<strong>{peak}</strong>"


def _folded_specs(report: DiffReport) -> Iterator[str]:
    """Every spec as a fold; those that need a look are open."""
    for number, (key, items) in enumerate(by_spec(report).items(), 1):
        yield _spec(number, *key, items)


def _spec(number: int, environment: str, spec: str, items: list[ShownObject]) -> str:
    effects = {impact.effect for item in items for impact in every_impact(item)}
    ranked = [effect for effect in RANKING if effect in effects]
    is_open = any(look(effect) not in _CALM for effect in ranked)
    pills = "".join(effect_pill(effect) for effect in ranked)
    title = f'<span class="where">{text(environment)}</span> <strong>{text(spec)}</strong>'
    return (
        f'<details id="spec-{number}"{" open" if is_open else ""}><summary>{title} '
        f'<span class="quiet">{size_text(items)}</span> {pills}</summary>\n'
        f"{''.join(_object(item) for item in items)}</details>\n"
    )


def _object(item: ShownObject) -> str:
    former = f' <span class="quiet">was {code(item.former)}</span>' if item.former else ""
    kind = {How.ADDED: "good", How.REMOVED: "bad"}.get(item.how, "plain")
    head = f"<h3>{pill(str(item.how), kind)} {code(item.file)}{former}</h3>\n"
    changes = "".join(_change(change, item.spec) for change in item.changes)
    listing = f'<ul class="changes">\n{changes}</ul>\n' if changes else ""
    return f"<article>{head}{_impacts(item.impacts, item.spec)}{listing}</article>\n"


def _change(change: ShownChange, spec: str) -> str:
    note = ' <span class="quiet">a secret differs</span>' if change.hidden else ""
    place = change.origin
    origin = (
        f' <span class="quiet">{text(f"{place.file}:{place.line}")}</span>' if place.file else ""
    )
    return (
        f'<li><p class="path">{code(change.path)}{note}{origin}</p>\n'
        f"{_values(change)}{_impacts(change.impacts, spec)}</li>\n"
    )


def _values(change: ShownChange) -> str:
    if change.texts_only:
        return '<p class="quiet">the same data in another form</p>\n'
    if change.lines:
        return f'<pre class="lines" tabindex="0">{"".join(map(_line, change.lines))}</pre>\n'
    old = f"<del>{value(change.before)}</del>" if change.has_before else ""
    new = f"<ins>{value(change.after)}</ins>" if change.has_after else ""
    arrow = ' <span class="arrow" aria-label="becomes">→</span> ' if old and new else ""
    word = "" if change.how is How.CHANGED else f'<span class="quiet">{change.how}</span> '
    return f'<p class="values">{word}{old}{arrow}{new}</p>\n'


def _line(line: str) -> str:
    kind = _LINES.get(line[:1], "same")
    return f'<span class="{kind}">{text(line)}</span>\n'


def _impacts(impacts: tuple[Impact, ...], spec: str) -> str:
    found = sorted(distinct(impacts, spec), key=lambda pair: RANKING.index(pair[0].effect))
    lines = "".join(_impact(impact, units) for impact, units in found)
    return f'<ul class="impacts">\n{lines}</ul>\n' if lines else ""


def _impact(impact: Impact, units: list[str]) -> str:
    names = ", ".join(code(unit) for unit in units)
    advice = f' <em class="advice">{sentence(impact.advice)}</em>' if impact.advice else ""
    said = f"{sentence(impact.consequence)}{advice}"
    return f"<li>{effect_pill(impact.effect)} {names}<br>{said}</li>\n"
