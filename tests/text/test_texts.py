"""The quick look at all texts of a tree finds wherever a closer look would."""

import json

from hypothesis import example
from hypothesis import strategies as st

from renderer.backends.kinds import KINDS
from renderer.rules.secrets import RULES, found_in, secrets_from_variables
from renderer.values.diagnostics import Origin
from renderer.values.model import Spec, SpecPart
from renderer.values.tree import Node
from tests.support.samples import tried

#: Names of secrets, what is beside them, texts that hold one, and texts that only look like it.
KEYS = ("dbPassword", "x.io/api-KEY", "to\u212aen", "name", "value", "featureMapping", "mode")
WORDS = (
    "password", "--token", "--secret=x", "-p", "hunter2", "", "${vars.k}", "/run/x", "token: x",
    "-----BEGIN PRIVATE KEY-----", "http://user:pw@host", "tokenizer", '{"password": 5}',
    "a: 1\npassword: x", "API_KEY=x run", "curl -u a:b",
)  # fmt: skip
_keys, _words = st.sampled_from(KEYS), st.sampled_from(WORDS)


def _within(children):
    return (
        st.lists(children, max_size=3)
        | st.dictionaries(_keys, children, max_size=3)
        | children.map(json.dumps)
        | children.map(_escaped)
    )


def _escaped(value):
    """JSON in which every letter is written by its number."""
    text = json.dumps(value)
    return "".join(f"\\u{ord(c):04x}" if c.isalpha() else c for c in text)


_data = st.recursive(_words | st.integers() | st.booleans() | st.none(), _within, max_leaves=8)


def tree_of(value, is_filled):
    """A tree some of whose values were filled in by variables."""
    origin = Origin("a.yaml", note="with ${vars.k}" if is_filled(value) else "")
    if isinstance(value, dict):
        return Node({key: tree_of(child, is_filled) for key, child in value.items()}, origin)
    if isinstance(value, list):
        return Node(tuple(tree_of(child, is_filled) for child in value), origin)
    return Node(value, origin)


@st.composite
def trees(draw):
    data = draw(st.dictionaries(_keys, _data, max_size=3))
    return tree_of(data, lambda _: draw(st.booleans()))


def example_of(value):
    return example(tree_of(value, lambda given: given == "hunter2"), "Serving")


@tried(trees(), st.sampled_from(sorted(KINDS)), few=30, many=100)
@example_of({"mode": _escaped({"password": "a"})})
@example_of({"mode": _escaped(["http://user:pw@host"])})
def test_nothing_is_missed_in_a_file(tree, kind):
    part = SpecPart(KINDS[kind], "a", "dev", "a.yaml", tree, ())
    expected = found_in(tree, KINDS[kind])
    for rule in RULES:
        assert list(rule.check(part)) == [item for code, item in expected if code == rule.code]


@tried(trees(), st.sampled_from(sorted(KINDS)), few=30, many=100)
@example_of({"name": "password", "value": "hunter2"})
@example_of({"mode": ["--token", "hunter2"]})
@example_of({"mode": [{"dbPassword": "hunter2"}]})
def test_nothing_is_missed_that_variables_filled_in(tree, kind):
    found = (item for _, item in found_in(tree, KINDS[kind]))
    expected = [item for item in found if _reached(tree, item.path).origin.note]
    spec = Spec(KINDS[kind], "a", "dev", ("a.yaml",), tree)
    assert [told.finding for told in secrets_from_variables(spec)] == expected


def _reached(tree, path):
    """The node of a path, or the text that it leads on into."""
    for segment in path:
        tree = tree.step(segment) or tree
    return tree
