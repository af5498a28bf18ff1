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
        ({"a": [1]}, {"a": [1, 2]}, [(("a",), How.CHANGED, [1], [1, 2])]),
        ({"cpu": "100m"}, {"cpu": "0.1"}, []),
        ({"cpu": 1}, {"cpu": "1000m"}, []),
        ({"cpu": "1"}, {"cpu": "1Ki"}, [(("cpu",), How.CHANGED, "1", "1Ki")]),
        ({"cpu": "some"}, {"cpu": "more"}, [(("cpu",), How.CHANGED, "some", "more")]),
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


@pytest.mark.parametrize(
    ("old", "new"),
    [({}, {"extra": 1}), ({"args": [1, 2]}, {"args": [1, 3]}), ({"args": [1]}, {"args": [1, 2]})],
)
def test_an_item_with_another_key_and_content_was_not_renamed(old, new):
    changes = found(parties({**BOB, **old}), parties({**BOB, **new, "domain": "carol"}))
    assert [change.how for change in changes] == [How.REMOVED, How.ADDED]


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


def change(place, old, new):
    return place, How.CHANGED, old, new


def gone(place, value):
    return place, How.REMOVED, value, None


def come(place, value):
    return place, How.ADDED, None, value


HEAVY = {**ONE, "weight": 2}
KEYED, LISTED, OTHER = {"a": 1}, ["a"], change((0,), 1, 2)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([1, ONE], [2, ONE], [OTHER]),
        ([ONE, 1, 2], [ONE, 3], [change((1,), 1, 3), gone((2,), 2)]),
        (["x", ONE], ["new", "x", ONE], [come((0,), "new")]),
        ([ONE, 1], [2, 1], [gone((0,), ONE), come((0,), 2)]),
        (["a", ONE], ["b", 2], [change((0,), "a", "b"), gone((1,), ONE), come((1,), 2)]),
        ([1, ONE], [2, HEAVY], [OTHER, change((1, "weight"), 1, 2)]),
        ([[1], ONE], [[2], ONE], [change((0,), [1], [2])]),
        ([KEYED], [LISTED], [gone((0,), KEYED), come((0,), LISTED)]),
        ([1, KEYED], [2, LISTED], [OTHER, gone((1,), KEYED), come((1,), LISTED)]),
        ([1, LISTED], [2, KEYED], [OTHER, gone((1,), LISTED), come((1,), KEYED)]),
        ([ONE, TWO], [TWO, ONE], [gone((0,), ONE), come((1,), ONE)]),
        ([TWO, ONE], [ONE, TWO], [come((0,), ONE), gone((1,), ONE)]),
        ([ONE, {"z": 1}], [HEAVY], [change((0, "weight"), 1, 2), gone((1,), {"z": 1})]),
        ([ONE] * 250, [TWO, *[ONE] * 250], [come((0,), TWO)]),
    ],
)  # fmt: skip
def test_items_of_mixed_lists(before, after, changes):
    """Mappings and lists by their likeness, plain values by their place."""
    told = [(("l", *path), *rest) for path, *rest in changes]
    assert summary({"l": before}, {"l": after}) == told


def test_several_items_with_nothing_in_common_come_and_go():
    others = [{"a": {"b": [1, 2]}, "c": "d"}, {"e": {"f": [3, 4]}, "g": "h"}]
    assert summary({"l": [ONE, TWO]}, {"l": others}) == [
        gone(("l", 0), ONE),
        come(("l", 0), others[0]),
        gone(("l", 1), TWO),
        come(("l", 1), others[1]),
    ]


def test_the_likest_of_items_with_the_same_keys_belong_together():
    low, high = ({"n": 1, "of": [1, 2, 3]}, {"n": 2, "of": [7, 8, 9]})
    new = [{**high, "n": 3}, {**low, "n": 4}]
    assert summary({"l": [low, high]}, {"l": new}) == [
        change(("l", 0, "n"), 1, 4),
        change(("l", 0, "n"), 2, 3),
    ]
    renumbered = change(("l", 0, "n"), 1, 4)
    assert summary({"l": [low]}, {"l": new}) == [renumbered, come(("l", 0), new[0])]
    assert summary({"l": [low, high]}, {"l": new[1:]}) == [renumbered, gone(("l", 1), high)]


def test_items_whose_parts_have_another_order_belong_together():
    old, new = [1, 2, 3, 4], [4, 3, 2, 1]
    before = {"l": [{"of": old}, {"of": ["a", "b", "c", "d"]}]}
    after = {"l": [{"of": [1, 2, 3, 5]}, {"of": new}]}
    assert summary(before, after)[0] == change(("l", 0, "of"), old, new)


def test_items_of_a_long_list_are_compared_by_their_place():
    """To compare each with each takes too long; here the likest stand elsewhere."""
    old = [{"n": number, "of": [1, 2, 3]} for number in range(21)]
    new = [{"n": number + 1, "of": [1, 2, 4]} for number in range(20)]
    changes = found({"terms": old}, {"terms": new})
    assert [c.path[1] for c in changes if c.path[2:] == ("n",)] == [*range(20)]
    assert changes[-1].path == ("terms", 20)
    assert changes[-1].how is How.REMOVED


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
