"""A diff for people: each edit, whom it reaches and in which way, and the objects that change."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from renderer.outputs.diff.cause import Cause, Consequence, Difference
from renderer.outputs.diff.cause_words import (
    amount,
    edit_text,
    objects_text,
    places_text,
    reached_text,
    unit_texts,
    units_text,
)
from renderer.outputs.diff.causes import joined_causes, other_findings, same_consequences
from renderer.outputs.diff.patterns import Pattern
from renderer.outputs.diff.report import DiffReport, ShownChange, cut_line
from renderer.outputs.diff.summary import (
    DOUBTFUL,
    FAILING,
    amount_texts,
    calm_text,
    telling_rows,
)
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
from renderer.outputs.safe_text import end_of, shortened
from renderer.text.wording import visible
from renderer.values.changes import Capacity, Effect, How
from renderer.values.diagnostics import Severity
from renderer.values.tree import Plain

_SIGNS = {How.ADDED: ("+", GREEN), How.REMOVED: ("-", RED), How.RENAMED: ("»", YELLOW)}
_CHANGED = ("~", YELLOW)
_SIGN_COLORS = dict((*_SIGNS.values(), _CHANGED))
_LINE_COLORS = {"-": RED, "+": GREEN, "@": CYAN}
_LONGEST_VALUE = 200
_HEADS = ("environment", "destination", "unit", "resource", "before", "after", "change", "peak")
_WORDS = 4
_FEW = 2


#: Of a consequence with its advice, the edit with which it was said before.
_Said: TypeAlias = dict[tuple[str, str], str]


def show(report: DiffReport, layout: Layout = PLAIN) -> str:
    """Edits with all they bring about, then findings, whom edits reach, and capacity."""
    found = partial(Report, sources=report.sources, specs=report.specs)
    causes = joined_causes(report)
    said: _Said = {}
    parts = [
        *(
            "".join(f"{line}\n" for line in _causes(some, said, layout))
            for some in same_consequences(causes)
        ),
        findings_section(
            "Not comparable: errors of the old state", found(report.incomparable), layout
        ),
        findings_section("Findings", found(other_findings(report, causes)), layout),
        section("Requested by what changes", _capacity(report.capacity, layout), layout),
    ]
    return "\n".join(part for part in parts if part)


def _causes(causes: list[Cause], said: _Said, layout: Layout) -> Iterator[str]:
    """The edits, what happens to whom, and which objects change in another way than the edits.

    `said` has what was said before, and of which edit: it is not said again.
    """
    for cause in causes:
        yield from _edit(cause, layout)
    first = causes[0]
    if _needs_counts(first, layout):
        yield from _prose(reached_text(first), 4, layout, BOLD)
    production = [item.name for item in first.environments if item.is_production]
    for item in first.consequences:
        yield from _consequence(item, production, said, layout)
        said.setdefault((item.consequence, item.advice), edit_text(first))
    for difference in (item for cause in causes for item in cause.differences):
        if layout.all_names or not difference.repeats_edit:
            yield from _difference(difference, layout)


def _consequence(
    item: Consequence, production: list[str], said: _Said, layout: Layout
) -> Iterator[str]:
    badge = f"[{item.effect}]"
    hit = units_text(item.units, most_names(layout), production)
    first, *rest = wrapped(visible(f"{badge} {hit}"), layout.width or WIDTH, "    ", "      ")
    yield first.replace(badge, layout.paint(badge, _badge(item.effect)), 1)
    yield from rest
    if former := said.get((item.consequence, item.advice)):
        yield from _prose(f"The same as with {former}, above.", 6, layout)
        return
    yield from _prose(_reported_text(item), 6, layout)
    yield from _prose(item.advice, 6, layout, DIM)


def _reported_text(item: Consequence) -> str:
    """What happens, as a finding if a rule reports it."""
    if item.reported is None:
        return item.consequence
    return f"{item.reported.severity}: {item.consequence} [{item.reported.code}]"


def _needs_counts(cause: Cause, layout: Layout) -> bool:
    """Whether what happens does not say it all: it is not one thing, or not all are named."""
    if cause.is_wrong or len(cause.consequences) != 1:
        return True
    return len(unit_texts(cause.consequences[0].units)) > most_names(layout) + 1


def _prose(text: str, indent: int, layout: Layout, color: str = "") -> Iterator[str]:
    """A text in lines of the width there is."""
    for line in wrapped(visible(text), (layout.width or WIDTH) - indent):
        yield f"{' ' * indent}{layout.paint(line, color) if color else line}"


def _edit(cause: Cause, layout: Layout) -> Iterator[str]:
    change = cause.edit.change
    if cause.pattern:
        yield from _pattern(cause, cause.pattern, layout)
        return
    has_values = change.path or (change.has_after and not cause.edit.is_renamed_file)
    where = places_text(cause) if change.path else ""
    head = f"{sign_of(change.how)[0]} {edit_text(cause)}"
    yield from change_lines(head, change if has_values else None, where, layout)
    yield from line_texts(change, "      ", layout)


def _pattern(cause: Cause, pattern: Pattern, layout: Layout) -> Iterator[str]:
    """What edits have in common, and some of them in full."""
    sign, color = sign_of(cause.edit.change.how)
    head = f"{sign} {visible(edit_text(cause))}"
    places = amount(len(cause.edits), "place")
    yield f"{layout.paint(head, color)}: {visible(pattern.text)} in {places}, for example"
    most = most_names(layout)
    for edit in cause.edits[:most]:
        change = edit.change
        where = f"{change.origin.file}:{change.origin.line}"
        yield from change_lines("     ", change, where, layout)


def _difference(item: Difference, layout: Layout) -> Iterator[str]:
    change = item.change
    sign, _ = sign_of(change.how if change else item.how)
    names = objects_text(item.objects, most_names(layout))
    path = f" {change.path}" if change else ""
    head = f"    {sign} {item.kind}{path}"
    if item.pattern:
        head = f"{head}: {item.pattern.text}"
    if item.pattern or (item.repeats_values and not layout.all_names):
        change = None
    yield from change_lines(head, change, names, layout)
    if change:
        yield from line_texts(change, "        ", layout)


def change_lines(
    head: str, change: ShownChange | None, where: str, layout: Layout
) -> Iterator[str]:
    """A change and its place on one line, or on several where that is too long for a terminal."""
    color = _SIGN_COLORS.get(head.lstrip()[:1], "")
    start = 2 if not head.strip() else 0  # without words before them, values need no colon
    values = values_text(change, layout._replace(color=False))[start:] if change else ""
    head, where = _fitting_head(visible(head), layout), visible(where)
    shown = layout.paint(head, color) if color else head
    if not layout.width or len(f"{head}{values}  {where}") <= layout.width:
        values = values_text(change, layout)[start:] if change else ""
        yield f"{shown}{values}{layout.paint(f'  {where}', DIM) if where else ''}"
        return
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    room = layout.width - len(indent)
    if len(f"{head}{values}") <= layout.width or not (change and _is_both(change)):
        yield f"{shown}{values_text(change, layout)[start:] if change else ''}".rstrip()
    elif change:
        yield shown.rstrip()
        yield from _sides(change, indent, layout)
    for line in wrapped(where, room):
        yield f"{indent}{layout.paint(end_of(line, room), DIM)}"


def _fitting_head(head: str, layout: Layout) -> str:
    """The sign of a change and the end of a path that is too long for a terminal."""
    if not layout.width or len(head) <= layout.width:
        return head
    indent = len(head) - len(head.lstrip()) + 2
    return f"{head[:indent]}{end_of(head[indent:], layout.width - indent)}"


def _is_both(change: ShownChange) -> bool:
    has_both = change.has_before and change.has_after and not change.arguments
    return has_both and not change.lines and not change.texts_only


def _sides(change: ShownChange, indent: str, layout: Layout) -> Iterator[str]:
    """Both values below each other, each from where they differ if it is too long."""
    old, new = (visible(json.dumps(v, ensure_ascii=False)) for v in (change.before, change.after))
    room = layout.width - len(indent) - 4
    for sign, one, other, color in (("-", old, new, RED), ("+", new, old, GREEN)):
        yield f"{indent}{layout.paint(f'{sign} {cut_line(one, other, room)}', color)}"


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
    if change.arguments:
        return f": {visible(change.arguments)}{note}"
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
    shown = findings.show(report, layout).rstrip()
    return section(title, ("", shown), layout) if shown else ""


def section(title: str, lines: Iterable[str], layout: Layout) -> str:
    """A title and what stands below it; nothing if that is nothing."""
    text = "".join(f"{line}\n" for line in lines)
    return f"{layout.paint(visible(title), BOLD)}\n{text}" if text else ""


def _capacity(capacity: tuple[Capacity, ...], layout: Layout) -> Iterator[str]:
    shown = capacity if layout.all_names else telling_rows(capacity)
    rest = "" if layout.all_names else calm_text(capacity)
    if shown:
        yield from _capacity_table(shown, layout)
    yield from _prose(rest, 2, layout, DIM)


def _capacity_table(capacity: Sequence[Capacity], layout: Layout) -> Iterator[str]:
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
