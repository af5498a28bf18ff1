"""What an edit does by two derivations: each edit its own part, and nothing is made up."""

import pytest

from renderer.backends import kinds
from renderer.backends.base import KindFunctions, no_pods, no_rules
from renderer.changes import affected_specs, derivations, impact
from renderer.changes.trees import differences, revert_change
from renderer.compose.shapes import Shape
from renderer.derive.behaviour import Behaviour, ChangeKind, Row
from renderer.derive.located import located, made
from renderer.values.changes import Effect, ObjectChange, State
from renderer.values.derivations import Derivation, DerivedUnit, Pods, Problem
from renderer.values.diagnostics import Origin
from renderer.values.kinds import Kind
from renderer.values.model import Spec
from renderer.values.objects import Manifest
from renderer.values.tree import uniform_tree

HERE = Origin("spec.yaml")
KIND = Kind("InferenceService", "")  # any that is registered
STOPPED_FIRST = Pods(1, 1, 1, uniform_tree({}, HERE), stop_first=True)
SCALES = {
    "never": ChangeKind(Effect.IN_PLACE, "It scales."),
    "at-the-end": ChangeKind(Effect.IN_PLACE, "It scales.", shown_by=("seen",)),
    "inside": ChangeKind(Effect.IN_PLACE, "It scales{observed} in place.", shown_by=("seen",)),
}
LISTS = {"properties": {"spec": {"properties": {"items": {"x-list-key": ["name"]}}}}}


def derive(applied, former):
    spec = located(applied.tree.get("spec"))
    gap = "nobody looked" if spec.get("odd") else ""
    units = (DerivedUnit("east", "main"),)
    if spec.get("size") == "huge":
        return Derivation(units, (Problem("it is too large", ("spec", "size")),))
    if spec.get("size") == "odd":
        return Derivation(units, (Problem("it is odd"),))
    deployment = {
        "kind": "Deployment",
        "metadata": {"name": "a"},
        "spec": {
            "replicas": spec.get("replicas", 1),
            "template": {"tag": spec.get("a") or spec.get("b"), "port": spec.get("port")},
        },
    }
    port = {"spec": {"ports": [{"targetPort": spec["port"]}]}} if "port" in spec else {}
    service = {"kind": "Service", "metadata": {"name": "a"}, **port}
    objects = (*spec.get("first", [deployment]), *([service] if port else []), *companions(spec))
    pods = (
        (Pods(1, 1, 1, uniform_tree({}, HERE), stop_first=True),)
        if "Recreate" in str(objects)
        else ()
    )
    unit = DerivedUnit("east", "main", pods, tuple(made(item, "it") for item in objects))
    return Derivation((unit,), gap=gap)


def companions(spec):
    """A ConfigMap for each entry of `config`."""
    for name, value in (spec.get("config") or {}).items():
        yield {"kind": "ConfigMap", "metadata": {"name": name}, "data": {"x": value}}


@pytest.fixture
def impacts(monkeypatch):
    """The impacts of an edit with their causes, for a platform that makes a Deployment."""

    def of(before, after, rows=(), changes=()):
        known = {name: ChangeKind(effect, f"{name}.") for name, effect in changes}
        known = {**known, **SCALES}
        functions = KindFunctions(
            no_rules, None, None, no_pods, derive=derive, behaviour=lambda: Behaviour(known, rows)
        )
        for module in (affected_specs, derivations, kinds):
            monkeypatch.setattr(module, "functions_of", lambda _: functions)
        monkeypatch.setattr(impact, "is_observed", lambda kind, *_: "seen" in kind.outcomes)
        sides = [manifest({"metadata": {"name": "x"}, "spec": spec}) for spec in (before, after)]
        found = tuple(differences(sides[0].tree, sides[1].tree))
        states = [State({}, (side,)) for side in sides]
        change = ObjectChange("prod", "east", *sides, found)
        return list(impact.impacts(change, *states))

    return of


@pytest.fixture
def effects(impacts):
    """The effects of an edit by its path."""

    def of(*given):
        found = impacts(*given)
        return [(cause.path[-1] if cause else None, str(item.effect)) for cause, item in found]

    return of


def manifest(data):
    node = uniform_tree(data, HERE)
    spec = Spec(KIND, "x", "prod", ("spec.yaml",), node)
    return Manifest("prod/east/x/x.yaml", "prod", "east", spec, "", node, str(data), "x")


def test_each_edit_has_its_own_effect(effects):
    assert effects({"replicas": 1, "a": "1"}, {"replicas": 2, "a": "2"}) == [
        ("a", "rolling"),
        ("replicas", "in-place"),
    ]


