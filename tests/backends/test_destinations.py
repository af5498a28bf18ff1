"""What several backends say of destinations: joined, without losing what merges by key."""

import json

import pytest

from renderer.backends.kind_schemas import destination_schema
from renderer.backends.kuscia import KUSCIA
from renderer.compose.shapes import Shape
from tests.toys.batches import BATCHES
from tests.toys.predictors import PREDICTORS


def shape_of(*backends):
    definitions = {}
    schema = destination_schema(backends, definitions)
    return Shape(schema, {**schema, "definitions": definitions})


@pytest.mark.parametrize(
    "backends",
    [(PREDICTORS, BATCHES), (KUSCIA, PREDICTORS, BATCHES), (BATCHES, KUSCIA, PREDICTORS)],
    ids=lambda backends: "+".join(item.name for item in backends),
)
def test_every_list_has_its_key(backends):
    shape = shape_of(*backends)
    assert shape.member("pools").list_key == ("name",)
    assert shape.member("queues").list_key == ("id",)
    assert shape.member("domains").list_key == ()


def test_one_backend_is_taken_as_it_is():
    definitions = {}
    schema = destination_schema([KUSCIA], definitions)
    assert not definitions
    assert schema["title"] == "Kuscia control plane"


def test_equal_properties_join_and_needs_add_up():
    schema = destination_schema([PREDICTORS, BATCHES], {})
    assert [*schema["properties"]] == [
        "name", "platform", "cluster", "namespace", "pools", "queues",
        "server", "kubeconfig_secret", "project",
    ]  # fmt: skip
    assert schema["required"] == ["name", "platform"]


def test_platforms_are_told_apart_by_their_names():
    schema = destination_schema([KUSCIA, PREDICTORS, BATCHES], {})
    assert schema["x-by"] == {"platform": ["kuscia", "kubernetes"]}
    assert len(schema["anyOf"]) == 2


@pytest.mark.parametrize(
    ("properties", "definitions", "name"),
    [
        ({"namespace": {"type": "integer"}}, {}, "namespace"),
        ({"pools": {"type": "array"}}, {}, "pools"),
        ({"other": {"$ref": "#/definitions/pool"}}, {"pool": {"type": "string"}}, "pool"),
    ],
    ids=["a property", "the key of a list", "a definition"],
)
@pytest.mark.parametrize("platform", ["kubernetes", "another"])
def test_unequal_ones_are_refused(tmp_path, properties, definitions, name, platform):
    path = tmp_path / "destination.json"
    path.write_text(json.dumps({"properties": properties, "definitions": definitions}))
    other = BATCHES._replace(destination_schema=str(path), platform=platform)
    if (platform, name) == ("another", "namespace"):  # only its own platform has to agree
        assert destination_schema([PREDICTORS, other], {})
        return
    with pytest.raises(ValueError, match=f"two backends disagree about '{name}'"):
        destination_schema([PREDICTORS, other], {})
