"""What the real operator made of edits, and what a comparison says of the same edits."""

import json

from tests.support.kuberay_states import compared, environment, impacts, manifest, state
from tests.support.places import ROOT
from tests.support.rows import each

EDITS = sorted((ROOT / "tests" / "observed" / "kuberay" / "edits").glob("*.json"))
ROWS = {row["name"]: row for path in EDITS for row in json.loads(path.read_text("utf-8"))}
HEAD = "headgroup"
#: By what became of a unit, the effects of which one is foretold; nothing else replaces pods.
FORETOLD = {
    "new-cluster": {"replace", "runs"},
    "recreated": {"recreate"},
    "stopped": {"delete"},
    "started": {"create"},
    "more": {"create", "in-place", "orphans"},
    "fewer": {"delete", "in-place"},
    "same": {"in-place", "ignored", "deferred", "orphans"},
}
#: What is not foretold, and why.
EXCEPTIONS = {
    "edit-cluster-recreate-after-image": "an earlier edit was ignored, which Git's last two states "
    "do not show; the sentence says so",
    "edit-service-strategy-none-taken-back": "an earlier edit was ignored, which Git's last two "
    "states do not show; the sentence says so",
    "edit-cluster-invalid-to-valid": "what was there before is refused by our rules",
    "edit-service-invalid-to-valid": "what was there before is refused by our rules",
    "edit-scaled-by-hand": "what somebody changed in the cluster is not in Git",
    "edit-service-after-timeout": "that a service gave up is in its status, not in Git",
    "succeeding-edit-shutdown": "that a job is over is in its status, not in Git; the sentence "
    "says so",
    "succeeding-edit-suspend": "that a job is over is in its status, not in Git; the sentence "
    "says so",
}


def told(row):
    """The impacts of a row by unit."""
    gates = {"RayServiceIncrementalUpgrade": row["after"]["metadata"].get("namespace") == "gated"}
    env = environment(version="1.6.1", feature_gates=gates)
    first, last = (manifest(row[when]) for when in ("before", "after"))
    change = compared(first, last)
    found = {}
    for _, impact in impacts(change, state(first, env=env), state(last, env=env)):
        found.setdefault(impact.unit, set()).add(str(impact.effect))
    return change, found


def seen(row):
    """What became of each unit, by the pods that stayed, went and came."""
    pods = {}
    for name, counts in row["pods"].items():
        cluster, _, group = name.partition("/")
        pods.setdefault("head" if group == HEAD else group, {})[cluster] = counts
    return {unit: _became(counts, row["outcome"]) for unit, counts in pods.items()}


def _became(clusters, outcome):
    if outcome in ("new-cluster", "recreated", "stopped", "started"):
        return outcome
    counts = {key: sum(one.get(key, 0) for one in clusters.values()) for key in ("gone", "new")}
    return "more" if counts["new"] else "fewer" if counts["gone"] else "same"


def agrees(effects, became):
    if became == "same":
        return effects <= FORETOLD[became]
    return bool(effects & FORETOLD[became])


def is_foretold(row):
    """What an edit does is asked of what our rules let pass alone."""
    return row["accepted"] or row.get("by") == "API server, later"


@each("name", [name for name, row in ROWS.items() if is_foretold(row)])
def test_what_was_seen_is_foretold(name):
    row = ROWS[name]
    change, found = told(row)
    units = seen(row)
    wrong = {
        unit: (became, found.get(unit))
        for unit, became in units.items()
        if not agrees(found.get(unit, set()), became)
    }
    if not row["accepted"]:
        assert {"breaks"} == set().union(*found.values())
    elif not change.changes:
        assert (set(units.values()) <= {"same"}) is (name not in EXCEPTIONS)
    else:
        assert bool(wrong) is (name in EXCEPTIONS), (wrong, found)


REFUSED = [
    name for name, row in ROWS.items() if row["outcome"] == "refused" and "managed-by" in name
]


@each("name", REFUSED)
def test_what_was_refused_is_foretold(name):
    _, found = told(ROWS[name])
    assert set().union(*found.values()) == {"refused"}


def test_there_are_enough():
    assert len(ROWS) > 150
