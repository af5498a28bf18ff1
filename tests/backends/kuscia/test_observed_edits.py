"""What the real controllers made of edits, and what a comparison says of the same edits.

`tests/observed/kuscia/edits` has a repository before, an edit, and what happened to each party.
"""

import pytest

from renderer import compare
from renderer.values.changes import Effect
from tests.support.kuscia_edits import (
    BY_HAND,
    NAMES,
    comparison_of,
    described,
    repositories_of,
    units_of,
)
from tests.support.rows import each

PINNED = (
    "31-image-tag-with-image-id-sha256",
    "80-strategy-recreate-and-image-id-with-tag",
)
#: What cannot be told apart by looking, and what is no error to say where nothing happened.
SILENT = {"ignored", "recreate"}
HARMLESS = SILENT | {"in-place"}


def is_by_nodes(impact):
    """Of new pods that fail: there was no agent of Kuscia on the nodes, so that was not seen."""
    return impact.effect is Effect.BREAKS and impact.replaces_pods


def impacts_at(comparison, destination):
    """Each impact at the destination that was looked at, with its spec and unit."""
    for item in comparison.objects:
        for _, impact in item.impacts:
            if impact.destination == destination and not is_by_nodes(impact):
                yield (impact.spec.partition("/")[2], impact.unit), impact


def said(impacts):
    """The classes by spec and unit."""
    found = {}
    for unit, impact in impacts:
        found.setdefault(unit, set()).add(str(impact.effect))
    return found


def observed(name):
    """The same as it was observed; of one spec the old name may be gone and a new one made."""
    found = {}
    for unit, item in units_of(name):
        found.setdefault(unit, set()).update(item["classes"])
    for classes in found.values():
        if {"delete", "create"} <= classes:
            classes -= {"delete", "create"}
            classes.add("remade")
    return found


def agrees(seen, told):
    """Whether what was seen of a unit is what is told of it; that no pod restarts may be added."""
    if seen is None:
        return "breaks" in told  # a party that was to come, and for which nothing was made
    if not seen:
        return told <= HARMLESS
    if "remade" in seen:
        return seen == {"remade"} and told == {"recreate"}
    waiting = {"deferred"} if "breaks" in seen else set()
    if seen == {"ignored"} and not told & SILENT:
        return False
    return seen - SILENT <= told and told - waiting - HARMLESS <= seen


@each("name", NAMES)
def test_an_edit_does_what_was_observed(name):
    case = described(name)
    impacts = impacts_at(comparison_of(name), case["destination"])
    seen, told = observed(name), said(impacts)
    pairs = {unit: (seen.get(unit), told.get(unit, set())) for unit in {**seen, **told}}
    assert {unit: pair for unit, pair in pairs.items() if not agrees(*pair)} == {}


def test_every_edit_is_replayed():
    cases = [described(name) for name in NAMES]
    assert len(cases) == 131
    assert sum(len(case["observed"]) for case in cases) == 277
    assert {name for name in NAMES if "by_hand" in described(name)} == {*BY_HAND}


def test_an_edit_that_cannot_be_rendered_is_refused():
    [(name, case)] = [(i, described(i)) for i in NAMES if "not_rendered" in described(i)]
    found = compare(*repositories_of(name)).findings
    assert {item.code for item in found} == {*case["not_rendered"]}, name


@pytest.mark.parametrize("name", PINNED)
def test_what_a_node_does_is_told_beside_what_was_observed(name):
    found = comparison_of(name)
    told = {
        (str(impact.effect), is_by_nodes(impact))
        for item in found.objects
        for _, impact in item.impacts
    }
    assert {("rolling", False), ("breaks", True)} <= told
