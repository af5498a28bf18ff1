"""What an environment says of its clusters, beside what these have."""

import json

import pytest
from jsonschema import Draft7Validator

from renderer.live import provided
from renderer.outputs.status import FORMATS
from renderer.schema.bundle import bundled_schema
from renderer.values.live import LiveObject, LiveObjects
from renderer.values.statuses import EnvironmentStatus
from renderer.values.tree import constant
from tests.support.memory import project

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: east, platform: kubernetes, namespace: models}]
kubernetes: {version: "1.33"}
references:
  provided: [Secret/pull, StorageClass/fast, {kind: LocalQueue, name: gpus, namespace: other}]
"""
SERVICE = """\
apiVersion: serving.gitops/v1
kind: InferenceService
namespace: risk
predictor:
  imagePullSecrets: [{name: pull}]
  model: {modelFormat: {name: sklearn}, storageUri: 's3://models/flowers/v1'}
"""


@pytest.fixture
def environment():
    files = {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": ENVIRONMENT,
        "environments/dev/flowers.yaml": SERVICE,
    }
    return project(files).environment("dev")


def live(*objects, unread=()):
    """Objects at the destination, each a version, kind, namespace and name."""
    trees = (
        {"apiVersion": version, "kind": kind, "metadata": {"namespace": space, "name": name}}
        for version, kind, space, name in objects
    )
    found = tuple(LiveObject(constant(tree, "live")) for tree in trees)
    return {"east": LiveObjects(found, dict.fromkeys(unread, "forbidden"))}


THERE = (
    ("v1", "Secret", "risk", "pull"),
    ("storage.k8s.io/v1", "StorageClass", "", "fast"),
    ("kueue.x-k8s.io/v1beta1", "LocalQueue", "other", "gpus"),
)


def missing(environment, found):
    places = provided.provided_places(environment)
    return [item.object for item in provided.missing_objects(places, found)]


def test_names_are_asked_for_where_they_are_needed(environment):
    places = provided.provided_places(environment)
    asked = [
        (query.resource, query.namespace, query.are_names_enough, query.required)
        for query in provided.provided_queries(places)
    ]
    assert asked == [
        ("secret", "risk", True, False),
        ("storageclass.storage.k8s.io", "", True, False),
        ("localqueue.kueue.x-k8s.io", "other", True, False),
    ]


def test_all_that_is_provided_is_there(environment):
    assert missing(environment, live(*THERE)) == []


def test_what_is_in_another_namespace_is_not_there(environment):
    elsewhere = ("v1", "Secret", "models", "pull")
    assert missing(environment, live(elsewhere, *THERE[1:])) == ["Secret risk/pull"]


def test_of_what_cannot_be_read_nothing_is_said(environment):
    assert missing(environment, live(*THERE[1:], unread=["Secret"])) == []


def test_it_is_shown_and_is_not_well(environment):
    places = provided.provided_places(environment)
    found = EnvironmentStatus("dev", (), missing=tuple(provided.missing_objects(places, live())))
    assert not found.is_well
    text = FORMATS["text"]([found])
    assert "Secret risk/pull at east is not there, and environments/dev/environment.yaml:6" in text
    report = json.loads(FORMATS["json"]([found]))
    Draft7Validator(bundled_schema("reports/status.json")).validate(report)
    assert report["missing"][1]["object"] == "StorageClass fast"
