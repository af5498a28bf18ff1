"""YAML with its comments: what is said of a value stays with it, and the data is the same."""

import pytest
from hypothesis import strategies as st

from renderer.text.commented_yaml import Comment, comments_in, write_commented
from renderer.text.rules import KEY
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import drop_paths, uniform_tree
from tests.support.samples import tried


def rewritten(text, *dropped):
    """A text that is read and written again, without some of it."""
    tree = read(text.encode(), "a.yaml").document.tree
    return write_commented(drop_paths(tree, dropped), comments_in(text, "a.yaml"))


def test_comments_stay_where_they_are():
    text = """\
# Above it all.
first: 1  # beside
# Two lines
# above.
second:
  # Of a list.
  list:
    # The first item.
    - name: a
      text: "a # b"  # no comment in quotes
    - b  # the second
  quoted: "it's # not one"
"""
    assert rewritten(text) == text


def test_what_is_dropped_takes_its_comments_along():
    text = "# a\na: 1\n# b\nb: 2\n"
    assert rewritten(text, ("a",)) == "# b\nb: 2\n"


def test_comments_beside_a_mapping_stand_above_it():
    assert rewritten("a:  # all of it\n  b: 1\n") == "# all of it\na:\n  b: 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "a: |\n  # text\n  more\nb: 1\n",
        "a: >\n  # text\n\nb: 1\n",
        "a: 'x\n  # text\n  y'\n",
        "a: b#c\n",
        "a: http://x/#y\n",
    ],
)
def test_a_number_sign_within_a_text(text):
    assert not comments_in(text, "a")


def test_comments_beside_neighbours():
    text = "a: 1  # one\nb: 2  # two\nc:\n  - x  # three\n  - z  # four\n"
    assert rewritten(text) == text


def test_lines_of_any_ending():
    assert comments_in("a: 1  # x\r\n# y\r\nb: 2\r\n", "f") == {
        ("f", 1): Comment((), "# x"),
        ("f", 3): Comment(("# y",), ""),
    }


data = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-99, 99), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@tried(
    st.dictionaries(st.text(max_size=5), data, max_size=4), st.text(max_size=20), few=30, many=150
)
def test_data_is_never_lost(value, comment):
    tree = uniform_tree(value, Origin("a", 1))
    said = {("a", 1): Comment((f"# {comment.splitlines()[0] if comment.split() else ''}",), "#")}
    text = write_commented(tree, said)
    back = read(text.encode(), "b")
    # A key with a control character is refused by every file; nothing else may be.
    assert {item.code for item in back.problems} <= {KEY.code}
    assert back.document.tree.plain() == value
