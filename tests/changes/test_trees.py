"""Two trees side by side: what is reported, at which path, and that nothing is missed."""

import json

import pytest
from hypothesis import strategies as st

from renderer.changes.trees import differences
from renderer.compose.shapes import Shape
from renderer.schema.bundle import bundled_schema
from renderer.values.changes import How
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.samples import tried

SCHEMA = {
    "properties": {
        "parties": {"x-list-key": ["domain", "role"], "items": {"properties": {}}},
        "cpu": {"x-quantity": True},
    }
}
SHAPE = Shape(SCHEMA, SCHEMA)
HERE = Origin("here.yaml")


def found(before, after, shape=SHAPE):
    return list(differences(uniform_tree(before, HERE), uniform_tree(after, HERE), shape))


def summary(before, after):
    return [
        (item.path, item.how, *(node and node.plain() for node in (item.before, item.after)))
        for item in found(before, after)
    ]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
        ({"a": 1}, {"a": 2}, [(("a",), How.CHANGED, 1, 2)]),
        ({"a": 1}, {"a": True}, [(("a",), How.CHANGED, 1, True)]),
        ({"a": 1}, {"a": 1.0}, [(("a",), How.CHANGED, 1, 1.0)]),
        ({"a": 0.0}, {"a": -0.0}, [(("a",), How.CHANGED, 0.0, -0.0)]),
        ({"a": "1"}, {"a": 1}, [(("a",), How.CHANGED, "1", 1)]),
        ({"a": None}, {}, [(("a",), How.REMOVED, None, None)]),
        ({}, {"a": {}}, [(("a",), How.ADDED, None, {})]),
        ({"a": {}}, {"a": []}, [(("a",), How.CHANGED, {}, [])]),
        ({"cpu": "100m"}, {"cpu": "0.1"}, []),
        ({"cpu": 1}, {"cpu": "1000m"}, []),
        ({"cpu": "1"}, {"cpu": "1Ki"}, [(("cpu",), How.CHANGED, "1", "1Ki")]),
        ({"other": "100m"}, {"other": "0.1"}, [(("other",), How.CHANGED, "100m", "0.1")]),
    ],
)
def test_values(before, after, changes):
    assert summary(before, after) == changes


ALICE = {"domain": "alice", "image": "a"}
GUEST = {"domain": "alice", "role": "guest", "image": "g"}
BOB = {"domain": "bob", "image": "b"}


def parties(*items):
    return {"parties": [*items]}


def test_items_are_known_by_their_key():
    [change] = found(parties(ALICE, BOB), parties(GUEST, ALICE, {**BOB, "image": "c"}))[1:]
    assert (change.path, change.how) == (("parties", "[bob]", "image"), How.CHANGED)


def test_an_inserted_item_is_one_change():
    [change] = found(parties(ALICE, BOB), parties(GUEST, ALICE, BOB))
    assert (change.path, change.how) == (("parties", "[alice/guest]"), How.ADDED)


def test_another_order_is_one_change():
    [change] = found(parties(ALICE, BOB), parties(BOB, ALICE))
    assert (change.path, change.how) == (("parties",), How.MOVED)
    assert change.after.plain() == ["[bob]", "[alice]"]


def test_an_item_with_another_key_was_renamed():
    [change] = found(parties(ALICE, BOB), parties(ALICE, {**BOB, "domain": "carol"}))
    assert (change.path, change.how) == (("parties",), How.RENAMED)
    assert change.after.get("domain").value == "carol"


def test_items_that_only_have_a_key_were_not_renamed():
    changes = found(parties({"domain": "alice"}), parties({"domain": "bob"}))
    assert {change.how for change in changes} == {How.ADDED, How.REMOVED}


def test_the_one_that_was_renamed_must_be_clear():
    twins = parties({"domain": "a", "x": 1}, {"domain": "b", "x": 1})
    changes = found(twins, parties({"domain": "c", "x": 1}))
    assert [change.how for change in changes] == [How.REMOVED, How.REMOVED, How.ADDED]


