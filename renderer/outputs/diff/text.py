"""A diff for people: each edit, whom it reaches and in which way, and the objects that change."""

import json
import sys
from collections.abc import Iterable, Iterator
from textwrap import TextWrapper
from typing import NamedTuple

from renderer.outputs.diff.cause_words import (
    edit_text,
    objects_text,
    places_text,
    reached_text,
    units_text,
)
from renderer.outputs.diff.causes import Cause, Difference, joined_causes
from renderer.outputs.diff.report import DiffReport, ShownChange
from renderer.outputs.diff.summary import DOUBTFUL, FAILING, amount_texts
from renderer.outputs.findings import text as findings
from renderer.outputs.findings.report import Report
from renderer.outputs.safe_text import shortened
from renderer.outputs.terminal import (
    BOLD,
    COLORS,
    CYAN,
    DIM,
    GREEN,
    RED,
    YELLOW,
    Paint,
    painter,
)
from renderer.text.wording import visible
from renderer.values.changes import Capacity, Effect, How
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.tree import Plain

_SIGNS = {How.ADDED: ("+", GREEN), How.REMOVED: ("-", RED), How.RENAMED: ("»", YELLOW)}
_CHANGED = ("~", YELLOW)
_OF_LINES = {"-": RED, "+": GREEN, "@": CYAN}
_LONGEST_VALUE = 200
_HEADS = ("environment", "destination", "unit", "resource", "before", "after", "change", "peak")
_WORDS = 4
_FEW = 2


class _Page(NamedTuple):
    """How lines are coloured, how wide they may get, and how many names are listed."""

    paint: Paint
    width: int
    most: int


def show(report: DiffReport) -> str:
    """Edits with all they bring about, then findings, whom edits reach, and capacity."""
    paint = painter(color=report.color)
    page = _Page(paint, report.width, sys.maxsize if report.every else _FEW)
    parts = [
        *("".join(f"{line}\n" for line in _cause(item, page)) for item in joined_causes(report)),
        _findings("Not comparable: errors of the old state", report.incomparable, report),
        _findings("Findings", report.findings, report),
        _section("Requested by what changes", _capacity(report.capacity, paint), paint),
    ]
    return "\n".join(part for part in parts if part)


def _cause(cause: Cause, page: _Page) -> Iterator[str]:
    """The edit, whom it reaches, what happens to them, and which objects say so."""
    yield from _edit(cause, page)
    yield f"    {page.paint(visible(reached_text(cause)), BOLD)}"
    wrapper = TextWrapper(page.width - 6, break_long_words=False, break_on_hyphens=False)
    for item in cause.consequences:
        badge = page.paint(f"[{item.effect}]", _badge(item.effect))
        yield f"    {badge} {visible(units_text(item.units, page.most))}"
        for text, color in ((item.consequence, ""), (item.advice, DIM)):
            for line in wrapper.wrap(visible(text)):
                yield f"      {page.paint(line, color) if color else line}"
    for difference in cause.differences:
        yield from _difference(difference, page)


def _edit(cause: Cause, page: _Page) -> Iterator[str]:
    change = cause.edit.change
    sign, color = _SIGNS.get(change.how, _CHANGED)
    what = visible(edit_text(cause))
    is_told = change.path or (change.has_after and not cause.edit.is_renamed_file)
    values = values_text(change, page.paint) if is_told else ""
    where = visible(places_text(cause)) if change.path else ""
    yield f"{page.paint(f'{sign} {what}', color)}{values}{page.paint(where, DIM)}"
    yield from line_texts(change, "      ", page.paint)


def _difference(item: Difference, page: _Page) -> Iterator[str]:
    how = item.change.how if item.change else item.how
    sign, color = _SIGNS.get(how, _CHANGED)
    change = item.change
    said = f" {visible(change.path)}{values_text(change, page.paint)}" if change else ""
    names = visible(objects_text(item.objects, page.most))
    yield f"    {page.paint(sign, color)} {visible(item.kind)}{said}  {page.paint(names, DIM)}"
    if item.change:
        yield from line_texts(item.change, "        ", page.paint)


def line_texts(change: ShownChange, indent: str, paint: Paint) -> Iterator[str]:
    for line in change.lines:
        shown = visible(line)
        yield f"{indent}{paint(shown, _OF_LINES[line[0]]) if line[0] in _OF_LINES else shown}"


def values_text(change: ShownChange, paint: Paint) -> str:
    """What fits on the line: both sides, or the one that there is."""
    if change.texts_only:
        return ": the same data, written in another way"
    note = " (only what is hidden differs)" if change.hidden else ""
    if change.lines:
        word = {How.MOVED: " reordered", How.RENAMED: " renamed"}.get(change.how, "")
        return f"{word}{note}"
    old, new = paint(_value(change.before), RED), paint(_value(change.after), GREEN)
    if not (change.has_before and change.has_after):
        return f": {old if change.has_before else new}{note}"
    word = " reordered" if change.how is How.MOVED else ""
    return f"{word}: {old} → {new}{note}"


def _value(value: Plain) -> str:
    return shortened(visible(json.dumps(value, ensure_ascii=False)), _LONGEST_VALUE)


def _badge(effect: Effect) -> str:
    if effect in FAILING:
        return COLORS[Severity.ERROR]
    return COLORS[Severity.WARNING] if effect in DOUBTFUL else COLORS[Severity.INFO]


def _findings(title: str, found: tuple[Diagnostic, ...], report: DiffReport) -> str:
    """As `validate` shows them."""
    shown = findings.show(Report(found, report.sources, report.color, specs=report.specs))
    return f"{painter(color=report.color)(title, BOLD)}\n\n{shown.rstrip()}\n" if found else ""


def _section(title: str, lines: Iterable[str], paint: Paint) -> str:
    text = "".join(f"{line}\n" for line in lines)
    return f"{paint(title, BOLD)}\n{text}" if text else ""


def _capacity(capacity: tuple[Capacity, ...], paint: Paint) -> Iterator[str]:
    if not capacity:
        return
    rows = [_HEADS, *(tuple(_row(item)) for item in capacity)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    for number, row in enumerate(rows):
        cells = (
            text.ljust(width) if column < _WORDS else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        line = f"  {'  '.join(cells)}"
        yield line if number else paint(line, DIM)


def _row(item: Capacity) -> Iterator[str]:
    yield from map(visible, (item.environment, item.destination, item.unit, item.resource))
    yield from amount_texts(item)
