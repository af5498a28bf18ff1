"""Two environments as one page, without any script."""

from collections.abc import Iterable, Iterator

from renderer.outputs.diff.html_elements import (
    both_values,
    code,
    line_block,
    page,
    pill,
    sentence,
    table,
    text,
    value,
)
from renderer.outputs.environments.report import (
    Entry,
    EnvironmentReport,
    places_text,
    total_text,
)
from renderer.outputs.layout import PLAIN, Layout
from renderer.values.diagnostics import Diagnostic


def show(report: EnvironmentReport, _layout: Layout = PLAIN) -> str:
    """The page; a section without content is not there."""
    parts = "".join(
        f"<section><h2>{title}</h2>\n{body}</section>\n"
        for title, body in _sections(report)
        if body
    )
    names = f"{report.before} and {report.after}"
    header = f"<header><h1>{text(names)}</h1>\n<p>{text(total_text(report))}</p></header>\n"
    return page(names, f"{header}<main>\n{parts}</main>\n")


def _sections(report: EnvironmentReport) -> Iterator[tuple[str, str]]:
    yield "Unexpected", _entries(report.unexpected)
    rows = ((text(i.spec), text(i.environment), code(i.origin.file)) for i in report.alone)
    heads = ("Spec", "Only in", "File")
    yield "Only in one of them", table(heads, rows, "Only in one") if report.alone else ""
    yield f"Errors in {text(report.before)}", _errors(report.incomparable)
    yield f"Errors in {text(report.after)}", _errors(report.findings)
    yield "Expected", _entries(report.expected)


def _entries(entries: Iterable[Entry]) -> str:
    lines = "".join(map(_entry, entries))
    return f'<ul class="changes">\n{lines}</ul>\n' if lines else ""


def _entry(item: Entry) -> str:
    reason = pill(str(item.reason), "plain") if item.reason else pill("unexpected", "doubt")
    note = ' <span class="quiet">a secret differs</span>' if item.change.hidden else ""
    where = f' <span class="quiet">{text(places_text(item))}</span>'
    return (
        f'<li><p class="path">{reason} {code(item.change.path)}{note}{where}</p>\n'
        f"{_values(item)}{_specs(item)}</li>\n"
    )


def _values(item: Entry) -> str:
    change = item.change
    if change.texts_only:
        return '<p class="quiet">the same data in another form</p>\n'
    if change.lines:
        return line_block(change)
    return f'<p class="values">{both_values(change, value)}</p>\n'


def _specs(item: Entry) -> str:
    """All of the specs, folded if they are many."""
    names = ", ".join(text(place.spec) for place in item.places)
    if len(item.places) == 1:
        return f"<p>{names}</p>\n"
    return f"<details><summary>{len(item.places):,} specs</summary><p>{names}</p></details>\n"


def _errors(found: Iterable[Diagnostic]) -> str:
    lines = "".join(
        f"<li>{pill('error', 'bad')} {sentence(item.message)} [{item.code}] "
        f"{code(f'{item.file}:{item.line}:{item.column}')}</li>\n"
        for item in found
    )
    return f'<ul class="findings">\n{lines}</ul>\n' if lines else ""
