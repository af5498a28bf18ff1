"""The pod of a predictor: the runtime below, the service above, and what KServe adds."""

import time

import pytest

from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.merged_container import (
    Metadata,
    RuntimeSpec,
    predictor_pod,
    service_metadata,
    serving_container,
)
from renderer.backends.kserve.shipped_containers import shipped_container
from renderer.kubernetes.data import merge_strategically

META = Metadata("iris", "ml", {"team": "a"}, {"note": "n"})
CONTAINER = {
    "name": "kserve-container",
    "image": "example/server:1.0",
    "args": ["--model_name={{.Name}}"],
    "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
    "resources": {"limits": {"cpu": "1", "memory": "2Gi"}},
}
SIDE = {"name": "side", "image": "example/side:1", "args": ["{{.Name}}"]}
OURS = RuntimeSpec("ours", {"containers": [SIDE, CONTAINER], "nodeSelector": {"pool": "cpu"}})


def shipped(name):
    container = shipped_container(name, Dialect())
    assert container is not None
    return RuntimeSpec(name, {"containers": [container.plain()]})


@pytest.mark.parametrize(
    ("below", "above", "order"),
    [
        ("AB", "C", "CAB"),
        ("AB", "BC", "ABC"),
        ("AB", "CB", "CAB"),
        ("ABC", "CA", "BCA"),
        ("", "A", "A"),
        ("AB", "", "AB"),
    ],
)
def test_lists_with_keys_join_in_the_order_of_kubernetes(below, above, order):
    lists = [{"env": [{"name": name} for name in names]} for names in (below, above)]
    assert "".join(item["name"] for item in merge_strategically(*lists)["env"]) == order


def test_mappings_join_and_other_lists_are_replaced():
    below = {"a": {"x": 1, "y": 2}, "command": ["one"], "envFrom": [{"prefix": "A"}]}
    above = {"a": {"y": 3}, "command": ["two", "three"], "envFrom": [{"prefix": "B"}]}
    assert merge_strategically(below, above) == {**above, "a": {"x": 1, "y": 3}}


FIELD = {"valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}


@pytest.mark.parametrize(("lower", "upper"), [({"value": "1"}, FIELD), (FIELD, {"value": "1"})])
def test_a_variable_of_the_server_has_one_source(lower, upper):
    listed = [{"env": [{"name": "A", **source}]} for source in (lower, upper)]
    begun = RuntimeSpec("ours", {"containers": [{"name": "kserve-container", **listed[0]}]})
    assert serving_container(begun, listed[1], META)["env"] == listed[1]["env"]
    # Kubernetes' own merge, by which init containers are joined, has both
    assert merge_strategically(*listed)["env"] == [{"name": "A", **lower, **upper}]


def test_long_lists_join_in_time():
    below = [{"name": str(number)} for number in range(200_000)]
    begun = time.perf_counter()
    assert len(merge_strategically({"env": below}, {"env": below[-1:]})["env"]) == 200_000
    assert time.perf_counter() - begun < 3


def test_arguments_are_joined_and_placeholders_filled():
    own = {
        "name": "",
        "resources": {},
        "args": ["--label={{ .Labels.team }}", "{{.Annotations.gone}}", "{{if}}"],
    }
    found = serving_container(OURS, own, META)
    wanted = ["--model_name=iris", "--label=a", "", "{{if}}"]
    assert (found["name"], found["args"]) == ("kserve-container", wanted)


def test_the_pod_has_both_and_its_containers_in_order():
    beside = {"name": "transformer-container", "image": "t", "args": ["{{.Name}}"]}
    predictor = {
        "model": {"resources": {"limits": {"cpu": "2"}}},
        "containers": [{"name": "other", "image": "o"}, beside],
        "nodeSelector": {"zone": "a"},
        "minReplicas": 2,
    }
    pod = predictor_pod(OURS, predictor, META)
    names = ["kserve-container", "transformer-container", "side", "other"]
    assert [item["name"] for item in pod["containers"]] == names
    assert pod["nodeSelector"] == {"pool": "cpu", "zone": "a"}
    assert pod["containers"][0]["resources"] == {"limits": {"cpu": "2", "memory": "2Gi"}}
    assert [item["args"] for item in pod["containers"][1:3]] == [["iris"], ["{{.Name}}"]]
    assert all(
        item["env"][-1] == {"name": "INFERENCE_SERVICE_NAME", "value": "iris"}
        for item in pod["containers"]
    )
    assert set(pod) == {"nodeSelector", "containers"}


def test_the_name_of_the_service_is_not_the_users():
    env = [{"name": "INFERENCE_SERVICE_NAME", "value": "x"}, {"name": "Z", "value": "z"}]
    pod = predictor_pod(RuntimeSpec("unknown"), {"model": {"env": env}}, META)
    assert pod["containers"][0]["env"] == [{**env[0], "value": "iris"}, env[1]]


GPU = {"resources": {"limits": {"nvidia.com/gpu": "1"}}}
SLICE = {"resources": {"limits": {"nvidia.com/mig-1g.5gb": "1"}}}
IMAGES = [
    ("kserve-tensorflow-serving", {"runtimeVersion": "2.7.1"}, "tensorflow/serving:2.7.1"),
    ("kserve-tensorflow-serving", GPU, "tensorflow/serving:2.6.2-gpu"),
    ("kserve-tensorflow-serving", SLICE, "tensorflow/serving:2.6.2-gpu"),
    (
        "kserve-tensorflow-serving",
        {**GPU, "runtimeVersion": "2.7.1"},
        "tensorflow/serving:2.7.1",
    ),
    ("kserve-tritonserver", GPU, "nvcr.io/nvidia/tritonserver:23.05-py3"),
    ("kserve-vllmserver", GPU, "vllm/vllm-openai:v0.20.0"),
    ("kserve-vllmserver", {}, "vllm/vllm-openai-cpu:v0.20.0"),
    ("kserve-sklearnserver", {"image": "r.example.com:5000/s"}, "r.example.com:5000/s"),
    (
        "kserve-sklearnserver",
        {"image": "r.example.com:5000/s", "runtimeVersion": "v1"},
        "r.example.com:5000/s:v1",
    ),
    (
        "kserve-sklearnserver",
        {"image": f"s@sha256:{'0' * 64}", "runtimeVersion": "v1"},
        f"s@sha256:{'0' * 64}",
    ),
]


@pytest.mark.parametrize(("runtime", "model", "image"), IMAGES)
def test_the_image(runtime, model, image):
    assert serving_container(shipped(runtime), model, META)["image"] == image


def test_what_some_servers_get():
    model = {"modelFormat": {"name": "xgboost"}, "storageUri": "gs://a", "protocolVersion": "v2"}
    ml, torch = shipped("kserve-mlserver"), shipped("kserve-torchserve")
    found = {item["name"]: item["value"] for item in serving_container(ml, model, META)["env"]}
    assert found["MLSERVER_MODEL_IMPLEMENTATION"] == "mlserver_xgboost.XGBoostModel"
    assert (found["MLSERVER_MODEL_NAME"], found["MLSERVER_MODEL_URI"]) == ("iris", "/mnt/models")
    assert service_metadata(torch, model, META).labels["serviceEnvelope"] == "kservev2"
    env = serving_container(torch, model, META)["env"]
    assert {"name": "PROTOCOL_VERSION", "value": "v2"} in env
    assert {"name": "TS_SERVICE_ENVELOPE", "value": "kservev2"} in env
    triton = serving_container(shipped("kserve-tritonserver"), {}, META)
    assert triton["args"][-1] == "--model-control-mode=explicit"
