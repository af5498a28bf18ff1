"""A written text is read back: whatever it says to some reader that the tree does not is seen."""

import pytest
from hypothesis import given, settings

from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import dispute, write
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.yamldata import DATA, TEXT

FEW = settings(max_examples=150, deadline=None)
OTHER, LESS = "other data is read back", "less data is read back"


def disputed(text, data):
    return dispute(text, uniform_tree(data, Origin("f")))


@FEW
@given(DATA)
def test_what_was_written_is_read_back(data):
    assert disputed(write(uniform_tree(data, Origin("f"))), data) == ""


@pytest.mark.parametrize(
    ("text", "data", "what"),
    [
        ("a: 1\n", {"a": "1"}, OTHER),
        ("a: 1\n", {"a": True}, OTHER),
        ("a: 1\n", {"a": 1.0}, OTHER),
        ("a: true\n", {"a": 1}, OTHER),
        ("a: '1'\n", {"a": 1}, OTHER),
        ("a: null\n", {"a": ""}, OTHER),
        ("a: ''\n", {"a": None}, OTHER),
        ("a: {}\n", {"a": []}, OTHER),
        ("a: [x]\n", {"a": "x"}, OTHER),
        ("a: x\n", {"a": ["x"]}, OTHER),
        ("a: [x, z]\n", {"a": ["x"]}, OTHER),
        ("a: [x]\n", {"a": ["x", "z"]}, OTHER),
        ("{a: x, b: z}\n", {"a": "x"}, OTHER),
        ("b: x\na: z\n", {"a": "z", "b": "x"}, OTHER),
        ("a: x\n---\nb: z\n", {"a": "x"}, OTHER),
        ("1: x\n", {"1": "x"}, OTHER),
        ("a: !!str x\n", {"a": "x"}, OTHER),
        ("a: !x [x]\n", {"a": ["x"]}, OTHER),
        ("", {"a": "x"}, LESS),
        ("a: on\n", {"a": "on"}, 'on is true to YAML 1.1, the text "on" to YAML 1.2'),
        ("on: x\n", {"on": "x"}, 'on is true to YAML 1.1, the text "on" to YAML 1.2'),
        ("a: .inf\n", {"a": ".inf"}, ".inf is no finite number"),
        ("a: &x x\nb: *x\n", {"a": "x", "b": "x"}, "the text cannot be read"),
        ("a: [x\n", {"a": ["x"]}, "did not find expected ',' or ']'"),
    ],
)
def test_other_data_is_seen(text, data, what):
    assert disputed(text, data) == what


@FEW
@given(TEXT, TEXT)
def test_texts_agree_if_they_are_read_as_the_same_data(text, other):
    ours = read(text.encode(), "f")
    if ours.problems or ours.document.tree.value is None:
        return
    for theirs in (read(text.encode(), "f"), read(other.encode(), "f")):
        if not theirs.problems and "*" not in theirs.document.source:
            same = repr(theirs.document.tree.plain()) == repr(ours.document.tree.plain())
            assert (dispute(theirs.document.source, ours.document.tree) == "") == same
