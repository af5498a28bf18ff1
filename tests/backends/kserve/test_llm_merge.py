"""How KServe lays specs of LLM services over one another."""

from renderer.backends.kserve.llm.merge import merge, merge_all
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.rows import each


def laid(lower, upper):
    low, high = Origin("low.yaml"), Origin("high.yaml")
    return merge(uniform_tree(lower, low), uniform_tree(upper, high))


def container(name, **fields):
    return {"name": name, **fields}


def names(tree, *path):
    return [item.text_at("name") for item in tree.get(*path).elements]


#: What an upper spec cannot take away or set back, and what it can.
VALUES = {
    "maps join": ({"labels": {"a": "1"}}, {"labels": {"b": "2"}}, {"labels": {"a": "1", "b": "2"}}),
    "null says nothing": ({"replicas": 2}, {"replicas": None}, {"replicas": 2}),
    "empty text says nothing": ({"x": "a"}, {"x": ""}, {"x": "a"}),
    "an empty list says nothing": ({"tolerations": [1]}, {"tolerations": []}, {"tolerations": [1]}),
    "a switch cannot be set back": ({"expert": True}, {"expert": False}, {"expert": True}),
    "a pointer can": ({"replicas": 2}, {"replicas": 0}, {"replicas": 0}),
    "and so can its switch": ({"enabled": True}, {"enabled": False}, {"enabled": False}),
    "arguments are replaced": ({"args": ["a", "b"]}, {"args": ["c"]}, {"args": ["c"]}),
    "tolerations are replaced": ({"tolerations": [1]}, {"tolerations": [2]}, {"tolerations": [2]}),
    "members of one choice add up": (
        {"volumes": [{"name": "cache", "emptyDir": {}}]},
        {"volumes": [{"name": "cache", "persistentVolumeClaim": {"claimName": "c"}}]},
        {
            "volumes": [
                {"name": "cache", "emptyDir": {}, "persistentVolumeClaim": {"claimName": "c"}}
            ]
        },
    ),
    "ports by their numbers": (
        {"ports": [{"containerPort": 8000, "protocol": "TCP"}]},
        {"ports": [{"containerPort": 8000, "name": "http"}]},
        {"ports": [{"containerPort": 8000, "protocol": "TCP", "name": "http"}]},
    ),
}


@each("lower upper wanted", VALUES)
def test_values(lower, upper, wanted):
    assert laid(lower, upper).plain() == wanted


#: The names in a list below, in one above, and in what comes out: as apimachinery has them.
ORDERS = {
    "new ones come first": ("ab", "x", "xab"),
    "common ones keep the upper order": ("abc", "cb", "acb"),
    "one below stays before those it stood before": ("abc", "c", "abc"),
    "one below stays behind those it stood behind": ("abc", "a", "abc"),
    "a new one between common ones": ("abc", "axc", "axbc"),
    "the same": ("ab", "ab", "ab"),
    "nothing below": ("", "ab", "ab"),
}


@each("below above wanted", ORDERS)
def test_orders_of_lists(below, above, wanted):
    sides = [{"containers": [container(name) for name in side]} for side in (below, above)]
    assert names(laid(*sides), "containers") == list(wanted)


def test_values_keep_the_places_that_set_them():
    found = laid(
        {"containers": [container("main", image="a", command=["c"])]},
        {"containers": [container("main", image="b")]},
    )
    assert found.get("containers", 0, "image").origin.file == "high.yaml"
    assert found.get("containers", 0, "command", 0).origin.file == "low.yaml"


def test_several_layers():
    layers = [uniform_tree({"replicas": number}, Origin("")) for number in (1, 2, 3)]
    assert merge_all(layers).plain() == {"replicas": 3}
