"""Edits that were made by a generator: what KubeRay did, and what `diff` says of the same."""

import json
from functools import cache
from typing import NamedTuple

from renderer import compare
from renderer.values.diagnostics import Severity
from tests.support.kuberay_generated import (
    ABSENT,
    HEAD,
    generated,
    is_left_alone,
    replayed,
    was_refused,
)
from tests.support.replay import TOGETHER, opened

#: By what became of a unit, the effects of which one is foretold.
_FORETOLD = {
    "new-cluster": {"replace", "runs"},
    "recreated": {"recreate"},
    "stopped": {"delete", "recreate"},
    "started": {"create", "recreate", "runs"},
    "more": {"create", "in-place", "orphans"},
    "fewer": {"delete", "in-place"},
}
#: What replaces, makes or ends pods; of pods that stay as they were nothing of it is foretold.
_DECISIVE = {"replace", "recreate", "create", "delete", "runs", "rolling"}
#: Bases whose Ray cluster is made by KubeRay, and not replaced before it was ready once.
_CLUSTERED = ("job", "service", "autoscaled-service")
#: What a change does is said by its effects; rules about repositories say nothing of KubeRay.
_OTHERS = ("IMP", "SEC", "POL")
_WHOLE = ("new-cluster", "recreated", "stopped", "started")


class Foretold(NamedTuple):
    """What `diff` says of a row: whether a side has errors, and the effects on each unit."""

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
            found[row["name"]] = _foretold(comparison, f"row-{number}")
    return found


def _foretold(comparison, environment):
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
        and not item.code.startswith(_OTHERS)
        for item in findings
    )


def disagreement(row, said):
    """How KubeRay and `diff` differ; nothing if they do not."""
    effects = said.every_effect
    is_failure = said.has_errors or bool(effects & {"refused", "breaks"})
    is_mended = said.had_errors and was_side_refused(row, "before")
    if not row["accepted"] and is_mended and effects == {"create"} and row["base"] in _CLUSTERED:
        return ""  # what is there stays as it is, and the sentence says what to delete
    if row["outcome"] == "refused":
        is_foretold = is_failure if _is_stored(row, "before") else said.had_errors
        return "" if is_foretold else f"refused; foretold: {sorted(effects)}"
    if row["outcome"] == "invalid":
        return "" if is_failure else f"KubeRay fails; foretold: {sorted(effects)}"
    if is_failure:
        return (
            ""
            if was_side_refused(row, "after")
            else f"a failure is foretold; seen: {row['outcome']}"
        )
    if is_left_alone(row) and not row.get("pods"):
        return ""
    wrong = (
        f"{unit} {became}; foretold: {sorted(said.effects.get(unit, ()))}"
        for unit, became in seen(row).items()
        if not _agrees(said.effects.get(unit, set()), became, is_mended=is_mended)
    )
    return ", ".join(wrong)


def seen(row):
    """What became of each unit, by the pods that stayed, went and came."""
    pods = {}
    for name, counts in row.get("pods", {}).items():
        group = name.partition("/")[2]
        pods.setdefault("head" if group == HEAD else group, []).append(counts)
    return {unit: _became(counts, row["outcome"]) for unit, counts in pods.items()}


def _became(clusters, outcome):
    if outcome in _WHOLE:
        return outcome
    counts = {key: sum(one.get(key, 0) for one in clusters) for key in ("gone", "new")}
    return "more" if counts["new"] else "fewer" if counts["gone"] else "same"


def _agrees(effects, became, *, is_mended):
    if is_mended:
        return effects == {"create"} and became in ("same", "more", "started", "new-cluster")
    return not effects & _DECISIVE if became == "same" else bool(effects & _FORETOLD[became])


def was_side_refused(row, side):
    """Whether a side was refused as a manifest: pods that are made later will not be there."""
    is_given = row[side] != ABSENT
    later = _refused_manifests("operator", "API server, later")
    return _place(row, row[side]) in later or (is_given and _field(row) in _impossible_fields())


def _is_stored(row, side):
    return _place(row, row[side]) not in _refused_manifests("API server")


@cache
def _refused_manifests(*judges):
    rows = [row for row in generated("cases") if "path" in row and was_refused(row)]
    return {_place(row, row["after"]) for row in rows if row.get("by", "operator") in judges}


@cache
def _impossible_fields():
    """Fields of which every value was refused, as something beside them is missing."""
    known = {}
    for row in generated("cases"):
        known.setdefault(_field(row), set()).add(was_refused(row))
    return {field for field, verdicts in known.items() if verdicts == {True}}


def _field(row):
    return row["name"].partition(": ")[0]


def _place(row, value):
    return row["base"], json.dumps(row["path"]), json.dumps(value, sort_keys=True)
