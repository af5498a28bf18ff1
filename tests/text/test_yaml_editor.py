"""Edits of YAML texts: they say what is wanted, and nothing else of the text changes."""

import copy

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from renderer.text import json_editor, yaml_editor
from renderer.text.yaml_editor import Uneditable, edit, new_text
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, uniform_tree
from tests.support.rows import each


def tree(text):
    reading = read(text.encode(), "")
    assert not reading.problems
    return reading.document.tree


def edited(text, change):
    data = tree(text).plain()
    change(data)
    return edit(text, uniform_tree(data, Origin("")))


def setting(*path, to):
    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return change


def without(*path):
    def change(data):
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


def adding(*path, item):
    def change(data):
        for key in path:
            data = data[key]
        data.append(item)

    return change


CASES = {
    "a value and its comment": ("a: 1  # one\nb: 2\n", setting("a", to=3), "a: 3  # one\nb: 2\n"),
    "quotes stay": (
        "a: 'x'\nb: \"x\"\nc: x\n",
        lambda data: data.update(a="v", b="v", c="v w"),
        "a: 'v'\nb: \"v\"\nc: v w\n",
    ),
    "quotes where they are needed": (
        "a: x\n",
        setting("a", to="1.10"),
        'a: "1.10"\n',
    ),
    "a quote inside quotes": ("a: 'x'\n", setting("a", to="it's"), 'a: "it\'s"\n'),
    "a reference": ("a: x\n", setting("a", to="${vars.b}/c"), "a: ${vars.b}/c\n"),
    "a reference in a flow": ("{a: x}\n", setting("a", to="${vars.b}"), '{a: "${vars.b}"}\n'),
    "a new key": ("a: 1\n# end\n", setting("b", to=2), "a: 1\nb: 2\n# end\n"),
    "a new key behind a block": (
        "a:\n  b: 1  # deep\n\n# end\n",
        setting("c", to={"d": [1, {"e": 2, "f": []}]}),
        "a:\n  b: 1  # deep\nc:\n  d:\n    - 1\n    - e: 2\n      f: []\n\n# end\n",
    ),
    "nested creation": (
        "a: {}  # none\nb:\nc: null\n",
        lambda data: data.update(a={"x": 1}, b={"x": {"z": 2}}, c=[1]),
        "a:  # none\n  x: 1\nb:\n  x:\n    z: 2\nc:\n  - 1\n",
    ),
    "a key goes": ("a: 1\n# of b\nb: 2  # b\nc: 3\n", without("b"), "a: 1\n# of b\nc: 3\n"),
    "a block goes": ("a:\n  b:\n    c: 1\n  d: 2\n", without("a", "b"), "a:\n  d: 2\n"),
    "the first key of an item goes": (
        "a:\n  - b: 1\n    c: 2\n",
        without("a", 0, "b"),
        "a:\n  - c: 2\n",
    ),
    "the first item behind a key in its own line goes": (
        "? a\n: - 1\n  - 2\n",
        without("a", 0),
        "? a\n: - 2\n",
    ),
    "the first line goes": ("a: 1\nb: 2\n", without("a"), "b: 2\n"),
    "the first line goes with its ignore": (
        "# servingctl: ignore[SPC010] why\na: 1\nb: 2\n",
        without("a"),
        "b: 2\n",
    ),
    "the first line stays, which is blank": (
        "\n# servingctl: ignore[SPC010] why\na: 1\nb: 2\n",
        without("a"),
        "\nb: 2\n",
    ),
    "another takes the place of the first key": (
        "a: 1\nb: 2\n",
        lambda data: (data.clear(), data.update(c=3, b=2)),
        "c: 3\nb: 2\n",
    ),
    "the last key goes": ("a: 1\nb: 2", without("b"), "a: 1"),
    "all keys go": ("a:\n  b: 1\nc: 2\n", setting("a", to={}), "a: {}\nc: 2\n"),
    "blank lines are not doubled": ("a: 1\n\nb: 2\n\nc: 3\n", without("b"), "a: 1\n\nc: 3\n"),
    "a blank line above stays": ("a: 1\n\nb: 2\nc: 3\n", without("b"), "a: 1\n\nc: 3\n"),
    "a blank line above the end stays": ("a: 1\n\nb: 2", without("b"), "a: 1\n"),
    "an ignore goes with its value": (
        "a: 1\n# stays\n# servingctl: ignore[SPC010] why\nb: 2\n",
        without("b"),
        "a: 1\n# stays\n",
    ),
    "flow mappings": (
        "a: {b: 1, c: 2, d: 3}  # x\n",
        lambda data: (data["a"].pop("b"), data["a"].pop("d"), data["a"].update(e=[1, "x, z"])),
        'a: {c: 2, e: [1, "x, z"]}  # x\n',
    ),
    "another takes the first place in a flow": (
        "a: {b: 1, c: 2}\n",
        setting("a", to={"d": 3, "c": 2}),
        "a: {d: 3, c: 2}\n",
    ),
    "an item at the front of a flow": ("a: [2]\n", setting("a", to=[1, 2]), "a: [1, 2]\n"),
    "a value that a flow leaves out": ("{a: , b: 1}\n", setting("a", to=2), "{a:  2, b: 1}\n"),
    "a value in a flow": ("{a: [1], b: 1}\n", setting("a", to={"b": 2}), "{a: {b: 2}, b: 1}\n"),
    "a flow of which nothing stays": ("a: [1, 2]  # x\n", setting("a", to=[3]), "a: [3]  # x\n"),
    "a flow becomes another": ("a: [1, 2]\n", setting("a", to={"c": 1}), "a:\n  c: 1\n"),
    "a flow of a hundred columns": (
        "a: {b: 1}\n",
        setting("a", to={"c": "x" * 93}),
        f"a: {{c: {'x' * 93}}}\n",
    ),
    "a flow that is too wide": (
        "a: {b: 1}\n",
        setting("a", to={"c": "x" * 94}),
        f"a:\n  c: {'x' * 94}\n",
    ),
    "the last item of a flow becomes another": (
        "a: [1, 2]\n",
        setting("a", to=[1, 3]),
        "a: [1, 3]\n",
    ),
    "the last item of a flow goes": ("a: [1, 2, 3]\n", setting("a", to=[1, 2]), "a: [1, 2]\n"),
    "the first line of a flow goes": (
        "a: {\n  b: 1,\n  c: 2\n}\n",
        without("a", "b"),
        "a: {\n  c: 2\n}\n",
    ),
    "flow lists": ("a: [1, 2, 3]\n", setting("a", to=[2, 3, 4]), "a: [2, 3, 4]\n"),
    "a flow in several lines": (
        "a: {\n  b: 1,  # b\n  c: 2\n}\n",
        setting("a", "c", to=3),
        "a: {\n  b: 1,  # b\n  c: 3\n}\n",
    ),
    "items by what they are about": (
        "a:\n- k: x  # first\n  v: 1\n\n# second\n- k: z\n  v: 2\n",
        lambda data: (data["a"].pop(0), data["a"][0].update(v=3), data["a"].append({"k": "w"})),
        "a:\n\n# second\n- k: z\n  v: 3\n- k: w\n",
    ),
    "values in another order": (
        "a: 1\nb: 2\n",
        lambda data: (data.clear(), data.update(b=3, a=4)),
        "a: 4\nb: 3\n",
    ),
    "an item in front of two": (
        "a:\n  - 1\n  - 2\n",
        setting("a", to=[0, 1, 2]),
        "a:\n  - 0\n  - 1\n  - 2\n",
    ),
    "an item at the front": ("a:\n  - 1\n", setting("a", to=[0, 1]), "a:\n  - 0\n  - 1\n"),
    "an indented list": ("a:\n    - x\n", adding("a", item={"b": 1}), "a:\n    - x\n    - b: 1\n"),
    "a list in a list": (
        "a:\n  - - 1\n    - 2\n",
        adding("a", 0, item=3),
        "a:\n  - - 1\n    - 2\n    - 3\n",
    ),
    "a block scalar": (
        "a: |  # text\n  one\n  two\n\nb: 1\n",
        setting("a", to="three\nfour\n"),
        "a: |\n  three\n  four\n\nb: 1\n",
    ),
    "a block scalar becomes a word": (
        "a: >-\n  one\n  two\nb: 1\n",
        setting("a", to="x"),
        "a: x\nb: 1\n",
    ),
    "a word becomes a block": (
        "a: x  # why\nb: 1\n",
        setting("a", to="k\nl"),
        "a: |-  # why\n  k\n  l\nb: 1\n",
    ),
    "a plain text of several lines": (
        "a: one\n  two\nb: 1\n",
        setting("a", to="x"),
        "a: x\nb: 1\n",
    ),
    "a mapping becomes a list": ("a:\n  b: 1\nc: 1\n", setting("a", to=[1]), "a:\n  - 1\nc: 1\n"),
    "a list becomes a word": ("a:\n- 1\n- 2\nc: 1\n", setting("a", to=None), "a: null\nc: 1\n"),
    "lists stand as the first one does": (
        "x: [1]\nk:\n    z:\n    - 1\nb: 2\n",
        lambda data: data.update(b=[3], c={"d": [4]}),
        "x: [1]\nk:\n    z:\n    - 1\nb:\n- 3\nc:\n  d:\n  - 4\n",
    ),
    "line ends around what goes": (
        "a: 1\r\nb: 2\r\nc: 3\r\n",
        without("b"),
        "a: 1\r\nc: 3\r\n",
    ),
    "line ends": (
        "a: 1\r\nb: 2\r\n",
        setting("c", to={"d": 3}),
        "a: 1\r\nb: 2\r\nc:\r\n  d: 3\r\n",
    ),
    "no line end at the end": ("a: 1", setting("b", to=2), "a: 1\nb: 2"),
    "a document that is marked": ("---\na: 1\n...\n", setting("b", to=2), "---\na: 1\nb: 2\n...\n"),
    "keys in quotes": ('"a.b": {c: 1}\n', setting("a.b", "c", to=2), '"a.b": {c: 2}\n'),
    "a key that is a word of YAML 1.1": ("a: 1\n", setting("on", to=2), 'a: 1\n"on": 2\n'),
    "an anchor elsewhere": ("a: &x 1\nb: *x\nc: 1\n", setting("c", to=2), "a: &x 1\nb: *x\nc: 2\n"),
    "true is not 1": ("a: 1\n", setting("a", to=True), "a: true\n"),
    "letters beyond": (
        "a: 'ä 😀'  # ö\nb: 1\n",
        setting("b", to="ü"),
        "a: 'ä 😀'  # ö\nb: \"ü\"\n",
    ),
}