def test_two_edits_of_which_each_is_enough(effects):
    """`a` hides `b`, so taking back `a` alone brings the same pod by `b`."""
    found = effects({"c": 1}, {"a": "2", "b": "2", "c": 1})
    assert found == [("a", "rolling"), ("b", "rolling")]


def test_an_edit_beside_one_that_makes_the_difference(effects):
    found = effects({"a": "1", "note": 1}, {"a": "2", "note": 2})
    assert found == [("a", "rolling"), ("note", "in-place")]


def test_edits_that_undo_each_other(effects):
    assert effects({"a": "1"}, {"b": "1"}) == [("a", "in-place"), ("b", "in-place")]


@pytest.mark.parametrize(("notes", "effect"), [(7, "in-place"), (8, "rolling")])
def test_of_very_many_edits_each_may_make_the_difference(effects, notes, effect):
    """To derive the object once more for each of them would take too long."""
    sides = ({"a": value, **{f"n{i}": value for i in range(notes)}} for value in ("1", "2"))
    assert effects(*sides) == [("a", "rolling"), *((f"n{i}", effect) for i in range(notes))]


def test_an_edit_without_a_difference_is_said_to_be_one(effects):
    assert effects({"note": 1}, {"note": 2}) == [("note", "in-place")]


def test_what_is_not_known_is_never_nothing(effects):
    assert effects({"odd": 1}, {"odd": 2}) == [("odd", "unknown")]


@pytest.mark.parametrize(("size", "place"), [("huge", "size"), ("odd", None)])
def test_a_problem_stands_at_its_cause(effects, size, place):
    """If its place is not known, at the object as a whole."""
    found = effects({"size": "small", "note": 1}, {"size": size, "note": 2})
    assert [where for where, effect in found if effect == "breaks"] == [place]


def test_a_problem_of_before_is_not_one_of_the_edit(effects):
    found = effects({"size": "huge", "note": 1}, {"size": "huge", "note": 2})
    assert found == [("note", "in-place")]


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("never", "It scales."),
        ("at-the-end", "It scales (observed)."),
        ("inside", "It scales (observed) in place."),
    ],
)
def test_only_what_was_observed_is_said_to_be(impacts, kind, sentence):
    rows = (Row(kind, at=("spec", "replicas")),)
    [(_, item)] = impacts({"replicas": 1}, {"replicas": 2}, rows)
    assert item.consequence == sentence


@pytest.mark.parametrize(
    ("before", "after", "sentences"),
    [
        ({}, {"x": "1"}, ["makes the ConfigMap `x`."]),
        ({"x": "1"}, {}, ["deletes the ConfigMap `x`."]),
        ({"x": "1"}, {"x": "2"}, ["the ConfigMap `x` changes in place; no pod is replaced."]),
        ({"x": "1"}, {"y": "1"}, ["deletes the ConfigMap `x`.", "makes the ConfigMap `y`."]),
    ],
    ids=["made", "deleted", "changed", "exchanged"],
)
def test_an_object_beside_the_workload(impacts, before, after, sentences):
    sides = ({"config": {"kept": "1", **config}} for config in (before, after))
    found = [(str(item.effect), item.consequence) for _, item in impacts(*sides)]
    assert [effect for effect, _ in found] == ["in-place"] * len(sentences)
    for (_, said), sentence in zip(found, sentences, strict=True):
        assert said.endswith(sentence)


def workload(kind, place, value, name="w"):
    """An object of a kind, of `Kind.group/version` if it has a group, with one value."""
    kind, _, version = kind.partition(".")
    data = {"kind": kind, "metadata": {"name": name}, "spec": {"kept": 1}}
    node = data
    for key in place[:-1]:
        node = node.setdefault(key, {})
    node[place[-1]] = value
    return {"apiVersion": version, **data} if version else data


KNATIVE, TEMPLATE = "Service.serving.knative.dev/v1", ("spec", "template", "tag")
WORKLOADS = ("Deployment", "StatefulSet", "LeaderWorkerSet", KNATIVE, "Job", "Pod")


