"""What KServe makes of the shapes that LLM services have."""

import json
from functools import cache

import pytest
import yaml

from renderer import load, render
from renderer.backends.kserve.llm.derive.derivation import derive
from renderer.errors import UsageError
from renderer.inspect.applied_specs import applied_specs
from renderer.inspect.preview import made_objects, preview
from renderer.inspect.trace import trace_made
from tests.support.adoption import in_memory
from tests.support.places import ROOT
from tests.support.rows import each

GOLDEN = ROOT / "tests/golden/kserve/llm-shapes"
PART_OF = "llminferenceservice"


def repository_files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.glob("environments/**/*.yaml")
    }


@cache
def state():
    project = load(GOLDEN)
    return project, render(project)


@cache
def shape(name):
    """The units of a service of the golden case, by their names."""
    project, rendering = state()
    (environment,) = project.environments
    spec = next(item for item in environment.specs if item.stem == name)
    found = preview(project, rendering, environment, spec, {})
    return {unit.unit: unit for unit in found.units}


def made(name, kind, unit="main"):
    return next(item.content for item in shape(name)[unit].objects if item.kind == kind)


def kinds(name, unit="main"):
    return [item.kind for item in shape(name)[unit].objects]


def server(name, unit="main"):
    pod = made(name, "Deployment", unit)["spec"]["template"]["spec"]
    return next(item for item in pod["containers"] if item["name"] == "main"), pod


def shown(name, word, unit="main"):
    return next(text for key, text in shape(name)[unit].objects[0].summary if key == word)


def last_shown(name, word, unit="main"):
    *_, last = (text for key, text in shape(name)[unit].objects[0].summary if key == word)
    return last


def test_tensor_parallel():
    assert list(shape("tensor")) == ["main", "scheduler"]
    assert kinds("tensor") == ["Deployment", "Service", "Secret", "HTTPRoute"]
    lines = last_shown("tensor", "runs").split("\n")
    assert "--tensor-parallel-size 4" in lines
    assert lines[-1] == "--max-model-len=16384"
    (pods,) = shape("tensor")["main"].pods
    assert (pods.least, pods.most, pods.surge) == (1, 1, "25%")


def test_one_map_is_selector_and_labels():
    found = made("tensor", "Deployment")["spec"]
    assert found["selector"]["matchLabels"] == found["template"]["metadata"]["labels"]
    assert found["selector"]["matchLabels"]["llm-d.ai/role"] == "both"


