"""Values of a file by the paths of its spec, in whichever form the file has them."""

import pytest

from renderer.compose.shapes import Shape
from renderer.promote.tree_paths import (
    WrittenTree,
    drop,
    expand_items,
    match_order,
    put,
    reorder,
    value_at,
    writable,
)
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree

SCHEMA = {
    "properties": {
        "parties": {
            "x-list-key": ["domain", "role"],
            "items": {
                "properties": {"ports": {"x-list-key": ["name"], "items": {"properties": {}}}}
            },
        }
    }
}
SHAPE = Shape(SCHEMA, SCHEMA)
ALICE, BOB = {"domain": "alice", "image": "a"}, {"domain": "bob", "image": "b"}
GUEST = {"domain": "alice", "role": "guest", "image": "g"}
OF_BOB = ("parties", "[bob]")
IMAGE = (*OF_BOB, "image")
NEWER = {"domain": "bob", "image": "c"}


def tree(data):
    return uniform_tree(data, Origin("here.yaml"))


def written(data, bound=None):
    """A file, and what it says with its variables bound where that differs."""
    return WrittenTree(tree(data), tree(data if bound is None else bound))


def parties(*items):
    return {"parties": [*items]}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((), parties(ALICE, BOB)),
        (IMAGE, "b"),
        (OF_BOB, BOB),
        (("parties", "[carol]", "image"), None),
        (("more", "of", "it"), None),
    ],
)
def test_a_value_at_a_path(path, value):
    found = value_at(tree(parties(ALICE, BOB)), SHAPE, path)
    assert (found and found.plain()) == value


@pytest.mark.parametrize(
    ("path", "length"),
    [
        (("conf", "a"), 1),
        (("plain", "a"), 2),
        (("args", 0, "a"), 1),
        ((*OF_BOB, "text", "a"), 3),
        (IMAGE, 3),
    ],
)
def test_a_file_follows_a_path_to_texts_and_lists_without_a_key(path, length):
    one = {"conf": "{}", "args": [{"a": 1}], **parties({**BOB, "text": "{}"})}
    for sides in ([one, {}], [{}, one]):
        assert writable(path, [*map(tree, sides)], SHAPE) == path[:length]


PORT = {"name": "http", "port": 1}
PUT = {
    "a member": ({"a": 1}, ("b", "c"), 2, {"a": 1, "b": {"c": 2}}),
    "a member in place": ({"a": 1, "b": 2}, ("a",), 3, {"a": 3, "b": 2}),
    "where nothing is said": ({"a": None}, ("a", "b"), 2, {"a": {"b": 2}}),
    "into an item": (parties(ALICE, BOB), IMAGE, "c", parties(ALICE, NEWER)),
    "into the first item": (parties(BOB, ALICE), IMAGE, "c", parties(NEWER, ALICE)),
    "an item that is nowhere else": (parties(), ("parties", "[carol]", "x"), 1, parties({"x": 1})),
    "a whole item keeps its key": (parties(BOB), OF_BOB, {"image": "c"}, parties(NEWER)),
    "into a new item": (parties(ALICE), IMAGE, "c", parties(ALICE, NEWER)),
    "a new item": (parties(ALICE), OF_BOB, {"image": "c"}, parties(ALICE, NEWER)),
    "into a new list": ({}, IMAGE, "c", parties(NEWER)),
    "into an empty list": (parties(), IMAGE, "c", parties(NEWER)),
    "into an empty word": ({"parties": {}}, IMAGE, "c", parties(NEWER)),
    "into a word to all": ({"parties": {"image": "a"}}, IMAGE, "c", {"parties": {"image": "c"}}),
    "an item of an item": (
        parties(BOB),
        (*OF_BOB, "ports", "[http]", "port"),
        1,
        parties({**BOB, "ports": [PORT]}),
    ),
}


@pytest.mark.parametrize("name", PUT)
def test_put(name):
    before, path, value, after = PUT[name]
    like = tree(parties(GUEST, {**BOB, "ports": [PORT]}))
    assert put(written(before), SHAPE, path, tree(value), like).plain() == after


def test_put_keeps_the_spelling_and_the_variables_of_a_file():
    raw = {"Parties": [{"domain": "${vars.d}", "Image": "b"}]}
    done = put(written(raw, parties(BOB)), SHAPE, IMAGE, tree("c"), None)
    assert done.plain() == {"Parties": [{"domain": "${vars.d}", "Image": "c"}]}