@each("text change expected", CASES)
def test_edits(text, change, expected):
    assert edited(text, change) == expected


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("a: &x {b: 1}\nc: *x\n", setting("a", "b", to=2)),
        ("a: &x 1\nc: *x\n", without("a")),
        ("a: &x 1\nc: *x\n", setting("c", to=2)),
        ("a: {b: &x 1}\nc: *x\n", setting("a", to=3)),
    ],
    ids=["in an anchor", "the anchor goes", "an alias", "around an anchor"],
)
def test_anchors_are_refused(text, change):
    with pytest.raises(Uneditable, match="anchor"):
        edited(text, change)


@each("text", ["", "a: [\n", "- 1\n", "a: 1\n---\nb: 2\n", "a: 2\na: 3\n"])
def test_what_is_no_mapping(text):
    with pytest.raises(Uneditable, match="not one mapping"):
        edit(text, uniform_tree({"a": 1}, Origin("")))


def test_a_mapping_stays_one():
    with pytest.raises(Uneditable, match="not one mapping"):
        edited("a: 1\n", without("a"))


def test_a_list_that_is_not_understood():
    with pytest.raises(Uneditable, match="a list"):
        edited("a:\n- ? b\n- 2\n", without("a", 0))


def test_numbers_as_they_are_written():
    wanted = Node({"a": Node(1.1, Origin(""), text="1.10")}, Origin(""))
    assert edit("a: 1.2\n", wanted) == "a: 1.10\n"
    assert edit("a: 1.1\n", wanted) == "a: 1.10\n"
    items = Node({"a": Node((Node(1.1, Origin(""), text="1.10"),), Origin(""))}, Origin(""))
    assert edit("a: [1.1]\n", items) == "a: [1.10]\n"
    assert edit("a:\n  - 1.1\n", items) == "a:\n  - 1.10\n"


