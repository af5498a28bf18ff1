"""A diff as a comment on a pull request: the summary first, the details folded, within a limit."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from renderer.outputs.diff.cause import Cause, Consequence, Difference
from renderer.outputs.diff.cause_words import (
    amount,
    edit_text,
    objects_text,
    places_text,
    reached_text,
    total_text,
    units_text,
    wrong_text,
)
from renderer.outputs.diff.causes import joined_causes, same_consequences
from renderer.outputs.diff.markdown_elements import (
    Section,
    cell,
    code,
    fence,
    fit,
    prose,
    sentence,
)
from renderer.outputs.diff.report import DiffReport, ShownChange, cut_line
from renderer.outputs.diff.summary import (
    DOUBTFUL,
    FAILING,
    amount_texts,
    calm_text,
    telling_rows,
)
from renderer.outputs.findings.causes import Cause as FindingCause
from renderer.outputs.findings.causes import group_by_cause
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import shortened, value_text
from renderer.text.wording import counted, listed, visible
from renderer.values.changes import Capacity
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.tree import Plain

#: By which a pipeline finds the comment that it made before.
MARKER = "<!-- servingctl diff -->"
_LONGEST_NAME = 40
_LONGEST_PATH = 120
_LONGEST_VALUE = 300
_MOST = 10
_EXAMPLES = 2
_NO_LIMIT = 2**62
#: The unit that a finding about an impact begins with: `KIND/STEM (UNIT): `.
_UNIT = re.compile(r"^[^\s/]+/[^\s/]+ \([^()]+\): ")
_MARKS = {Severity.ERROR: "🛑", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}


def show(report: DiffReport, layout: Layout = PLAIN) -> str:
    """The whole diff, or what fits of it into `max_bytes`; what matters most stands first."""
    room = layout.max_bytes or _NO_LIMIT
    causes = joined_causes(report)
    headline = _headline(report, causes)
    errors = tuple(item for item in report.findings if item.severity is Severity.ERROR)
    others = tuple(item for item in report.findings if item.severity is not Severity.ERROR)
    sections = (
        _summary(causes),
        _findings("Errors", errors, report),
        _findings("What to look at", others, report),
        _findings("Not comparable: errors of the old state", report.incomparable, report),
        _details(causes),
        _capacity(report.capacity),
    )
    return headline + fit(sections, room - len(headline.encode()))


def _headline(report: DiffReport, causes: list[Cause]) -> str:
    sides = (shortened(visible(name), _LONGEST_NAME) for name in (report.before, report.after))
    errors = sum(i.stands_for for i in report.findings if i.severity is Severity.ERROR)
    return (
        f"{MARKER}\n### Serving changes\n\n{' → '.join(map(code, sides))}: "
        f"{prose(total_text(causes) if causes or not errors else counted(errors, 'error'))}.\n\n"
    )


def _summary(causes: list[Cause]) -> Section:
    opening = "| | Edit | Environments | What happens |\n| --- | --- | --- | --- |\n"
    rows = [_summary_row(item) for item in causes]
    return Section(opening, rows, "\n", lambda out: f"{_left(out, 'edit')} of the summary.\n\n")


def _summary_row(cause: Cause) -> str:
    happens = [f"**{effect}** {amount(n, 'unit')}" for effect, n in cause.classes.items()]
    wrong = [f"**error** {wrong_text(cause)}"] if cause.is_wrong else []
    said = "; ".join((*wrong, *happens))
    places = "; ".join(
        f"{cell(e.name)}{' (production)' if e.is_production else ''} {amount(len(e.specs), 'spec')}"
        for e in cause.environments
    )
    nothing = "nothing that runs is reached"
    return f"| {_mark(cause)} | {_edit_cell(cause)} | {places} | {said or nothing} |\n"


def _mark(cause: Cause) -> str:
    """How alarming it is; all is well only where nothing is left to do or to look at."""
    effects = cause.classes.keys()
    if cause.is_wrong or effects & FAILING:
        return "🛑"
    if effects & DOUBTFUL:
        return "⚠️"
    return "ℹ️" if any(item.advice for item in cause.consequences) else "✅"


def _edit_cell(cause: Cause) -> str:
    said = _edit_said(cause)
    return f"{said}<br>{cell(places_text(cause))}" if cause.edit.change.path else said


def _edit_said(cause: Cause) -> str:
    """What was edited, and both values if they are short."""
    change = cause.edit.change
    what = cell(shortened(edit_text(cause), _LONGEST_PATH))
    if not change.path:
        return what
    if cause.pattern:
        return f"{what} {prose(cause.pattern.text)}"
    if change.arguments:
        return f"{what} {cell(shortened(change.arguments, _LONGEST_PATH))}"
    values = [cell(text) for text in _short_values(change)]
    word = "" if str(change.how) == "changed" else f" {change.how}"
    return f"{what}{word} {' → '.join(values)}".rstrip()


def _short_values(change: ShownChange) -> Iterator[str]:
    """The values that there are, long ones from a little before the place where they differ."""
    if change.lines:
        return
    old, new = value_text(change.before), value_text(change.after)
    if change.has_before:
        yield cut_line(old, new if change.has_after else "", _LONGEST_NAME)
    if change.has_after:
        yield cut_line(new, old if change.has_before else "", _LONGEST_NAME)


def _left(out: int, word: str) -> str:
    return f"_{counted(out, word)} left out_"


def _findings(title: str, findings: tuple[Diagnostic, ...], report: DiffReport) -> Section:
    opening = f"**{title}**\n\n"
    pieces = [_finding(some, report.specs) for some in _said_alike(group_by_cause(findings))]
    return Section(opening, pieces, "\n", lambda out: f"{_left(out, 'finding')}.\n\n")


def _said_alike(causes: Iterable[FindingCause]) -> list[list[FindingCause]]:
    """Causes of which the same is said, but for the unit that each is about."""
    found: dict[object, list[FindingCause]] = {}
    for number, cause in enumerate(causes):
        item = cause.first
        said = _UNIT.sub("", item.message)
        same = (item.code, item.severity, said, item.fix) if said != item.message else number
        found.setdefault(same, []).append(cause)
    return list(found.values())


def _finding(causes: Sequence[FindingCause], specs: Mapping[str, str]) -> str:
    """A finding, at one place or for several units at a few of theirs."""
    item, count = causes[0].first, len(causes)
    shown = [cause.first for cause in causes[:_MOST]]
    places = ", ".join(code(f"{one.file}:{one.line}:{one.column}") for one in shown)
    message = item.message
    if count > 1:
        units = [one.message.partition(": ")[0] for one in shown]
        names = (
            listed(units)
            if count == len(units)
            else f"{', '.join(units)} and {count - _MOST:,} more"
        )
        message = f"{names}: {_UNIT.sub('', item.message)}"
    fix = f" _{sentence(item.fix)}_" if item.fix else ""
    notes = [*_notes(causes, "Also", FindingCause.others_text, specs)]
    notes += _notes(causes, "Of", FindingCause.specs_text, specs)
    return (
        f"- {_MARKS[item.severity]} {sentence(message)} [{item.code}] {places}{fix}"
        f"{''.join(notes)}\n"
    )


def _notes(
    causes: Sequence[FindingCause],
    name: str,
    text_of: Callable[[FindingCause, Mapping[str, str]], str],
    specs: Mapping[str, str],
) -> Iterator[str]:
    texts = dict.fromkeys(text_of(cause, specs) for cause in causes)
    yield from (f" {name}: {prose(text)}." for text in texts if text)


def _details(causes: list[Cause]) -> Section:
    pieces = [_cause(some) for some in same_consequences(causes)]
    return Section("", pieces, "", lambda out: f"{_left(out, 'detail')}.\n\n")


def _cause(causes: list[Cause]) -> Section:
    title = f"{'<br>'.join(map(_edit_title, causes))}: {prose(reached_text(causes[0]))}"
    pieces = [line for cause in causes for line in _edit_lines(cause)]
    pieces += map(_consequence, causes[0].consequences)
    found = (item for cause in causes for item in cause.differences)
    pieces += (_difference(item) for item in found if not item.repeats_edit)
    opening = f"<details><summary>{title}</summary>\n\n"
    return Section(opening, pieces, "\n</details>\n\n", lambda out: f"{_left(out, 'line')}.\n\n")


def _edit_title(cause: Cause) -> str:
    place = f" {cell(places_text(cause))}" if cause.edit.change.lines else ""
    return f"{_edit_said(cause)}{place}"


def _edit_lines(cause: Cause) -> Iterator[str]:
    """The edit itself, if it does not fit into the summary; some of several in full."""
    for edit in cause.edits[:_EXAMPLES] if cause.pattern else ():
        where = f"{edit.change.origin.file}:{edit.change.origin.line}"
        yield f"- {values_text(edit.change)} {code(where)}\n"
    if cause.pattern is None and cause.edit.change.lines:
        yield f"{fence(cause.edit.change.lines, 'diff')}\n\n"


def _consequence(item: Consequence) -> str:
    names = prose(units_text(item.units, _MOST))
    if item.reported:  # which stands above, as a finding
        return f"- **{item.effect}** {names}: {item.reported.code}\n"
    advice = f" _{sentence(item.advice)}_" if item.advice else ""
    return f"- **{item.effect}** {names}: {sentence(item.consequence)}{advice}\n"


def _difference(item: Difference) -> str:
    """A change, and the objects that have it."""
    names = prose(objects_text(item.objects, _MOST))
    if item.change is None:
        return f"- {item.how}: {code(item.kind)} {names}\n"
    if item.pattern or item.repeats_values:
        values = f" {prose(item.pattern.text)}" if item.pattern else ""
        return f"- {code(item.kind)} {code(item.change.path)}{values}: {names}\n"
    block = fence(item.change.lines, "diff").replace("\n", "\n  ") if item.change.lines else ""
    said = f"- {code(item.kind)} {code(item.change.path)} {values_text(item.change)}: {names}\n"
    return f"{said}\n  {block}\n\n" if block else said


def values_text(change: ShownChange) -> str:
    note = " (a secret differs)" if change.hidden else ""
    if change.texts_only:
        return f"has the same data in another form{note}"
    if change.lines:
        return f"{change.how}{note}"
    if change.arguments:
        return f"{code(change.arguments)}{note}"
    if not change.has_before:
        return f"{change.how}: {_value(change.after)}{note}"
    if not change.has_after:
        return f"{change.how}: {_value(change.before)}{note}"
    verb = "" if str(change.how) == "changed" else f"{change.how}: "
    return f"{verb}{_value(change.before)} → {_value(change.after)}{note}"


def _value(value: Plain) -> str:
    return code(shortened(value_text(value), _LONGEST_VALUE) or '""')


def _capacity(capacity: tuple[Capacity, ...]) -> Section:
    head = "| Environment | Destination | Unit | Resource | Before | After | Change | Peak |"
    opening = f"<details><summary>Capacity</summary>\n\n{head}\n{'| --- ' * 8}|\n"
    pieces = [_amounts(item) for item in telling_rows(capacity)]
    rest = calm_text(capacity)
    if rest and not pieces:
        return Section("", [f"{rest}\n"], "", lambda _: "")
    closing = f"\n{rest}\n" if rest else ""
    return Section(
        opening,
        pieces,
        f"{closing}\n</details>\n",
        lambda out: f"{_left(out, 'row')} of capacity.\n",
    )


def _amounts(item: Capacity) -> str:
    names = (item.environment, item.destination, item.unit, item.resource)
    return f"| {' | '.join((*map(cell, names), *amount_texts(item)))} |\n"
