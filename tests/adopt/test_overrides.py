"""What a file must say: with all that is inherited, the wanted spec comes out."""

from hypothesis import given
from hypothesis import strategies as st

from renderer.adopt.overrides import override
from renderer.compose.merge import merge
from renderer.compose.shapes import Shape
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree

SCHEMA = {
    "properties": {
        "plain": {},
        "map": {"properties": {"a": {}, "b": {}}},
        "words": {},
        "parts": {
            "x-list-key": ["name"],
            "items": {"properties": {"name": {}, "size": {}, "more": {}}},
        },
    }
}
SHAPE = Shape(SCHEMA, SCHEMA)
scalars = st.sampled_from([1, 2, "x"])
parts = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from("abc")},
        optional={"size": scalars, "more": st.dictionaries(st.sampled_from("pq"), scalars)},
    ),
    unique_by=lambda item: item["name"],
    max_size=3,
).map(lambda items: sorted(items, key=lambda item: item["name"]))
specs = st.fixed_dictionaries(
    {},
    optional={
        "plain": scalars,
        "map": st.dictionaries(st.sampled_from("ab"), scalars, min_size=1),
        "words": st.lists(scalars),
        "parts": parts,
    },
)
broadcasts = st.fixed_dictionaries(
    {},
    optional={
        "plain": scalars,
        "parts": st.fixed_dictionaries({}, optional={"size": scalars}),
    },
)


def node(value):
    return uniform_tree(value, Origin("a"))


def kept(value):
    """Without an empty list or mapping, which says no more than nothing does here."""
    return {key: item for key, item in value.items() if item not in ([], {})}


@given(specs, st.lists(broadcasts, max_size=2), st.lists(specs, max_size=2))
def test_the_wanted_comes_out(wanted, defaults, above):
    layers = [node(item) for item in (*defaults, *above)]
    own = override(node(wanted), layers[: len(defaults)], layers[len(defaults) :], SHAPE)
    composed = merge([*layers, own], SHAPE).tree.plain()
    names = [part["name"] for part in composed.get("parts") or []]
    if names == sorted(names):  # an order that layers above decide cannot be changed
        assert kept(composed) == kept(wanted)


def test_what_is_inherited_is_not_said_again():
    above = {"plain": 1, "parts": [{"name": "a", "size": 1}, {"name": "b"}]}
    wanted = {"plain": 1, "parts": [{"name": "a", "size": 2}]}
    own = override(node(wanted), [], [node(above)], SHAPE).plain()
    assert own == {"parts": [{"name": "a", "size": 2}, {"name": "b", "$remove": True}]}


def test_defaults_are_taken_away():
    own = override(node({"parts": [{"name": "a"}]}), [node({"parts": {"size": 1}})], [], SHAPE)
    assert own.plain() == {"parts": [{"name": "a", "size": None}]}
