"""Keys in snake_case where a kind has camelCase: which are the same, and which are left alone."""

import pytest

from renderer.compose.kind_shapes import respell
from renderer.compose.shapes import Shape
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree

SCHEMA = {
    "properties": {
        "groupName": {"type": "string"},
        "own_word": {"type": "string"},
        "workerGroups": {
            "x-list-key": ["groupName"],
            "items": {"properties": {"maxReplicas": {"type": "integer"}}},
        },
        "startParams": {"additionalProperties": {"type": "string"}},
        "config_V2": {"type": "string"},
        "serveConfigV2": {"anyOf": [{"type": "string"}, {"properties": {"route_prefix": {}}}]},
    }
}
SHAPE = Shape(SCHEMA, SCHEMA)


def as_spelled(data):
    return respell(uniform_tree(data, Origin("spec.yaml")), SHAPE).plain()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"group_name": "a"}, {"groupName": "a"}),
        ({"groupName": "a"}, {"groupName": "a"}),
        ({"own_word": "a"}, {"own_word": "a"}),
        ({"worker_groups": [{"max_replicas": 1}]}, {"workerGroups": [{"maxReplicas": 1}]}),
        ({"worker_groups": {"max_replicas": 1}}, {"workerGroups": {"maxReplicas": 1}}),
        ({"serve_config_V2": "a"}, {"serveConfigV2": "a"}),
        ({"serve_config_v2": "a"}, {"serveConfigV2": "a"}),
        ({"unheard_of": 1}, {"unheard_of": 1}),
    ],
)
def test_keys(given, meant):
    assert as_spelled(given) == meant


def test_keys_of_data_are_as_they_are():
    data = {"startParams": {"group_name": "a", "own_word": "b"}}
    assert as_spelled(data) == data
    config = {"serveConfigV2": {"route_prefix": "/", "user_config": {"group_name": 1}}}
    assert as_spelled(config) == config


def test_a_key_in_both_spellings_is_left_to_the_schema():
    data = {"groupName": "a", "group_name": "b"}
    assert as_spelled(data) == data


def test_what_is_right_is_the_same_tree():
    tree = uniform_tree(
        {"groupName": "a", "workerGroups": [{"maxReplicas": 1}]}, Origin("spec.yaml")
    )
    assert respell(tree, SHAPE) is tree


def test_order_and_places_stay():
    tree = uniform_tree({"own_word": "a", "group_name": "b"}, Origin("spec.yaml", 3, 4))
    found = respell(tree, SHAPE)
    assert list(found.items) == ["own_word", "groupName"]
    assert found.items["groupName"].origin == Origin("spec.yaml", 3, 4)
