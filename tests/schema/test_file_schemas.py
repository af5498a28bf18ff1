"""The schema for files: nothing required, null and variables allowed, lists may be broadcast."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.backends.kind_schemas import authoring_schema, file_schema, strict_schema
from renderer.backends.kinds import KINDS
from renderer.compose.shapes import Shape
from renderer.schema.bundle import Schema
from renderer.schema.file_schemas import authoring
from renderer.schema.validation import check
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.tree import uniform_tree
from tests.support.places import ROOT
from tests.support.rows import each

ENVIRONMENTS = ROOT / "environments"
HEADER = {"apiVersion": "serving.gitops/v1"}
MAPS = ("labels", "annotations", "nodes", "parameters", "capacity", "requests")
FULL_SERVING = {
    **HEADER,
    "kind": "Serving",
    "serving_id": "credit-risk",
    "initiator": "alice",
    "app_image": "scorer",
    "affinity_mode": "none",
    "serving_input_config": {"partyConfigs": {"alice": {"n": 1}}},
    "labels": {"team": "risk"},
    "annotations": {"note": "any text"},
    "parties": [
        {
            "domain_id": "alice",
            "role": "host",
            "replicas": 2,
            "app_image": "scorer",
            "service_name_prefix": "scorer",
            "update_strategy": {"type": "RollingUpdate", "max_surge": "1"},
            "resources": [{"container_name": "c", "min_cpu": "500m", "max_memory": "1Gi"}],
        },
        {"domain_id": "bob"},
    ],
}
FULL_CONTAINER = {
    "name": "c",
    "workingDir": "/app",
    "command": ["sh", "-c"],
    "configVolumeMounts": [{"mountPath": "/etc/a.conf", "subPath": "a.conf"}],
    "ports": [{"name": "web", "protocol": "GRPC", "scope": "Domain"}],
    "env": [{"name": "X", "value": "1"}],
    "resources": {"limits": {"cpu": 1, "memory": "1Gi"}},
    "livenessProbe": {"httpGet": {"port": "web"}, "periodSeconds": 5},
    "securityContext": {"privileged": False},
    "imagePullPolicy": "Never",
}
FULL_APPIMAGE = {
    **HEADER,
    "kind": "AppImage",
    "name": "scorer",
    "image": {"name": "registry:5000/scorer", "tag": "v1", "id": "sha256:0"},
    "configTemplates": {"a.conf": "text", "b.conf": {"file": "b.conf"}},
    "deployTemplates": [{"name": "t", "replicas": 1, "spec": {"containers": [FULL_CONTAINER]}}],
}
FULL_ENVIRONMENT = {
    **HEADER,
    "kind": "Environment",
    "destinations": [{"name": "alice", "platform": "kuscia", "domains": ["alice", "bob"]}],
}
FULL_SERVICE = {
    **HEADER,
    "kind": "InferenceService",
    "name": "flowers",
    "labels": {"team": "risk"},
    "predictor": {
        "minReplicas": 1,
        "model": {
            "modelFormat": {"name": "sklearn"},
            "resources": {"limits": {"cpu": 1, "memory": "1Gi"}},
            "env": [{"name": "X", "value": "1"}],
        },
        "tolerations": [{"key": "gpu", "effect": "NoSchedule"}],
    },
    "transformer": {"containers": [{"name": "c", "image": "example/c:v1"}], "timeout": 5},
}
FULL_RUNTIME = {
    **HEADER,
    "name": "server",
    "metadata": {"labels": {"team": "risk"}},
    "supportedModelFormats": [{"name": "own", "version": "1", "autoSelect": True, "priority": 2}],
    "containers": [{"name": "kserve-container", "image": "example/c:v1", "args": ["--a"]}],
    "disabled": False,
}
FULL_CLUSTER = {
    "rayVersion": "2.49.0",
    "enableInTreeAutoscaling": True,
    "autoscalerOptions": {"idleTimeoutSeconds": 60, "upscalingMode": "Default"},
    "headGroupSpec": {
        "computeTemplate": "small",
        "serviceType": "ClusterIP",
        "template": {
            "spec": {"containers": [{"name": "ray-head", "image": "rayproject/ray:2.49.0"}]}
        },
    },
    "workerGroupSpecs": [{"groupName": "cpu", "replicas": 1, "minReplicas": 1, "maxReplicas": 2}],
}
FULL_MESSAGE = {
    "headGroupSpec": {"computeTemplate": "small", "serviceType": "NodePort"},
    "workerGroupSpec": [
        {
            "groupName": "cpu",
            "computeTemplate": "small",
            "replicas": 1,
            "maxReplicas": 2,
            "volumes": [{"name": "d", "mountPath": "/d", "volumeType": "EMPTY_DIR"}],
        }
    ],
}
FULL_LLM = {
    "model": {"uri": "hf://acme/chat", "lora": {"adapters": [{"name": "a", "uri": "hf://a/b"}]}},
    "replicas": 2,
    "parallelism": {"tensor": 2},
    "template": {"containers": [{"name": "main", "resources": {"limits": {"cpu": "4"}}}]},
    "prefill": {"scaling": {"maxReplicas": 2, "wva": {"hpa": {}}}},
    "router": {
        "route": {"http": {"spec": {"rules": [{"backendRefs": [{"name": "chat", "port": 8000}]}]}}},
        "gateway": {"refs": [{"name": "shared", "namespace": "gateways"}]},
        "scheduler": {"config": {"ref": {"name": "scheduler", "key": "epp"}}},
    },
}
FULL: dict[str, dict[str, Any]] = {
    "ComputeTemplate": {
        **HEADER,
        "kind": "ComputeTemplate",
        "name": "small",
        "cpu": 2,
        "memory": 4,
        "tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}],
    },
    "RayCluster": {**HEADER, "kind": "RayCluster", "name": "notebooks", **FULL_CLUSTER},
    "RayJob": {
        **HEADER,
        "kind": "RayJob",
        "entrypoint": "python train.py",
        "user": "risk",
        "clusterSpec": FULL_MESSAGE,
        "prune": True,
    },
    "RayService": {
        **HEADER,
        "kind": "RayService",
        "serveConfigV2": {"applications": [{"name": "a", "import_path": "a:app"}]},
        "rayClusterConfig": FULL_CLUSTER,
        "labels": {"team": "risk"},
    },
    "InferenceService": FULL_SERVICE,
    "ServingRuntime": {**FULL_RUNTIME, "kind": "ServingRuntime"},
    "ClusterServingRuntime": {**FULL_RUNTIME, "kind": "ClusterServingRuntime"},
    "LLMInferenceService": {**HEADER, "kind": "LLMInferenceService", "name": "chat", **FULL_LLM},
    "LLMInferenceServiceConfig": {**HEADER, "kind": "LLMInferenceServiceConfig", **FULL_LLM},
    "InferenceGraph": {
        **HEADER,
        "kind": "InferenceGraph",
        "labels": {"team": "risk"},
        "nodes": {
            "root": {
                "routerType": "Splitter",
                "steps": [{"name": "a", "serviceName": "iris", "weight": 100}],
            }
        },
        "routerTimeouts": {"serverRead": 5},
        "scaleMetric": "cpu",
        "disabled": False,
    },
    "TrainedModel": {
        **HEADER,
        "kind": "TrainedModel",
        "namespace": "models",
        "inferenceService": "shared",
        "model": {"storageUri": "s3://models/iris", "framework": "sklearn", "memory": "256Mi"},
    },
    "ClusterStorageContainer": {
        **HEADER,
        "kind": "ClusterStorageContainer",
        "container": {"name": "storage-initializer", "image": "example/fetch:v1"},
        "supportedUriFormats": [{"prefix": "artifactory://"}],
        "workloadType": "initContainer",
        "disabled": False,
    },
    "LocalModelCache": {
        **HEADER,
        "kind": "LocalModelCache",
        "sourceModelUri": "hf://acme/chat",
        "modelSize": "16Gi",
        "nodeGroups": ["gpu"],
        "storage": {"key": "hub", "parameters": {"region": "eu"}},
    },
    "LocalModelNodeGroup": {
        **HEADER,
        "kind": "LocalModelNodeGroup",
        "storageLimit": "500Gi",
        "persistentVolumeSpec": {"capacity": {"storage": "500Gi"}, "local": {"path": "/models"}},
        "persistentVolumeClaimSpec": {"resources": {"requests": {"storage": "500Gi"}}},
    },
    "Serving": FULL_SERVING,
    "AppImage": FULL_APPIMAGE,
    "Environment": FULL_ENVIRONMENT,
}


def findings(data: Any, schema: Schema) -> list[Diagnostic]:
    return list(check(uniform_tree(data, Origin("spec.yaml")), schema))


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values, containers included, the root not."""
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in entries:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from leaves(value, (*path, key))


