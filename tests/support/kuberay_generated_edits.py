"""Edits that were made by a generator: what KubeRay did, and what `diff` says of the same."""

import json
from functools import cache

from conformance.operators.versions import expected_rows
from tests.support.foretold import foretold_rows
from tests.support.kuberay_generated import (
    ABSENT,
    HEAD,
    PLACE,
    is_left_alone,
    replayed,
    was_refused,
)

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


def foretold(rows):
    """What `diff` says of each row, by its name."""
    return foretold_rows(rows, replayed, _OTHERS)


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
    version = row.get("version", "")
    later = _refused_manifests(version, "operator", "API server, later")
    is_impossible = _field(row) in _impossible_fields(version)
    return _place(row, row[side]) in later or (is_given and is_impossible)


def _is_stored(row, side):
    return _place(row, row[side]) not in _refused_manifests(row.get("version", ""), "API server")


@cache
def _refused_manifests(version, *judges):
    rows = [
        row for row in expected_rows(PLACE, "cases", version) if "path" in row and was_refused(row)
    ]
    return {_place(row, row["after"]) for row in rows if row.get("by", "operator") in judges}


@cache
def _impossible_fields(version):
    """Fields of which every value was refused, as something beside them is missing."""
    known = {}
    for row in expected_rows(PLACE, "cases", version):
        known.setdefault(_field(row), set()).add(was_refused(row))
    return {field for field, verdicts in known.items() if verdicts == {True}}


def _field(row):
    return row["name"].partition(": ")[0]


def _place(row, value):
    return row["base"], json.dumps(row["path"]), json.dumps(value, sort_keys=True)