@pytest.mark.parametrize(
    ("kind", "place", "effect", "words"),
    [
        (
            "Deployment",
            ("spec", "selector", "a"),
            Effect.BREAKS,
            "The selector of the Deployment `w` cannot be",
        ),
        ("Job", TEMPLATE, Effect.BREAKS, "the template of a Job cannot: "),
        ("Deployment", TEMPLATE, Effect.ROLLING, "they are replaced one by one"),
        ("StatefulSet", TEMPLATE, Effect.ROLLING, "they are replaced one by one"),
        ("DaemonSet", TEMPLATE, Effect.ROLLING, "they are replaced one by one"),
        (KNATIVE, TEMPLATE, Effect.REPLACE, "Knative starts a new revision beside the old one"),
        (
            "LeaderWorkerSet",
            ("spec", "leaderWorkerTemplate", "a"),
            Effect.ROLLING,
            "are replaced group by group",
        ),
        (
            "Deployment",
            ("spec", "replicas"),
            Effect.IN_PLACE,
            "and no pod is replaced: `w` now has",
        ),
        (
            "StatefulSet",
            ("spec", "replicas"),
            Effect.IN_PLACE,
            "and no pod is replaced: `w` now has",
        ),
        ("HorizontalPodAutoscaler", ("spec", "minReplicas"), Effect.IN_PLACE, "`w` now has"),
        ("HorizontalPodAutoscaler", ("spec", "maxReplicas"), Effect.IN_PLACE, "`w` now has"),
        ("ScaledObject", ("spec", "minReplicaCount"), Effect.IN_PLACE, "`w` now has"),
        ("ScaledObject", ("spec", "maxReplicaCount"), Effect.IN_PLACE, "`w` now has"),
        (
            "Deployment",
            ("spec", "strategy", "a"),
            Effect.IN_PLACE,
            "the next rollout of `w` follows it",
        ),
        ("Pod", ("spec", "a"), Effect.UNKNOWN, "it is not known whether those that run follow"),
        (
            "StatefulSet",
            ("spec", "strategy", "a"),
            Effect.IN_PLACE,
            "changes in place; no pod is replaced",
        ),
    ],
)
def test_what_a_difference_means_for_a_kind(impacts, kind, place, effect, words):
    sides = ({"first": [workload(kind, place, value)]} for value in (1, 2))
    [(_, item)] = impacts(*sides)
    assert words in item.consequence
    assert item.effect is effect
    assert bool(item.advice) == (effect in (Effect.BREAKS, Effect.UNKNOWN))


def test_pods_that_stop_before_new_ones_start(impacts):
    sides = ({"first": [workload("Deployment", TEMPLATE, f"Recreate{n}")]} for n in (1, 2))
    [(_, item)] = impacts(*sides)
    assert (item.effect, "by its strategy Recreate" in item.consequence) == (Effect.RECREATE, True)


@pytest.mark.parametrize("kind", WORKLOADS)
def test_a_workload_that_comes_instead_of_another(impacts, kind):
    sides = [[workload("ConfigMap", ("data", "a"), 1)], [workload(kind, ("spec", "a"), 1)]]
    for way, effect in ((1, "create"), (-1, "delete")):
        found = impacts(*({"first": first} for first in sides[::way]))
        assert {str(item.effect) for _, item in found} == {effect}


def test_a_service_that_asks_old_pods_at_the_port_of_new_ones(impacts):
    [(_, item)] = impacts({"port": 80}, {"port": 90})
    assert str(item.effect) == "rolling"
    assert "one by one. But the Service `a` sends requests to port 90 at once:" in item.consequence


def test_rows_of_a_backend_come_first(effects):
    rows = (Row("kept", at=("spec", "replicas")),)
    found = effects({"replicas": 1}, {"replicas": 2}, rows, [("kept", Effect.IGNORED)])
    assert found == [("replicas", "ignored")]


def test_a_row_that_goes_on_adds_to_the_next(effects):
    rows = (Row("also", at=("spec", "a"), goes_on=True),)
    found = effects({"a": "1"}, {"a": "2"}, rows, [("also", Effect.ORPHANS)])
    assert found == [("a", "orphans"), ("a", "rolling")]


OLD = {"spec": {"x": 1, "gone": 1, "items": [{"name": "a", "n": 1}, {"name": "b"}], "words": ["a"]}}
NEW = {"spec": {"x": 2, "new": 1, "items": [{"name": "a", "n": 2}, {"name": "c"}], "words": ["b"]}}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("spec", "x"), {"x": 1}),
        (("spec", "gone"), {"gone": 1}),
        (("spec", "new"), {"new": None}),
        (("spec", "items", "[a]", "n"), {"items": [{"name": "a", "n": 1}, {"name": "c"}]}),
        (("spec", "items", "[b]"), {"items": [*NEW["spec"]["items"], {"name": "b"}]}),
        (("spec", "items", "[c]"), {"items": NEW["spec"]["items"][:1]}),
        (("spec", "words", 0), {"words": ["a"]}),
    ],
)
def test_one_change_is_taken_back(path, expected):
    old, new = (uniform_tree(data, HERE) for data in (OLD, NEW))
    found = revert_change(new, old, path, Shape(LISTS, LISTS)).plain()["spec"]
    wanted = {**NEW["spec"], **expected}
    assert found == {key: value for key, value in wanted.items() if value is not None}
