"""A diff for people: each object, its changes from and to, and right below what they do."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import TextWrapper
from typing import NamedTuple

from renderer.outputs.diff.report import DiffReport, ShownChange, ShownObject
from renderer.outputs.diff.summary import DOUBTFUL, FAILING, amount_texts, distinct
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
from renderer.text.wording import listed, visible
from renderer.values.changes import Capacity, Effect, How, Impact, Reach
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.tree import Plain

_SIGNS = {How.ADDED: ("+", GREEN), How.REMOVED: ("-", RED), How.RENAMED: ("»", YELLOW)}
_CHANGED = ("~", YELLOW)
_OF_LINES = {"-": RED, "+": GREEN, "@": CYAN}
_LONGEST_VALUE = 200
_HEADS = ("environment", "destination", "unit", "resource", "before", "after", "change", "peak")
_WORDS = 4
Words = tuple[str, str]


class _Page(NamedTuple):
    """How lines are coloured, and how wide they may get."""

    paint: Paint
    width: int


def show(report: DiffReport) -> str:
    """Changes by environment and destination, then findings, whom edits reach, and capacity."""
    paint = painter(color=report.color)
    parts = [
        "".join(_blocks(report.objects, _Page(paint, report.width))),
        _findings("Not comparable: errors of the old state", report.incomparable, report),
        _findings("Findings", report.findings, report),
        _section("Reach of the edited files", _reach(report.reach, paint), paint),
        _section("Requested by what changes", _capacity(report.capacity, paint), paint),
    ]
    return "\n".join(part for part in parts if part)


def _blocks(objects: Iterable[ShownObject], page: _Page) -> Iterator[str]:
    groups = groupby(objects, key=lambda item: (item.environment, item.destination))
    for number, ((environment, destination), items) in enumerate(groups):
        title = page.paint(f"{visible(environment)} → {visible(destination)}", BOLD)
        lines = [line for item in items for line in _object(item, page)]
        yield "".join(f"{line}\n" for line in ([""] if number else []) + [title, *lines])


def _object(item: ShownObject, page: _Page) -> Iterator[str]:
    paint = page.paint
    sign, color = _SIGNS.get(item.how, _CHANGED)
    former = f", was {visible(item.former)}" if item.former else ""
    if item.elsewhere:
        way = "comes from" if item.how is How.ADDED else "goes to"
        former = f", {way} {visible(item.elsewhere)}"
    name = paint(f"{sign} {visible(item.identity)}", color)
    yield f"{name} {paint(f'({visible(item.spec)}{former})', DIM)}"
    said: set[Words] = set()
    yield from _impacts(item.impacts, item.spec, "    ", said, page)
    for change in item.changes:
        yield from _change(change, paint)
        yield from _impacts(change.impacts, item.spec, "      ", said, page)


def _change(change: ShownChange, paint: Paint) -> Iterator[str]:
    sign, color = _SIGNS.get(change.how, _CHANGED)
    place = change.origin
    where = f"  {place.file}:{place.line}" if place.file else ""
    head = f"  {paint(sign, color)} {visible(change.path)}{_values(change, paint)}"
    yield f"{head}{paint(visible(where), DIM)}"
    for line in change.lines:
        shown = visible(line)
        yield f"      {paint(shown, _OF_LINES[line[0]]) if line[0] in _OF_LINES else shown}"


def _values(change: ShownChange, paint: Paint) -> str:
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


def _impacts(
    impacts: tuple[Impact, ...], spec: str, indent: str, said: set[Words], page: _Page
) -> Iterator[str]:
    """Who is reached and in which way; sentences that an object had already are not repeated."""
    paint, room = page.paint, page.width - len(indent) - 2
    wrapper = TextWrapper(room, break_long_words=False, break_on_hyphens=False)
    for impact, units in distinct(impacts, spec):
        words = (impact.consequence, impact.advice)
        again = " (as above)" if words in said else ""
        badge = paint(f"[{impact.effect}]", _badge(impact.effect))
        yield f"{indent}{badge} {visible(listed(units))}{paint(again, DIM) if again else ''}"
        for text, color in () if again else zip(words, ("", DIM), strict=True):
            for line in wrapper.wrap(visible(text)):
                yield f"{indent}  {paint(line, color) if color else line}"
        said.add(words)


def _badge(effect: Effect) -> str:
    if effect in FAILING:
        return COLORS[Severity.ERROR]
    return COLORS[Severity.WARNING] if effect in DOUBTFUL else COLORS[Severity.INFO]


def _findings(title: str, found: tuple[Diagnostic, ...], report: DiffReport) -> str:
    """As `validate` shows them."""
    shown = findings.show(Report(found, report.sources, report.color))
    return f"{painter(color=report.color)(title, BOLD)}\n\n{shown.rstrip()}\n" if found else ""


def _section(title: str, lines: Iterable[str], paint: Paint) -> str:
    text = "".join(f"{line}\n" for line in lines)
    return f"{paint(title, BOLD)}\n{text}" if text else ""


def _reach(reach: tuple[Reach, ...], paint: Paint) -> Iterator[str]:
    for item in reach:
        yield f"  {visible(item.file)}"
        for one in item.specs:
            units = f" ({', '.join(one.units)})" if one.units else ""
            yield f"    {visible(one.environment)} {visible(one.spec)}{paint(visible(units), DIM)}"


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
