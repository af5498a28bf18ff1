"""What the real controllers made of edits, and what a comparison says of the same edits.

`tests/observed/kuscia/edits` has a repository before, an edit, and what happened to each party.
"""

from functools import cache

import pytest
import yaml

from renderer import compare, render
from renderer.backends.kuscia.behaviour import table
from renderer.changes import impact as engine
from renderer.derive.behaviour import ChangeKind
from renderer.text.yaml_reader import read
from renderer.values.changes import Effect
from renderer.values.objects import Output
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.replacements import edited, files_below
from tests.support.rows import each

KINDS = dict(table.KINDS)
EDITS = ROOT / "tests" / "observed" / "kuscia" / "edits"
NAMES = sorted(path.stem for path in EDITS.glob("*.yaml"))
#: Done to the cluster by hand, as it cannot be rendered: what was edited of the rendered tree.
BY_HAND = {
    "52-template-role-so-that-no-party-matches": ("role: r\n", "role: x\n"),
    "54-appimage-deleted-by-hand-while-in-use": None,
}
PINNED = (
    "31-image-tag-with-image-id-sha256",
    "80-strategy-recreate-and-image-id-with-tag",
)
#: What cannot be told apart by looking, and what is no error to say where nothing happened.
SILENT = {"ignored", "recreate"}
HARMLESS = SILENT | {"in-place"}
#: What is not said to be observed although it was, and why.
UNMARKED = {
    "created": "a matter of course",
    "replicas": "a matter of course",
    "affinity-removed": "not seen by itself, but together with another mode",
    "container-removed": "not seen by itself, but of one that was renamed",
    "party-domain": "seen in b01 alone, with a domain of ours",
}
#: Servings that their file calls otherwise, where a recording does not say it.
FILES = {"a22-serving-renamed-and-image-tag-together": {"other": "s"}}


@pytest.fixture(autouse=True)
def _sentences_are_names(monkeypatch):
    """So that the kind of change is known that an impact is of."""
    for module in (table, engine):
        named = {
            name: ChangeKind(kind.effect, name, pods=kind.replaces_pods)
            for name, kind in module.KINDS.items()
        }
        monkeypatch.setattr(module, "KINDS", named)


@cache
def described(name):
    return yaml.load((EDITS / f"{name}.yaml").read_text("utf-8"), yaml.CSafeLoader)


@cache
def base_of(name):
    return files_below(EDITS / "bases" / name)


def by_hand(before, name):
    """What was rendered, with the AppImage edited or deleted by hand."""
    made = render(before).manifests
    [image] = [item for item in made if item.path.endswith("/appimages/plain.yaml")]
    others = tuple(item for item in made if item is not image)
    edit = BY_HAND[name]
    if edit is None:
        return Output(others)
    assert edit[0] in image.text
    text = image.text.replace(*edit)
    tree = read(text.encode(), image.path).document.tree
    touched = image._replace(text=text, tree=tree)
    return Output(tuple(sorted((touched, *others), key=lambda item: item.path)))


def comparison_of(name, case):
    files = edited(base_of(case["base"]), case["before"])
    before, after = project(files), project(edited(files, case["edit"]))
    if name in BY_HAND:
        return compare(before, by_hand(before, name), [case["environment"]])
    return compare(before, after, [case["environment"]])


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


def unmarked(impacts, seen):
    """The kinds of those that came as they are told, but are not said to be observed."""
    names = {
        impact.consequence.split()[0]
        for unit, impact in impacts
        if str(impact.effect) in seen.get(unit, ())
    }
    return {name for name in names if name not in KINDS or not KINDS[name].observed}


def observed(case, specs):
    """The same as it was observed; of one spec the old name may be gone and a new one made."""
    found = {}
    for item in case["observed"]:
        serving = item["serving"]
        unit = (item.get("spec") or specs.get(serving, serving), item["unit"])
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
    impacts = list(impacts_at(comparison_of(name, case), case["destination"]))
    seen, told = observed(case, FILES.get(name, {})), said(impacts)
    pairs = {unit: (seen.get(unit), told.get(unit, set())) for unit in {**seen, **told}}
    assert {unit: pair for unit, pair in pairs.items() if not agrees(*pair)} == {}
    assert unmarked(impacts, seen) <= {*UNMARKED}


def test_every_edit_is_replayed():
    cases = [described(name) for name in NAMES]
    assert len(cases) == 131
    assert sum(len(case["observed"]) for case in cases) == 277
    assert {name for name in NAMES if "by_hand" in described(name)} == {*BY_HAND}


def test_an_edit_that_cannot_be_rendered_is_refused():
    [(name, case)] = [(i, described(i)) for i in NAMES if "not_rendered" in described(i)]
    files = edited(base_of(case["base"]), case["before"])
    found = compare(project(files), project(edited(files, case["edit"]))).findings
    assert {item.code for item in found} == {*case["not_rendered"]}, name


@pytest.mark.parametrize("name", PINNED)
def test_what_a_node_does_is_told_beside_what_was_observed(name):
    found = comparison_of(name, described(name))
    told = {
        (str(impact.effect), is_by_nodes(impact))
        for item in found.objects
        for _, impact in item.impacts
    }
    assert {("rolling", False), ("breaks", True)} <= told
