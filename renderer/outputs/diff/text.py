"""A diff for people: each edit, whom it reaches and in which way, and the objects that change."""

import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial

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
from renderer.outputs.layout import (
    BOLD,
    COLORS,
    CYAN,
    DIM,
    GREEN,
    PLAIN,
    RED,
    WIDTH,
    YELLOW,
    Layout,
    wrapped,
)
from renderer.outputs.safe_text import shortened
from renderer.text.wording import visible
from renderer.values.changes import Capacity, Effect, How
from renderer.values.diagnostics import Severity
from renderer.values.tree import Plain

_SIGNS = {How.ADDED: ("+", GREEN), How.REMOVED: ("-", RED), How.RENAMED: ("»", YELLOW)}
_CHANGED = ("~", YELLOW)
_LINE_COLORS = {"-": RED, "+": GREEN, "@": CYAN}
_LONGEST_VALUE = 200
_HEADS = ("environment", "destination", "unit", "resource", "before", "after", "change", "peak")
_WORDS = 4
_FEW = 2


def show(report: DiffReport, layout: Layout = PLAIN) -> str:
    """Edits with all they bring about, then findings, whom edits reach, and capacity."""
    found = partial(Report, sources=report.sources, specs=report.specs)
    parts = [
        *("".join(f"{line}\n" for line in _cause(item, layout)) for item in joined_causes(report)),
        findings_section(
            "Not comparable: errors of the old state", found(report.incomparable), layout
        ),
        findings_section("Findings", found(report.findings), layout),
        section("Requested by what changes", _capacity(report.capacity, layout), layout),
    ]
    return "\n".join(part for part in parts if part)


def _cause(cause: Cause, layout: Layout) -> Iterator[str]:
    """The edit, whom it reaches, what happens to them, and which objects say so."""
    paint, most = layout.paint, most_names(layout)
    yield from _edit(cause, layout)
    yield f"    {paint(visible(reached_text(cause)), BOLD)}"
    room = (layout.width or WIDTH) - 6
    for item in cause.consequences:
        badge = paint(f"[{item.effect}]", _badge(item.effect))
        yield f"    {badge} {visible(units_text(item.units, most))}"
        for text, color in ((item.consequence, ""), (item.advice, DIM)):
            for line in wrapped(visible(text), room):
                yield f"      {paint(line, color) if color else line}"
    for difference in cause.differences:
        yield from _difference(difference, layout)


def _edit(cause: Cause, layout: Layout) -> Iterator[str]:
    change = cause.edit.change
    sign, color = sign_of(change.how)
    what = visible(edit_text(cause))
    has_values = change.path or (change.has_after and not cause.edit.is_renamed_file)
    values = values_text(change, layout) if has_values else ""
    where = visible(places_text(cause)) if change.path else ""
    yield f"{layout.paint(f'{sign} {what}', color)}{values}{layout.paint(where, DIM)}"
    yield from line_texts(change, "      ", layout)


def _difference(item: Difference, layout: Layout) -> Iterator[str]:
    change = item.change
    sign, color = sign_of(change.how if change else item.how)
    values = f" {visible(change.path)}{values_text(change, layout)}" if change else ""
    names = layout.paint(visible(objects_text(item.objects, most_names(layout))), DIM)
    yield f"    {layout.paint(sign, color)} {visible(item.kind)}{values}  {names}"
    if change:
        yield from line_texts(change, "        ", layout)


def most_names(layout: Layout) -> int:
    """How many names of a long list are shown."""
    return sys.maxsize if layout.all_names else _FEW


def sign_of(how: How) -> tuple[str, str]:
    """What stands before a change, and in which colour."""
    return _SIGNS.get(how, _CHANGED)


def line_texts(change: ShownChange, indent: str, layout: Layout) -> Iterator[str]:
    for line in change.lines:
        shown, color = visible(line), _LINE_COLORS.get(line[0])
        yield f"{indent}{layout.paint(shown, color) if color else shown}"


def values_text(change: ShownChange, layout: Layout) -> str:
    """What fits on the line: both sides, or the one that there is."""
    if change.texts_only:
        return ": the same data, written in another way"
    note = " (only what is hidden differs)" if change.hidden else ""
    if change.lines:
        word = {How.MOVED: " reordered", How.RENAMED: " renamed"}.get(change.how, "")
        return f"{word}{note}"
    old = layout.paint(_value(change.before), RED)
    new = layout.paint(_value(change.after), GREEN)
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


def findings_section(title: str, report: Report, layout: Layout) -> str:
    """As `validate` shows them; nothing if there are none."""
    shown = findings.show(report, layout._replace(width=0)).rstrip()
    return section(title, ("", shown), layout) if shown else ""


def section(title: str, lines: Iterable[str], layout: Layout) -> str:
    """A title and what stands below it; nothing if that is nothing."""
    text = "".join(f"{line}\n" for line in lines)
    return f"{layout.paint(visible(title), BOLD)}\n{text}" if text else ""


def _capacity(capacity: tuple[Capacity, ...], layout: Layout) -> Iterator[str]:
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
        yield line if number else layout.paint(line, DIM)


def _row(item: Capacity) -> Iterator[str]:
    yield from map(visible, (item.environment, item.destination, item.unit, item.resource))
    yield from amount_texts(item)
