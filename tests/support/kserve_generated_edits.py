"""Edits that were made by a generator: what KServe did, and what `diff` says of the same."""

import json
from functools import cache

from conformance.operators.versions import expected_rows
from tests.support.foretold import foretold_rows
from tests.support.kserve_generated import (
    ABSENT,
    PLACE,
    RUNTIMES,
    manifest_of,
    replayed,
    user_of,
)

_STOP = "serving.kserve.io/stop"
_COMPONENTS = ("predictor", "transformer")
_ROLLED = {"rolling", "replace", "recreate"}
#: By what became of a template, the effects of which one is foretold.
_FORETOLD = {
    "changed": _ROLLED,
    "added": {"create", "recreate"},
    "removed": {"delete", "recreate"},
}


def foretold(rows):
    """What `diff` says of each row, by its name."""
    return foretold_rows(rows, replayed)


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
    return _place(row, row["before"]) in _refused_manifests(row.get("version", ""))


@cache
def _refused_manifests(version):
    rows = (row for row in expected_rows(PLACE, "cases", version) if not row["accepted"])
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
