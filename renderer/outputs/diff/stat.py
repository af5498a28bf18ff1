"""A diff in a line for each edit, the worst first, and a total."""

from collections.abc import Iterable, Sequence

from renderer.outputs.diff.cause import Cause
from renderer.outputs.diff.cause_words import edit_text, places_text, total_text, wrong_text
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.report import DiffReport, ShownChange
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import shortened, value_text
from renderer.text.wording import visible
from renderer.values.tree import Plain

_LONGEST_VALUE = 40
_NOTHING = "-"


def show(report: DiffReport, _layout: Layout = PLAIN) -> str:
    """`CLASS UNITS PATH BEFORE → AFTER FILE:LINE (ENVIRONMENTS)`, and how much that is together.

    The class is the worst one, with the units that it hits; the others follow at the end.
    """
    causes = sorted(joined_causes(report), key=lambda cause: (cause.badness, cause.rank))
    return stat_table([row(cause) for cause in causes], [total_text(causes)] if causes else [])


def row(cause: Cause) -> tuple[str, str, str]:
    """A line in three parts: the worst class, how many units it hits, and the rest."""
    worst, units = _NOTHING, sum(item.units for item in cause.environments)
    others = {str(effect): number for effect, number in cause.classes.items()}
    if cause.is_wrong:
        worst = "error"
    elif others:
        worst = next(iter(others))
        units = others.pop(worst)
    change = cause.edit.change
    said = cause.pattern.text if cause.pattern else both_values(change)
    values = f" {said}  {places_text(cause)}" if change.path else ""
    names = ", ".join(item.name for item in cause.environments)
    where = f" ({names})" if names else ""
    wrong = f" errors: {wrong_text(cause)}" if cause.is_wrong else ""
    more = "".join(f"; {effect}: {number:,}" for effect, number in others.items())
    return worst, f"{units:,}", visible(f"{edit_text(cause)}{values}{where}{wrong}{more}")


def stat_table(rows: Sequence[tuple[str, str, str]], totals: Iterable[str]) -> str:
    """Rows of a word, a number and the rest, below each other; then lines as they are."""
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]}" for row in rows]
    return "".join(f"{line}\n" for line in (*lines, *totals))


def both_values(change: ShownChange) -> str:
    """`BEFORE → AFTER`, each in few characters; a dash for a side that is not there."""
    if change.arguments:
        return change.arguments
    sides = (change.before, change.has_before), (change.after, change.has_after)
    return " → ".join(_value(value) if is_there else _NOTHING for value, is_there in sides)


def _value(value: Plain) -> str:
    return shortened(value_text(value).replace("\n", " "), _LONGEST_VALUE)