def replaced(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(data)
    owner = at(changed, path[:-1])
    owner[path[-1]] = value
    return changed


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for segment in path:
        data = data[segment]
    return data


FIXED = {("apiVersion",), ("kind",), ("destinations", 0, "platform")}  # they choose the schema
PATHS = [(kind, path) for kind, data in FULL.items() for path in leaves(data)]
KEYS = [(kind, path) for kind, path in PATHS if isinstance(path[-1], str)]
SCALARS = [(k, path) for k, path in PATHS if not isinstance(at(FULL[k], path), dict | list)]


def places(chosen: list[tuple[str, tuple[Any, ...]]]) -> Any:
    return each("kind path", chosen, lambda row: f"{row[0]}-{'.'.join(map(str, row[1]))}")


@pytest.mark.parametrize("kind", KINDS)
def test_the_complete_specs_here_are_complete(kind: str):
    assert findings(FULL[kind], strict_schema(kind)) == []
    assert findings(FULL[kind], authoring_schema(kind)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_required(kind: str):
    assert findings({}, authoring_schema(kind)) == []
    assert findings({}, strict_schema(kind)) != []


@pytest.mark.parametrize(
    "data",
    [{"parties": []}, {"parties": [{}]}, {"parties": [{"update_strategy": {}}]}],
    ids=["empty-list", "empty-item", "empty-mapping"],
)
def test_nothing_is_required_in_depth(data: Any):
    assert findings(data, authoring_schema("Serving")) == []


@places([item for item in KEYS if item[1] not in FIXED])
def test_null_takes_away_any_key(kind: str, path: tuple[Any, ...]):
    assert findings(replaced(FULL[kind], path, None), authoring_schema(kind)) == []


@pytest.mark.parametrize("text", ["${vars.name}", "a-${vars.name}-z"])
@places([item for item in SCALARS if item[1] not in FIXED])
def test_variables_stand_for_any_scalar(kind: str, path: tuple[Any, ...], text: str):
    assert findings(replaced(FULL[kind], path, text), authoring_schema(kind)) == []


@pytest.mark.parametrize("value", [None, "${vars.name}"], ids=["null", "variable"])
@places([item for item in KEYS if item[1] in FIXED])
def test_what_chooses_the_schema_is_written_out(kind: str, path: tuple[Any, ...], value: Any):
    assert findings(replaced(FULL[kind], path, value), authoring_schema(kind)) != []


@pytest.mark.parametrize("text", ["$vars.name", "${name}", "{vars.name}", "${vars.}"])
def test_only_the_variable_syntax_is_let_through(text: str):
    data = replaced(FULL_SERVING, ("parties", 0, "replicas"), text)
    assert [item.code for item in findings(data, authoring_schema("Serving"))] == ["SPC012"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("Serving", {"parties": {"replicas": 2}}),
        ("Serving", {"parties": {"resources": {"max_cpu": "1"}}}),
        ("Serving", {"parties": [{"resources": {"max_cpu": "${vars.cpu}"}}]}),
        ("AppImage", {"deployTemplates": {"spec": {"containers": {"ports": {"scope": "Local"}}}}}),
        ("AppImage", {"deployTemplates": {"spec": {"containers": {"env": {"value": None}}}}}),
        ("Environment", {"destinations": {"domains": ["alice"]}}),
    ],
    ids=["plain", "nested", "in-an-item", "three-deep", "with-null", "destinations"],
)
def test_a_mapping_speaks_to_every_item_of_a_keyed_list(kind: str, data: Any):
    assert findings(data, authoring_schema(kind)) == []
    assert findings({**FULL[kind], **data}, strict_schema(kind)) != []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"parties": {"replica": 2}}, 'unknown key "replica" in parties'),
        ({"parties": {"resources": {"cpu": "1"}}}, 'unknown key "cpu" in parties.resources'),
        ({"parties": {"replicas": "two"}}, 'parties.replicas is "two", not a whole number'),
        ({"parties": 3}, "parties is 3, not a list of at least one party"),
    ],
    ids=["unknown", "unknown-nested", "type", "neither"],
)
def test_a_broadcast_is_checked_like_an_item(data: Any, message: str):
    (found,) = findings(data, authoring_schema("Serving"))
    assert found.message.startswith(message)