def test_copies_over_nodes():
    found = made("copies", "LeaderWorkerSet")
    group = found["spec"]["leaderWorkerTemplate"]
    assert (found["spec"]["replicas"], group["size"]) == (2, 2)
    assert found["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "research"
    leaders, workers = shape("copies")["main"].pods
    assert (leaders.least, workers.least, workers.surge) == (2, 2, "0")
    volumes = [item["name"] for item in group["workerTemplate"]["spec"]["volumes"]]
    assert volumes[-1] == "kserve-pvc-source"
    assert group["leaderTemplate"]["spec"]["serviceAccountName"] == "copies-kserve-mn"
    assert "--headless" in shown("copies", "worker's runs")
    assert "--enable-expert-parallel" in shown("copies", "runs")


def test_prefill_and_decode():
    assert list(shape("split")) == ["main", "prefill", "scheduler"]
    decode, pod = server("split")
    assert decode["ports"][0]["containerPort"] == 8001
    assert [item["name"] for item in pod["initContainers"]] == [
        "llm-d-routing-sidecar",
        "storage-initializer",
    ]
    assert pod["serviceAccountName"] == "split-kserve"
    assert pod["initContainers"][0]["env"][-1] == {
        "name": "INFERENCE_POOL_NAME",
        "value": "split-inference-pool",
    }
    assert kinds("split")[1:4] == ["ServiceAccount", "Role", "RoleBinding"]
    assert kinds("split", "prefill") == [
        "Deployment",
        "VariantAutoscaling",
        "HorizontalPodAutoscaler",
    ]
    prefill, _ = server("split", "prefill")
    values = {item["name"]: item.get("value") for item in prefill["env"]}
    assert values["OTEL_SERVICE_NAME"] == "inference-server-prefill"
    assert prefill["args"][:2] == ["--otlp-traces-endpoint", "http://otel-collector:4317"]
    (pods,) = shape("split")["prefill"].pods
    assert (pods.least, pods.most, pods.start) == (1, 4, 1)


def test_scheduler_of_a_split_service():
    found = made("split", "Deployment", "scheduler")["spec"]
    assert (found["replicas"], found["strategy"]) == (2, {"type": "Recreate"})
    args = found["template"]["spec"]["containers"][0]["args"]
    assert args[0] == "--ha-enable-leader-election"
    assert args[-1] == "--tracing=true"
    assert "prefill: always-disagg-pd-decider" in args[2]
    assert [item["name"] for item in found["template"]["spec"]["containers"]] == ["main"]
    assert kinds("split", "scheduler")[-1] == "ClusterRoleBinding"


def test_configuration_of_a_scheduler_is_rewritten():
    args = made("picked", "Deployment", "scheduler")["spec"]["template"]["spec"]
    text = args["containers"][0]["args"][1]
    assert "type: core-metrics-extractor" in text
    assert "hashBlockSize" not in text
    assert "maxPrefixBlocksToMatch" not in text


def test_cache_on_the_disk_is_requested():
    main, pod = server("picked")
    assert main["resources"]["requests"]["ephemeral-storage"] == "20Gi"
    assert {"name": "kv-cache-secondary-0", "emptyDir": {"sizeLimit": "20Gi"}} in pod["volumes"]


def test_adapters():
    main, pod = server("adapters")
    assert main["args"][:3] == ["--enable-lora", "--max-lora-rank=64", "--lora-modules"]
    assert main["args"][3] == """'{"name":"legal","path":"/mnt/lora/legal"}'"""
    mounts = {item["name"]: item for item in main["volumeMounts"]}
    assert mounts["kserve-provision-location"]["mountPath"] == "/mnt"
    assert mounts["lora-pvc-legal"]["subPath"] == "legal/v3"
    assert pod["initContainers"][0]["args"][2:] == ["hf://example/qwen-sql", "/mnt/lora/sql"]
    assert pod["nodeSelector"] == {"nvidia.com/gpu.product": "NVIDIA-L40S"}
    rule = made("adapters", "HTTPRoute")["spec"]["rules"][4]
    assert (rule["name"], len(rule["matches"])) == ("v1-model-routing", 24)


def test_own_gateway_and_no_scheduler():
    spec = made("routed", "HTTPRoute")["spec"]
    assert spec["parentRefs"][0]["name"] == "team"
    backends = {item["name"] for rule in spec["rules"] for item in rule["backendRefs"]}
    assert backends == {"routed-kserve-workload-svc"}
    assert list(shape("routed")) == ["main"]


def test_own_route():
    assert "HTTPRoute" not in kinds("guided")


def test_model_in_an_image():
    main, pod = server("packed")
    assert pod["shareProcessNamespace"] is True
    assert [item["name"] for item in pod["containers"]] == ["main", "modelcar"]
    assert main["securityContext"]["runAsUser"] == 1010


TRACES = {
    "of a configuration": (
        'spec.template.spec.nodeSelector["nvidia.com/gpu.product"]',
        ["environments/prod/l40s.yaml"],
    ),
    "of a preset": ("spec.template.spec.containers[0].image", [""]),
    "of the platform": ("spec.strategy.type", [""]),
}


@each("path files", TRACES)
def test_traces_of_what_is_made(path, files):
    project, rendering = state()
    (environment,) = project.environments
    spec = next(item for item in environment.specs if item.stem == "adapters")
    objects = list(made_objects(project, rendering, environment, spec))
    (found,) = trace_made(objects, f"Deployment/adapters-kserve.{path}")
    assert [event.origin.file for event in found.events] == files
    with pytest.raises(UsageError, match="did you mean"):
        trace_made(objects, "Deployment/adapters-kserv.spec")


def test_trace_of_a_value_that_the_service_sets_over_its_base(repository):
    files = {path.name: path.read_text("utf-8") for path in GOLDEN.rglob("environments/prod/*")}
    routed = "template: {containers: [{name: main, image: 'example/vllm:v1'}]}\n"
    files["routed.yaml"] += routed
    placed = {f"environments/prod/{name}": text for name, text in files.items()}
    root = repository(**placed, **{"servingctl.yaml": ""})
    project = load(root)
    (environment,) = project.environments
    spec = next(item for item in environment.specs if item.stem == "routed")
    objects = made_objects(project, render(project), environment, spec)
    path = "Deployment/routed-kserve.spec.template.spec.containers[0].image"
    (found,) = trace_made(objects, path)
    first, last = found.events
    assert first.origin.note == "preset kserve-config-llm-template of KServe 0.20.0"
    assert (last.origin.file, last.wins) == ("environments/prod/routed.yaml", True)


def test_values_know_where_they_were_set():
    project, rendering = state()
    (environment,) = project.environments
    spec = next(item for item in environment.specs if item.stem == "adapters")
    (applied,) = applied_specs(project, rendering, environment, [spec])
    first = derive(applied, None).units[0].objects[0].tree.get("spec", "template", "spec")
    selector = first.get("nodeSelector", "nvidia.com/gpu.product")
    assert selector.origin.file.endswith("l40s.yaml")
    image = first.get("containers", 0, "image")
    assert image.origin.note == "preset kserve-config-llm-template of KServe 0.20.0"


@pytest.mark.parametrize("plugin", ["predicted-latency-producer", "queue-scorer"])
def test_predictors_of_latency_come_with_an_inline_configuration_alone(plugin):
    """KServe looks for the plugin before it reads the ConfigMap."""
    files = repository_files(GOLDEN)
    config = {"plugins": [{"type": plugin}], "schedulingProfiles": []}
    picked = yaml.safe_load(files["environments/prod/picked.yaml"])
    picked["router"]["scheduler"] = {"config": {"ref": {"name": "picker", "key": "epp"}}}
    files["environments/prod/picked.yaml"] = json.dumps(picked)
    companion = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "picker", "labels": {"app.kubernetes.io/part-of": PART_OF}},
        "data": {"epp": json.dumps(config)},
    }
    files["environments/prod/picker.yaml"] = json.dumps(companion)
    opened = in_memory(files)
    environment = opened.environment("prod")
    spec = environment.spec_named("LLMInferenceService", "picked")
    (scheduler,) = [
        unit
        for unit in preview(opened, render(opened), environment, spec, {}).units
        if unit.unit == "scheduler"
    ]
    said = any("predicted-latency-producer" in note for note in scheduler.notes)
    assert said == (plugin == "predicted-latency-producer")


@pytest.mark.parametrize(
    ("names", "words"), [(["one"], "of `one`, laid"), (["one", "two"], "of `one` and `two`, laid")]
)
def test_configurations_that_nobody_sees_are_named(names, words):
    listing = ", ".join(f"{{kind: LLMInferenceServiceConfig, name: {name}}}" for name in names)
    refs = ", ".join(f"{{name: {name}}}" for name in names)
    found = in_memory(
        {
            "environments/dev/environment.yaml": "apiVersion: serving.gitops/v1\n"
            "kind: Environment\ndestinations: [{name: e, platform: kubernetes, namespace: m}]\n"
            f"references: {{provided: [{listing}]}}\n",
            "environments/dev/chat.yaml": "apiVersion: serving.gitops/v1\n"
            "kind: LLMInferenceService\nmodel: {uri: 'hf://a/b'}\n"
            f"baseRefs: [{refs}]\nrouter: {{route: {{}}, gateway: {{}}}}\n",
        }
    )
    (environment,) = found.environments
    spec = next(item for item in environment.specs if item.stem == "chat")
    (unit, *_) = preview(found, render(found), environment, spec, {}).units
    assert words in unit.problem
