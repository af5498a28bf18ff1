"""Deployment graphs of old API servers, as serve configs."""

import base64
import json

import pytest
import yaml

from renderer.backends.kuberay.serve_config.deployment_graph import convert_graph
from renderer.backends.kuberay.serve_config.document import config_text
from renderer.text.yaml_reader import read

FILE = "environments/dev/scorer.yaml"
PATH = ("serveDeploymentGraphSpec",)
#: As the API server's documentation has it, with words instead of placeholders.
GRAPH = {
    "importPath": "fruit.app",
    "runtimeEnv": "working_dir: https://example.com/fruit.zip\n",
    "serveConfigs": [
        {
            "deploymentName": "Fruit",
            "replicas": 2,
            "routePrefix": "/fruit",
            "maxConcurrentQueries": 10,
            "userConfig": "price: 3\n",
            "autoscalingConfig": "",
            "actorOptions": {
                "runtimeEnv": "",
                "cpus": 0.5,
                "gpu": 0,
                "memory": "1000",
                "objectStoreMemory": 0,
                "resource": '{"TPU": 1}',
                "accceleratorType": "A100",
            },
        },
        {"deploymentName": "Router", "replicas": 0, "routePrefix": ""},
    ],
}
PLACEHOLDERS = {
    "importPath": "string",
    "runtimeEnv": "string",
    "serveConfigs": [
        {
            "deploymentName": "string",
            "replicas": 0,
            "routePrefix": "string",
            "maxConcurrentQueries": 0,
            "userConfig": "string",
            "autoscalingConfig": "string",
            "actorOptions": {
                "runtimeEnv": "string",
                "cpus": 0,
                "gpu": 0,
                "memory": 0,
                "objectStoreMemory": 0,
                "resource": "string",
                "accceleratorType": "string",
            },
        }
    ],
}


def config(graph, version=None):
    source = yaml.safe_dump({PATH[0]: graph}, sort_keys=False)
    tree = read(source.encode(), FILE).document.tree
    return convert_graph(tree.get(*PATH), PATH, version)


def only(**deployment):
    return {"importPath": "a.b", "serveConfigs": [{"deploymentName": "A", **deployment}]}


def deployment(graph, version=None):
    found = config(graph, version)
    assert (found.problems, found.misfits) == ((), ())
    return yaml.safe_load(config_text(found).value)["applications"][0]["deployments"][0]


def test_a_graph_becomes_one_application():
    found = config(GRAPH)
    assert (found.problems, found.misfits) == ((), ())
    assert (
        config_text(found).value
        == """\
applications:
- name: default
  route_prefix: /fruit
  import_path: fruit.app
  runtime_env:
    working_dir: https://example.com/fruit.zip
  deployments:
  - name: Fruit
    num_replicas: 2
    max_ongoing_requests: 10
    user_config:
      price: 3
    ray_actor_options:
      num_cpus: 0.5
      memory: 1000
      resources:
        TPU: 1
      accelerator_type: A100
  - name: Router
"""
    )


def test_values_keep_their_places():
    found = config(GRAPH)
    assert found.tree.get("applications", 0, "import_path").origin.place == (FILE, 2, 15)
    finding = found.finding(("applications", 0, "deployments", 0, "num_replicas"), "no")
    assert (finding.path, finding.origin.place) == (PATH, (FILE, 8, 15))
    key = found.finding(("applications", 0, "deployments", 0, "user_config"), "no", at_key=True)
    assert key.origin.place == (FILE, 11, 5)
    assert found.finding(("applications", 0, "name"), "no").origin is None


@pytest.mark.parametrize(
    ("version", "requests", "target"),
    [
        (None, "max_ongoing_requests", "target_ongoing_requests"),
        ((2, 10, 0), "max_ongoing_requests", "target_ongoing_requests"),
        ((2, 9, 3), "max_concurrent_queries", "target_num_ongoing_requests_per_replica"),
    ],
)
def test_the_version_decides_names(version, requests, target):
    scaling = "target_num_ongoing_requests_per_replica: 3\nmax_replicas: 4\n"
    graph = only(replicas=2, maxConcurrentQueries=5, autoscalingConfig=scaling)
    assert deployment(graph, version) == {
        "name": "A",
        requests: 5,
        "autoscaling_config": {target: 3, "max_replicas": 4},
    }


@pytest.mark.parametrize("text", ["pip: [a]", base64.b64encode(b"pip: [a]").decode()])
def test_runtime_environments_are_plain_or_encoded(text):
    found = config({"importPath": "a.b", "runtimeEnv": text})
    assert found.tree.get("applications", 0, "runtime_env").plain() == {"pip": ["a"]}


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"cpusPerActor": 2}, "num_cpus"),
        ({"cpusPerActor": 2, "cpus": 2}, "num_cpus"),
        ({"gpusPerActor": 2}, "num_gpus"),
        ({"gpu": 2}, "num_gpus"),
        ({"memoryPerActor": 2}, "memory"),
        ({"objectStoreMemoryPerActor": 2}, "object_store_memory"),
    ],
)
def test_options_have_two_names(options, key):
    assert deployment(only(actorOptions=options))["ray_actor_options"] == {key: 2}


@pytest.mark.parametrize(
    ("graph", "place", "message"),
    [
        (only(actorOptions={"cpus": 1, "cpusPerActor": 2}), ("actorOptions", "cpus"), "differ"),
        (only(userConfig="a: ["), ("userConfig",), "no YAML mapping"),
        (only(userConfig="- a"), ("userConfig",), "no YAML mapping"),
        (only(autoscalingConfig="&a [*a]"), ("autoscalingConfig",), "no YAML mapping"),
    ],
)
def test_what_cannot_be_converted(graph, place, message):
    [found] = config(graph).problems
    assert found.path == (*PATH, "serveConfigs", 0, *place)
    assert message in found.message


def test_several_routes_are_no_application():
    routes = [{"deploymentName": n, "routePrefix": f"/{n}"} for n in ("a", "b", "a")]
    [found] = config({"importPath": "a.b", "serveConfigs": routes}).problems
    assert found.path == (*PATH, "serveConfigs", 1, "routePrefix")
    assert "/a and /b" in found.message


def test_placeholders_are_told():
    found = config(PLACEHOLDERS)
    told = {finding.path[-1] for finding in found.problems}
    assert told == {"runtimeEnv", "userConfig", "autoscalingConfig", "resource"}
    assert [finding.message.partition(" is ")[0] for finding in found.misfits] == [
        "applications[0].route_prefix",
        "applications[0].import_path",
    ]
    assert all(finding.origin.file == FILE for finding in found.misfits)


@pytest.mark.parametrize("graph", [{}, {"serveConfigs": []}, {"serveConfigs": [{}]}])
def test_an_empty_graph_has_no_import_path(graph):
    assert any("'import_path' is missing" in item.message for item in config(graph).misfits)


def test_json_is_taken_as_well():
    text = json.dumps({PATH[0]: GRAPH})
    tree = read(text.encode(), FILE).document.tree
    assert (
        config_text(convert_graph(tree.get(*PATH), PATH, None)).value
        == config_text(config(GRAPH)).value
    )