def test_other_lists_are_not_broadcast():
    data = replaced(FULL_ENVIRONMENT, ("destinations", 0, "domains"), {"alice": None})
    assert [item.code for item in findings(data, authoring_schema("Environment"))] == ["SPC012"]


MAPPINGS = [
    (kind, path)
    for kind, path in [(kind, ()) for kind in FULL] + PATHS
    if isinstance(at(FULL[kind], path), dict)
    and not {"serving_input_config", "configTemplates", "limits", *MAPS} & set(path)
]


@places(MAPPINGS)
def test_unknown_keys_are_errors_at_every_depth(kind: str, path: tuple[Any, ...]):
    data = replaced(FULL[kind], (*path, "unheard_of"), 1)
    (found,) = findings(data, authoring_schema(kind))
    assert (found.code, found.message.split(" in ")[0]) == ("SPC010", 'unknown key "unheard_of"')


@pytest.mark.parametrize("kind", KINDS)
def test_descriptions_stay_where_editors_look(kind: str):
    strict, loose = strict_schema(kind), authoring_schema(kind)
    owners = [(strict, loose)]
    owners += [(s, loose["definitions"][n]) for n, s in strict.get("definitions", {}).items()]
    for before, after in owners:
        for name, part in before.get("properties", {}).items():
            shown = after["properties"][name]
            for note in ("description", "default", "examples"):
                assert shown.get(note) == part.get(note), name


