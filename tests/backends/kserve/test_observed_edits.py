"""What the real controller made of edits, and what a comparison says of the same edits."""

import json

from tests.support.kserve_states import (
    compared,
    derived_units,
    environment,
    impacts,
    manifest,
    state,
)
from tests.support.places import ROOT
from tests.support.rows import each

EDITS = sorted((ROOT / "tests" / "observed" / "kserve" / "edits").glob("*.json"))
ROWS = [row for path in EDITS for row in json.loads(path.read_text("utf-8"))]
ROLLED = {"rolling", "replace", "recreate"}
#: By what became of a template, the effects of which one is foretold.
FORETOLD = {
    "changed": ROLLED,
    "added": {"create", "recreate"},
    "removed": {"delete", "recreate", "in-place"},
}


def sides_of(row):
    """Both states of a row, its service first."""
    env = environment(default_mode=row.get("default_mode", "Knative"))
    known, sides = {}, []
    for when in ("before", "after"):
        known |= {item["metadata"]["name"]: item for item in row.get(f"others_{when}", ())}
        objects = [manifest(row[when]), *map(manifest, known.values())]
        sides.append((objects, state(*objects, env=env)))
    return sides


def found_in(row):
    """All impacts of a row's changes, and the names of the workloads on both sides by unit."""
    (old, before), (new, after) = sides_of(row)
    first, last = ({item.path: item for item in side} for side in (old, new))
    found = []
    for path in {**first, **last}:
        change = compared(first.get(path), last.get(path))
        if change.changes or not (change.before and change.after):
            found += impacts(change, before, after)
    names = {}
    for item, side in ((old[0], before), (new[0], after)):
        units = derived_units(item, side).values()
        names |= {unit.objects[0].name: unit.unit for unit in units if unit.objects}
    return [impact for _, impact in found], names


@each("row", ROWS, name=lambda row: row["name"])
def test_what_was_seen_is_foretold(row):
    found, names = found_in(row)
    assert {item.effect == "refused" for item in found} <= {not row["accepted"]}
    for name, became in row.get("templates", {}).items():
        unit = names[name.partition("/")[2]]
        effects = {str(item.effect) for item in found if item.unit == unit}
        if became == "same":
            assert not effects & ROLLED or "recreate" in effects, name
        else:
            assert effects & FORETOLD[became], name


def test_there_are_enough():
    assert len(ROWS) > 100
