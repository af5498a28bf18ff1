"""A diff in a line for each edit, the worst first, and a total."""

import json

from renderer.outputs.diff.cause_words import edit_text, places_text, total_text, wrong_text
from renderer.outputs.diff.causes import Cause, joined_causes
from renderer.outputs.diff.report import DiffReport
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import shortened
from renderer.text.wording import visible

_LONGEST_VALUE = 40
_NOTHING = "-"


def show(report: DiffReport, _layout: Layout = PLAIN) -> str:
    """`CLASS UNITS PATH BEFORE → AFTER FILE:LINE (ENVIRONMENTS)`, and how much that is together.

    The class is the worst one, with the units that it hits; the others follow at the end.
    """
    causes = sorted(joined_causes(report), key=lambda cause: (cause.badness, cause.rank))
    rows = [row(cause) for cause in causes]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]}" for row in rows]
    total = [total_text(causes)] if causes else []
    return "".join(f"{line}\n" for line in (*lines, *total))


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
    values = f" {_value(cause, 0)} → {_value(cause, 1)}" if change.path else ""
    names = ", ".join(item.name for item in cause.environments)
    where = f"{places_text(cause) if change.path else ''}{f' ({names})' if names else ''}"
    wrong = f" errors: {wrong_text(cause)}" if cause.is_wrong else ""
    more = "".join(f"; {effect}: {number:,}" for effect, number in others.items())
    return worst, f"{units:,}", visible(f"{edit_text(cause)}{values}{where}{wrong}{more}")


def _value(cause: Cause, side: int) -> str:
    change = cause.edit.change
    value, is_there = [(change.before, change.has_before), (change.after, change.has_after)][side]
    if not is_there:
        return _NOTHING
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(text.replace("\n", " "), _LONGEST_VALUE)
