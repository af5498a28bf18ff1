"""What is copied from an applied object keeps its origin on the way to what a platform makes."""

from renderer.derive.located import located, made
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, walk

HERE = Origin("spec.yaml", 3, 5)


def applied():
    leaves = {"image": "a:1", "cpu": 2, "share": 0.5, "privileged": True, "nothing": None}
    members = {
        key: Node(value, Origin("spec.yaml", n, 1))
        for n, (key, value) in enumerate(leaves.items(), 1)
    }
    listing = Node((Node("x", HERE),), HERE)
    return Node({**members, "args": listing}, HERE)


def lines(tree):
    leaves = ((path, node) for path, node in walk(tree) if not node.items and not node.elements)
    return {path[-1]: node.origin.line for path, node in leaves}


def test_copied_values_have_their_own_lines():
    found = made({"kind": "Pod", "spec": located(applied())}, "somebody").tree
    known = {"image": 1, "cpu": 2, "share": 3, "privileged": 4, "nothing": 5, 0: 3}
    assert lines(found.items["spec"]) == known
    assert found.items["kind"].origin.note == "set by somebody"


def test_merging_keeps_texts_and_numbers():
    data = located(applied())
    found = made({"spec": {**data, "more": [data["image"]]}}, "somebody").tree.items["spec"]
    assert found.get("image").origin.line == 1
    assert found.get("more", 0).origin.line == 1


def test_what_is_computed_is_the_platforms_own():
    data = located(applied())
    found = made({"image": f"{data['image']}-gpu", "cpu": data["cpu"] + 1}, "somebody").tree
    assert {node.origin.note for _, node in walk(found)} == {"set by somebody"}


def test_data_reads_as_bare_data():
    assert located(applied()) == applied().plain()
    assert located(None) == {}