def test_the_strict_schema_is_left_as_it_was():
    before = copy.deepcopy(strict_schema("AppImage"))
    authoring(strict_schema("AppImage"))
    assert strict_schema("AppImage") == before


EXAMPLES = sorted(ENVIRONMENTS.rglob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=[str(p.relative_to(ENVIRONMENTS)) for p in EXAMPLES])
def test_the_examples_pass(path: Path):
    tree = read(path.read_bytes(), path.name).document.tree
    kind = tree and tree.get("kind")
    assert tree
    assert kind
    assert list(check(tree, authoring_schema(str(kind.value)))) == []


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_what_is_left_of_a_complete_spec_passes(data: st.DataObject):
    """Delete some keys and set others to null: still a file that may contribute."""
    kind = data.draw(st.sampled_from(sorted(FULL)))
    spec = copy.deepcopy(FULL[kind])
    keys = [path for path in leaves(spec) if isinstance(path[-1], str) and path not in FIXED]
    chosen = data.draw(st.lists(st.sampled_from(keys), max_size=8, unique=True))
    for path in sorted(chosen, key=len, reverse=True):  # children first, so that paths stay valid
        owner = at(spec, path[:-1])
        owner[path[-1]] = None
        if data.draw(st.booleans()):
            del owner[path[-1]]
    assert findings(spec, authoring_schema(kind)) == []


VALUES = st.none() | st.booleans() | st.integers(-1, 3) | st.sampled_from(["", "a", "1Gi", "A b"])


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(PATHS), VALUES | st.lists(VALUES, max_size=2))
def test_whatever_is_strictly_right_is_right_in_a_file(place: Any, value: Any):
    kind, path = place
    spec = replaced(FULL[kind], path, value)
    if not findings(spec, strict_schema(kind)):
        assert findings(spec, authoring_schema(kind)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_judged_by_what_editors_get(kind):
    """There are no definitions that nothing refers to."""
    everything = uniform_tree({"defaults": {name: {} for name in KINDS}}, Origin("x"))
    ours = file_schema(kind, everything)
    assert ours == authoring_schema(kind)
    assert '"$ref"' in json.dumps(ours)
    assert set(re.findall(r'"#/definitions/([^"]+)"', json.dumps(ours))) == set(ours["definitions"])


def test_an_environment_is_judged_by_what_it_speaks_of():
    """Of kinds without defaults there is only the name, so that a slip is still recognised."""
    editors = authoring_schema("Environment")["properties"]["defaults"]["anyOf"][0]["properties"]
    tree = uniform_tree({"defaults": {"Serving": {}, "Unheard": {}}}, Origin("x"))
    schema = file_schema("Environment", tree)
    ours = schema["properties"]["defaults"]["anyOf"][0]["properties"]
    assert ours.keys() == editors.keys()
    assert ours["Serving"] == editors["Serving"]
    assert len(json.dumps(schema)) < len(json.dumps(authoring_schema("Environment"))) / 4


def alike(path, left, right):
    """Whether two shapes merge alike, at a place and everywhere below it that either describes."""
    assert (left.list_key, left.additions) == (right.list_key, right.additions)
    assert (left.is_json_text, left.is_quantity) == (right.is_json_text, right.is_quantity)
    if len(path) > 12:
        return
    if left.list_key or "items" in left._schema:
        alike((*path, 0), left.item(), right.item())
        return
    for key in {*left._properties, *right._properties, "other"} - {"$remove"}:
        alike((*path, key), left.member(key), right.member(key))


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"Environment"}))
def test_defaults_merge_as_specs_do(kind):
    strict, environment = strict_schema(kind), strict_schema("Environment")
    defaults = Shape(environment, environment).member("defaults").member(kind)
    for key in strict["properties"].keys() - {"apiVersion", "kind", "disabled"}:
        alike((key,), Shape(strict, strict).member(key), defaults.member(key))
