"""A diff as a comment on a pull request: the summary first, the details folded, within a limit."""

import json
from collections.abc import Iterator

from renderer.outputs.diff.markdown_elements import (
    Section,
    cell,
    code,
    fence,
    fit,
    prose,
    sentence,
)
from renderer.outputs.diff.report import DiffReport, ShownChange, ShownObject
from renderer.outputs.diff.summary import (
    DOUBTFUL,
    FAILING,
    SpecSummary,
    amount_texts,
    by_spec,
    count_units,
    distinct,
    size_text,
    summarize,
)
from renderer.outputs.safe_text import shortened
from renderer.text.wording import counted, visible
from renderer.values.changes import Capacity, Impact, Reach
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.tree import Plain

#: By which a pipeline finds the comment that it made before.
MARKER = "<!-- servingctl diff -->"
_LONGEST_NAME = 40
_LONGEST_VALUE = 300
_MOST = 20
_NO_LIMIT = 2**62
_MARKS = {Severity.ERROR: "🛑", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}


def show(report: DiffReport) -> str:
    """The whole diff, or what fits of it into `max_bytes`."""
    room = report.max_bytes or _NO_LIMIT
    headline = _headline(report)
    sections = (
        _summary(report),
        _findings("What to look at", report.findings),
        _findings("Not comparable: errors of the old state", report.incomparable),
        _details(report),
        _reach(report.reach),
        _capacity(report.capacity),
    )
    return headline + fit(sections, room - len(headline.encode()))


def _headline(report: DiffReport) -> str:
    units = count_units(report)
    said = f"{counted(len(report.objects), 'object')} differ"
    said = said.replace("1 object differ", "1 object differs")
    if units:
        said += f", which reaches {counted(units, 'running unit')}"
    sides = (shortened(visible(name), _LONGEST_NAME) for name in (report.before, report.after))
    found = said if report.objects else "Nothing changes"
    return f"{MARKER}\n### Serving changes\n\n{' → '.join(map(code, sides))}: {found}.\n\n"


def _summary(report: DiffReport) -> Section:
    opening = "| | Environment | Spec | What happens |\n| --- | --- | --- | --- |\n"
    rows = [_summary_row(item) for item in summarize(report)]
    return Section(opening, rows, "\n", lambda out: f"{_left(out, 'spec')} of the summary.\n\n")


def _summary_row(summary: SpecSummary) -> str:
    effects = {item.effect for item in summary.effects}
    mark = "🛑" if effects & FAILING else "⚠️" if effects & DOUBTFUL else "✅"
    said = "; ".join(
        f"**{item.effect}** {', '.join(cell(unit) for unit in item.units)}"
        for item in summary.effects
    )
    nothing = "nothing that runs is reached"
    names = f"{cell(summary.environment)} | {cell(summary.spec)}"
    return f"| {mark} | {names} | {said or nothing} |\n"


def _left(out: int, word: str) -> str:
    return f"_{counted(out, word)} left out_"


def _findings(title: str, findings: tuple[Diagnostic, ...]) -> Section:
    opening = f"**{title}**\n\n"
    pieces = [_finding(item) for item in findings]
    return Section(opening, pieces, "\n", lambda out: f"{_left(out, 'finding')}.\n\n")


def _finding(item: Diagnostic) -> str:
    place = code(f"{item.file}:{item.line}:{item.column}")
    fix = f" _{sentence(item.fix)}_" if item.fix else ""
    return f"- {_MARKS[item.severity]} {sentence(item.message)} [{item.code}] {place}{fix}\n"


def _details(report: DiffReport) -> Section:
    pieces = [_spec(*key, items) for key, items in by_spec(report).items()]
    return Section("", pieces, "", lambda out: f"{_left(out, 'object')} of the details.\n\n")


def _spec(environment: str, spec: str, items: list[ShownObject]) -> Section:
    title = f"{cell(environment)} {cell(spec)}: {size_text(items)}"
    opening = f"<details><summary>{title}</summary>\n\n"
    pieces = [_object(item) for item in items]
    return Section(opening, pieces, "</details>\n\n", lambda out: f"{_left(out, 'object')}.\n\n")


def _object(item: ShownObject) -> str:
    former = f" (was {code(item.former)})" if item.former else ""
    lines = [f"**{item.how}** {code(item.file)}{former}\n\n"]
    lines += _impacts(item.impacts, item.spec, "")
    for change in item.changes:
        lines += _change(change, item.spec)
    return "".join((*lines, "\n"))


def _change(change: ShownChange, spec: str) -> Iterator[str]:
    yield f"- {code(change.path)} {_values(change)}\n"
    if change.lines:
        block = fence(change.lines, "diff").replace("\n", "\n  ")
        yield f"\n  {block}\n\n"
    yield from _impacts(change.impacts, spec, "  ")


def _values(change: ShownChange) -> str:
    note = " (a secret differs)" if change.hidden else ""
    if change.texts_only:
        return f"has the same data in another form{note}"
    if change.lines:
        return f"{change.how}{note}"
    if not change.has_before:
        return f"{change.how}: {_value(change.after)}{note}"
    if not change.has_after:
        return f"{change.how}: {_value(change.before)}{note}"
    verb = "" if str(change.how) == "changed" else f"{change.how}: "
    return f"{verb}{_value(change.before)} → {_value(change.after)}{note}"


def _value(value: Plain) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return code(shortened(text, _LONGEST_VALUE) or '""')


def _impacts(impacts: tuple[Impact, ...], spec: str, indent: str) -> Iterator[str]:
    found = distinct(impacts, spec)
    for impact, units in found[:_MOST]:
        names = ", ".join(code(unit) for unit in units[:_MOST])
        names += f" and {len(units) - _MOST} more" if len(units) > _MOST else ""
        advice = f" _{sentence(impact.advice)}_" if impact.advice else ""
        yield f"{indent}- **{impact.effect}** {names}: {sentence(impact.consequence)}{advice}\n"
    if len(found) > _MOST:
        yield f"{indent}- and {len(found) - _MOST} more like these\n"


def _reach(reach: tuple[Reach, ...]) -> Section:
    opening = "<details><summary>Whom each edited file reaches</summary>\n\n"
    pieces = [_reached(item) for item in reach]
    return Section(
        opening, pieces, "\n</details>\n\n", lambda out: f"{_left(out, 'edited file')}.\n\n"
    )


def _reached(item: Reach) -> str:
    specs = "".join(
        f"  - {code(spec.environment)} {code(spec.spec)} {prose(', '.join(spec.units))}\n"
        for spec in item.specs
    )
    return f"- {code(item.file)}\n{specs}"


def _capacity(capacity: tuple[Capacity, ...]) -> Section:
    head = "| Environment | Destination | Unit | Resource | Before | After | Change | Peak |"
    opening = f"<details><summary>Capacity</summary>\n\n{head}\n{'| --- ' * 8}|\n"
    pieces = [_amounts(item) for item in capacity]
    return Section(
        opening, pieces, "\n</details>\n", lambda out: f"{_left(out, 'row')} of capacity.\n"
    )


def _amounts(item: Capacity) -> str:
    names = (item.environment, item.destination, item.unit, item.resource)
    return f"| {' | '.join((*map(cell, names), *amount_texts(item)))} |\n"