@each("written", ["a: 3\n", "a: [\n"])
def test_what_cannot_be_verified_is_not_done(monkeypatch, written):
    monkeypatch.setattr(yaml_editor._Editor, "text", lambda _: written)
    with pytest.raises(Uneditable, match="verified"):
        edited("a: 1\n", setting("a", to=2))


def test_nothing_to_do():
    text = "a:   1\nb: [ 1,2 ]\n"
    assert edit(text, tree(text)) == text


KEYS = st.sampled_from(["alpha", "beta", "x.z", "on", "1", "$remove"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 99) | st.text("ab :#-\n'\"{},ä${", max_size=6)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(KEYS, DATA, min_size=1, max_size=4)


@given(DOCUMENTS, DOCUMENTS, st.sampled_from([None, False, True]), st.booleans())
def test_anything_becomes_anything(before, after, flow, ours):
    """Whether a library or we wrote the text; the edit itself is proven by reading it."""
    given_tree = uniform_tree(before, Origin(""))
    text = new_text(given_tree) if ours else yaml.safe_dump(before, default_flow_style=flow)
    reading = read(text.encode(), "")
    if reading.problems:  # the library writes what YAML 1.2 reads otherwise
        return
    assert tree(edit(text, uniform_tree(after, Origin("")))).plain() == after
    same = copy.deepcopy(before) | {"new": after}
    lines = edit(new_text(given_tree), uniform_tree(same, Origin(""))).splitlines()
    assert lines[: len(new_text(given_tree).splitlines())] == new_text(given_tree).splitlines()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n    "a": 1,\n    "b": [1]\n}\n', '{\n    "a": 2,\n    "b": [\n        1\n    ]\n}\n'),
        ('{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 2\r\n}'),
        ('{"a":1}', '{"a":2}'),
        ('{"a": 1, "b": "ä"}\n', '{"a": 2, "b": "ä"}\n'),
    ],
    ids=["spaces", "tabs", "compact", "one line"],
)
def test_files_of_json(text, expected):
    data = tree(text.replace("\t", "  ")).plain() | {"a": 2}
    assert json_editor.edit(text, uniform_tree(data, Origin(""))) == expected