ONE = {"weight": 1, "term": {"a": 1, "b": 2, "c": 3}}
TWO = {"other": [1, 2, 3], "x": "y"}


def test_items_without_a_key_by_their_likeness():
    assert summary(
        {"terms": [ONE, TWO]}, {"terms": [{"new": True}, {**ONE, "weight": 2}, TWO]}
    ) == [
        (("terms", 0, "weight"), How.CHANGED, 1, 2),
        (("terms", 0), How.ADDED, None, {"new": True}),
    ]


def test_the_most_alike_belong_together():
    new = [{"z": "w"}, {**TWO, "x": "z"}, {**ONE, "weight": 3}]
    assert summary({"terms": [ONE, TWO]}, {"terms": new}) == [
        (("terms", 0, "weight"), How.CHANGED, 1, 3),
        (("terms", 0), How.ADDED, None, {"z": "w"}),
        (("terms", 1, "x"), How.CHANGED, "y", "z"),
    ]


def test_items_with_nothing_in_common_come_and_go():
    assert summary({"terms": [ONE]}, {"terms": [TWO]}) == [
        (("terms", 0), How.REMOVED, ONE, None),
        (("terms", 0), How.ADDED, None, TWO),
    ]


def test_words_of_a_command():
    before, after = ["sh", "-c", "run", "--fast"], ["sh", "-e", "-c", "run", "--slow"]
    assert summary({"c": before}, {"c": after}) == [(("c",), How.CHANGED, before, after)]


def test_a_text_that_holds_json_is_compared_as_data():
    before, after = ({"x": json.dumps({"a": {"b": [{"c": number}]}})} for number in (2, 3))
    assert summary(before, after) == [(("x", "a", "b", 0, "c"), How.CHANGED, 2, 3)]


def test_equal_data_in_another_text_is_told():
    [change] = found({"x": '{"a":1}'}, {"x": '{ "a": 1 }'})
    assert (change.path, change.how, change.texts_only) == (("x",), How.CHANGED, True)


@pytest.mark.parametrize("text", ['{"a": NaN}', "{{.X}}", "[" * 5000, '{"a": 1', "[x]"])
def test_what_is_no_json_is_a_text(text):
    [change] = found({"x": text}, {"x": '{"a": 1}'})
    assert (change.path, change.texts_only) == (("x",), False)


def test_shapes_of_manifests_know_their_keys():
    schema = bundled_schema("manifests/kuscia/kusciadeployment.json")
    shape = Shape(schema, schema)
    before = {"spec": {"parties": [{"domainID": "alice"}, {"domainID": "bob", "x": "1"}]}}
    after = {"spec": {"parties": [{"domainID": "bob", "x": "2"}]}}
    paths = [change.path for change in found(before, after, shape)]
    assert paths == [("spec", "parties", "[alice]"), ("spec", "parties", "[bob]", "x")]


KEYS = st.sampled_from(["a", "b", "cpu", "domain", "parties", "role"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 2),
    st.sampled_from([0.0, 1.0]),
    st.sampled_from(["", "1", "1000m", "x", '{"a": 1}', '{"a":1}', '{"a": [1, true]}', "[1.0]"]),
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@tried(TREES, TREES, few=30, many=400)
def test_nothing_is_missed_and_nothing_invented(before, after):
    undescribed = Shape({}, {})
    same = json.dumps(before, sort_keys=True) == json.dumps(after, sort_keys=True)
    assert bool(found(before, after, undescribed)) == (not same)


@tried(TREES, TREES, few=30, many=400)
def test_there_and_back_name_the_same_paths(before, after):
    there, back = found(before, after), found(after, before)
    assert sorted(map(str, (c.path for c in there))) == sorted(map(str, (c.path for c in back)))
    flipped = {How.ADDED: How.REMOVED, How.REMOVED: How.ADDED}
    assert sorted((str(c.path), c.how) for c in there) == sorted(
        (str(c.path), flipped.get(c.how, c.how)) for c in back
    )
