"""Trees that remember their origins: looked at from outside."""

from hypothesis import given
from hypothesis import strategies as st

from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, Step, uniform_tree, walk

HERE = Origin("f")
DATA = st.recursive(
    st.none() | st.text("ab", max_size=1),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
    ),
)


def visited(node, path):
    """The same as a walk, in as few words as possible."""
    yield path, node
    children = node.items.items() if node.items else enumerate(node.elements)
    for key, child in children:
        yield from visited(child, (*path, key))


@given(DATA)
def test_a_walk_meets_every_node_parents_first(data):
    tree = uniform_tree(data, HERE)
    assert list(walk(tree, ("from",))) == list(visited(tree, ("from",)))


def test_a_walk_does_not_care_how_deep_a_tree_is():
    tree = Node("end", HERE)
    for _ in range(5000):
        tree = Node((tree,), HERE)
    *_, (path, last) = walk(tree)
    assert (len(path), last.value) == (5000, "end")


def test_other_members_in_the_same_place():
    gone = {"a": (Step(HERE, None),)}
    node = Node({"b": Node(1, HERE)}, HERE, Origin("k"), "text", (Step(HERE, None),), gone)
    assert node.with_members({}) == node._replace(value={})
    assert node.with_members({}, {}) == node._replace(value={}, gone={})
