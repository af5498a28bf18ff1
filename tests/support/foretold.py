"""What `diff` says of rows that a generator made, each an edit of one spec."""

from typing import NamedTuple

from renderer import compare
from renderer.values.diagnostics import Severity
from tests.support.replay import TOGETHER, opened

#: Findings about a change, which its effects say.
_OF_CHANGES = ("IMP",)


class Foretold(NamedTuple):
    """Of a row: whether a side has errors, and the effects on each unit."""

    had_errors: bool
    has_errors: bool
    effects: dict[str, set[str]]

    @property
    def every_effect(self):
        return set().union(*self.effects.values())


def foretold_rows(rows, replayed, others=_OF_CHANGES):
    """What is said of each row, by its name; `replayed` gives the environment of a side of it.

    Errors of `others` are no word on a state: those of a change are said by its effects.
    """
    found = {}
    for start in range(0, len(rows), TOGETHER):
        some = rows[start : start + TOGETHER]
        sides = (opened(replayed(row, side) for row in some) for side in ("before", "after"))
        comparison = compare(*sides)
        for number, row in enumerate(some):
            found[row["name"]] = foretold_effects(comparison, f"row-{number}", others)
    return found


def foretold_effects(comparison, environment, others=_OF_CHANGES):
    effects = {}
    for item in comparison.objects:
        if item.change.environment == environment:
            for _, impact in item.impacts:
                effects.setdefault(impact.unit, set()).add(str(impact.effect))
    findings = (comparison.incomparable, comparison.findings)
    return Foretold(*(_has_errors(some, environment, others) for some in findings), effects)


def _has_errors(findings, environment, others):
    return any(
        environment in item.environments
        and item.severity is Severity.ERROR
        and not item.code.startswith(others)
        for item in findings
    )