DROP = {  # before, path, with what only led there, without
    "a member": ({"a": 1, "b": 2}, ("a",), {"b": 2}, {"b": 2}),
    "the only member": ({"a": {"b": 1}}, ("a", "b"), None, {"a": {}}),
    "one of two below": ({"a": {"b": 1, "c": 2}}, ("a", "b"), {"a": {"c": 2}}, {"a": {"c": 2}}),
    "what is not there": ({"a": 1}, ("b", "c"), {"a": 1}, {"a": 1}),
    "an item": (parties(ALICE, BOB, GUEST), OF_BOB, parties(ALICE, GUEST), parties(ALICE, GUEST)),
    "the only item": (parties(BOB), OF_BOB, None, parties()),
    "an item that is not there": (parties(ALICE), OF_BOB, parties(ALICE), parties(ALICE)),
    "the last of an item": (
        parties(ALICE, BOB),
        IMAGE,
        parties(ALICE),
        parties(ALICE, {"domain": "bob"}),
    ),
    "one of an item": (parties({**BOB, "x": 1}), (*OF_BOB, "x"), parties(BOB), parties(BOB)),
    "the last of an item with two keys": (
        parties(BOB, GUEST),
        ("parties", "[alice/guest]", "image"),
        parties(BOB),
        parties(BOB, {"domain": "alice", "role": "guest"}),
    ),
    "of a word to all": (
        {"a": 1, "parties": {"image": "b"}},
        IMAGE,
        {"a": 1},
        {"a": 1, "parties": {}},
    ),
}


@pytest.mark.parametrize("name", DROP)
def test_drop(name):
    before, path, *after = DROP[name]
    done = [drop(written(before), SHAPE, path, prune=prune) for prune in (True, False)]
    assert str([left and left.plain() for left in done]) == str(after), "in the same order"


def test_a_word_to_all_items_is_said_to_each():
    now = {"a": 1, "parties": {"image": "x"}}
    each = [{"domain": "alice", "image": "x"}, {"domain": "bob", "image": "x"}]
    like = tree({"a": 1, **parties(ALICE, BOB)})
    done = expand_items(written(now), SHAPE, IMAGE, like)
    assert done.plain() == {"a": 1, "parties": each}


def test_a_word_in_an_item_is_said_to_each_of_its_items():
    now = parties(ALICE, {**BOB, "ports": {"port": 2}})
    like = tree(parties(ALICE, {**BOB, "ports": [PORT]}))
    done = expand_items(written(now), SHAPE, (*OF_BOB, "ports", "[http]", "port"), like)
    assert done.plain() == parties(ALICE, {**BOB, "ports": [{"name": "http", "port": 2}]})


@pytest.mark.parametrize(
    "path", [("more", "x"), ("parties", "[carol]", "x"), (), ("alone", "[bob]", "x")]
)
def test_nothing_is_said_to_what_is_not_there(path):
    now = {**parties(ALICE), "alone": {"x": 1}}
    assert expand_items(written(now), SHAPE, path, tree(parties(ALICE))).plain() == now


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        (parties(ALICE, GUEST, BOB), ("parties",), parties(BOB, ALICE, GUEST)),
        ({"parties": {"image": "x"}}, ("parties",), {"parties": {"image": "x"}}),
        ({}, ("parties",), {}),
        (parties(ALICE), (*OF_BOB, "ports"), parties(ALICE)),
        (
            parties({**BOB, "ports": [PORT, {"name": "bob"}]}),
            (*OF_BOB, "ports"),
            parties({**BOB, "ports": [{"name": "bob"}, PORT]}),
        ),
    ],
)
def test_items_in_another_order(before, path, after):
    """Those that have no place in it stay behind the others."""
    assert reorder(written(before), SHAPE, path, ["[bob]", "[alice]"]).plain() == after


def test_members_in_the_order_of_others():
    mixed = {"z": 1, "a": {"d": 1, "c": 2}, "b": 3}
    done = match_order(tree(mixed), tree({"b": 0, "a": {"c": 0}})).plain()
    assert done == mixed
    assert ([*done], [*done["a"]]) == (["b", "a", "z"], ["c", "d"])
