"""YAML texts inside objects: compared as data, and each change at the line that set it."""

import json
from types import SimpleNamespace

import pytest

from renderer.changes.location import origin_of
from renderer.changes.trees import differences, shape_of
from renderer.compose.shapes import Shape
from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import write
from renderer.values.changes import How, ObjectChange
from renderer.values.kinds import Kind
from renderer.values.model import Spec
from renderer.values.objects import Manifest
from renderer.values.tree import Node, constant

FILE = "environments/dev/menu.yaml"
DOCUMENT = {
    "properties": {
        "dishes": {"x-list-key": ["name"], "items": {"properties": {"name": {}}}},
    }
}
MARKED = {"properties": {"config": {"type": "string", "x-yaml-text": True}}}
DESCRIBED = {"properties": {"config": {"type": "string", "x-yaml-text": DOCUMENT}}}
BLOCK = (
    "kind: Menu\nconfig: |\n  dishes:\n  - {name: soup, size: 1}\n  - name: bread\n    size: 2\n"
)
FOLDED = BLOCK.replace("|", ">").replace("- {", "\n  - {").replace("- name", "\n  - name")
QUOTED = 'kind: Menu\nconfig: "dishes:\\n- {name: soup, size: 1}\\n- {name: bread, size: 2}"\n'
MAPPING = (
    "kind: Menu\nconfig:\n  dishes:\n  - {name: soup, size: 1}\n  - name: bread\n    size: 2\n"
)


@pytest.fixture(params=[MARKED, DESCRIBED], ids=["marked", "described"])
def schema(request, tmp_path):
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(request.param))
    return str(path)


def document_of(source):
    document = read(source.encode(), FILE).document
    assert document.tree is not None
    return document


def manifest(source, schema):
    """An object with the text of a spec, or with what a mapping is written as."""
    spec = document_of(source).tree
    config = spec.items["config"]
    text = config if isinstance(config.value, str) else config.with_value(write(config))
    tree = Node({"config": text}, constant({}, "made here").origin)
    known = Spec(Kind("Menu", ""), "menu", "dev", (FILE,), spec)
    return Manifest("menu.yaml", "dev", "east", known, schema, tree, "", "Menu/menu")


def compared(old, new, schema):
    """The changes between two specs, and where the second one makes them."""
    before, after = manifest(old, schema), manifest(new, schema)
    changes = tuple(differences(before.tree, after.tree, shape_of(schema)))
    item = ObjectChange("dev", "east", before, after, changes)
    project = SimpleNamespace(documents={FILE: document_of(new)})
    return [(change, origin_of(change, item, project)[1:3]) for change in changes]


@pytest.mark.parametrize(
    ("source", "place"),
    [(BLOCK, (6, 11)), (FOLDED, (8, 11)), (QUOTED, (2, 66)), (MAPPING, (6, 11))],
    ids=["block", "folded", "quoted", "mapping"],
)
def test_a_value_is_told_at_its_line(source, place, schema):
    edited = source.replace("size: 2", "size: 3")
    [(change, where)] = compared(source, edited, schema)
    assert change.path[:2] == ("config", "dishes")
    assert (change.path[-1], change.before.value, change.after.value) == ("size", 2, 3)
    assert where == place


def test_items_have_names_where_the_document_is_described(tmp_path):
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(DESCRIBED))
    edited = BLOCK.replace("  - {name: soup, size: 1}\n", "").replace("size: 2", "size: 3")
    found = compared(BLOCK, edited, str(path))
    assert [(change.path[1:], change.how, where) for change, where in found] == [
        (("dishes", "[bread]", "size"), How.CHANGED, (5, 11)),
        (("dishes", "[soup]"), How.REMOVED, (3, 3)),
    ]


@pytest.mark.parametrize("source", [BLOCK, MAPPING], ids=["block", "mapping"])
def test_what_is_gone_is_told_at_what_is_left(source, schema):
    [(change, where)] = compared(source, source.replace("\n    size: 2", ""), schema)
    assert change.how is How.REMOVED
    assert where == (5, 5)


@pytest.mark.parametrize(
    "other",
    [
        BLOCK.replace("dishes:", "# for today\n  dishes:"),
        BLOCK.replace("{name: soup, size: 1}", '{size: 1, name: "soup"}'),
        MAPPING,
    ],
    ids=["a comment", "another order", "a mapping instead"],
)
def test_another_form_is_told_as_such(other, schema):
    [(change, _)] = compared(BLOCK, other, schema)
    assert (change.path, change.texts_only) == (("config",), True)


@pytest.mark.parametrize("broken", ["a: [", "a: 1\na: 2", "", "&a [*a]"])
def test_what_cannot_be_read_is_compared_as_text(broken, schema):
    odd = f"kind: Menu\nconfig: {json.dumps(broken)}\n"
    [(change, where)] = compared(BLOCK, odd, schema)
    assert (change.path, change.texts_only, where) == (("config",), False, (2, 9))


def test_other_texts_are_no_documents():
    shape = Shape({}, {})
    old, new = (constant({"config": f"a: {number}"}, "x") for number in (1, 2))
    assert [change.path for change in differences(old, new, shape)] == [("config",)]
