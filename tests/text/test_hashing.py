"""Digests of content do not depend on how the content is put together."""

from hypothesis import given
from hypothesis import strategies as st

from renderer.text.digests import canonical, digest, digest_of_members

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(TEXT, DATA, max_size=4))
def test_members_one_by_one_are_the_whole(data):
    assert digest_of_members({name: canonical(data[name]) for name in data}) == digest(data)


def test_order_is_no_difference():
    assert digest({"a": 1, "b": {"c": 2, "d": 3}}) == digest({"b": {"d": 3, "c": 2}, "a": 1})
