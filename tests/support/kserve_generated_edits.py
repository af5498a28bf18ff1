"""Edits that were made by a generator: what KServe did, and what `diff` says of the same."""

import json
from functools import cache
from typing import NamedTuple

from renderer import compare
from renderer.values.diagnostics import Severity
from tests.support.kserve_generated import (
    ABSENT,
    RUNTIMES,
    generated,
    manifest_of,
    replayed,
    user_of,
)
from tests.support.replay import TOGETHER, opened

_STOP = "serving.kserve.io/stop"
_COMPONENTS = ("predictor", "transformer")
_ROLLED = {"rolling", "replace", "recreate"}
#: By what became of a template, the effects of which one is foretold.
_FORETOLD = {
    "changed": _ROLLED,
    "added": {"create", "recreate"},
    "removed": {"delete", "recreate"},
}


class Foretold(NamedTuple):
    """What `diff` says of a row: whether a side has errors, and the effects on each component."""

    had_errors: bool
    has_errors: bool
    effects: dict[str, set[str]]

    @property
    def every_effect(self):
        return set().union(*self.effects.values())


def foretold(rows):
    """What `diff` says of each row, by its name."""
    found = {}
    for start in range(0, len(rows), TOGETHER):
        some = rows[start : start + TOGETHER]
        sides = (opened(replayed(row, side) for row in some) for side in ("before", "after"))
        comparison = compare(*sides)
        for number, row in enumerate(some):
            found[row["name"]] = effects_of(comparison, f"row-{number}")
    return found


def effects_of(comparison, environment):
    effects = {}
    for item in comparison.objects:
        if item.change.environment == environment:
            for _, impact in item.impacts:
                effects.setdefault(impact.unit, set()).add(str(impact.effect))
    findings = (comparison.incomparable, comparison.findings)
    return Foretold(*(_has_errors(some, environment) for some in findings), effects)


def _has_errors(findings, environment):
    """Errors of a spec; those of its change are said by its effects."""
    return any(
        environment in item.environments
        and item.severity is Severity.ERROR
        and not item.code.startswith("IMP")
        for item in findings
    )


def disagreement(row, said):
    """How KServe and `diff` differ; nothing if they do not."""
    effects = said.every_effect
    is_failure = said.has_errors or bool(effects & {"refused", "breaks"})
    if not row["accepted"]:
        is_foretold = said.had_errors if is_refused_at_first(row) else is_failure
        return "" if is_foretold else f"refused; foretold: {sorted(effects)}"
    if _fails(row):
        waits = _failed_before(row) and effects == {"deferred"}
        return "" if is_failure or waits else f"KServe fails; foretold: {sorted(effects)}"
    if is_failure:
        return f"a failure is foretold; seen: {row['templates']}"
    wrong = (
        f"{name} {became}; foretold: {sorted(of_unit)}"
        for name, became in row["templates"].items()
        if not _agree(became, of_unit := said.effects.get(name.rpartition("-")[2], set()))
    )
    return ", ".join(wrong)


def _agree(became, effects):
    return not effects & _ROLLED if became == "same" else bool(effects & _FORETOLD[became])


def is_refused_at_first(row):
    """Whether the state before was refused already, so that nothing was edited."""
    return _place(row, row["before"]) in _refused_manifests()


@cache
def _refused_manifests():
    rows = (row for row in generated("cases") if not row["accepted"])
    return {_place(row, row["after"]) for row in rows}


def _place(row, value):
    return row["base"], json.dumps(row["path"]), json.dumps(value, sort_keys=True)


def _fails(row):
    """Whether the controller fails after the edit: it says so, or a component has no workload."""
    if any("InternalError" in text for text in row.get("events", ())):
        return True
    there = [name for name, became in row["templates"].items() if became != "removed"]
    return not _is_stopped(row) and len(there) < len(_components(row))


def _failed_before(row):
    there = [name for name, became in row["templates"].items() if became != "added"]
    return len(there) < len(_components(row))


def _components(row):
    given = manifest_of(row, "after")
    service = user_of(row) if given["kind"] in RUNTIMES else given
    return [name for name in _COMPONENTS if name in service["spec"]]


def _is_stopped(row):
    return row["after"] != ABSENT and _STOP in json.dumps([row["path"], row["after"]])
