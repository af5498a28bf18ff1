"""What KServe makes of the shapes that people have: containers, objects, addresses, requests."""

import json
from functools import cache

import pytest
from jsonschema import Draft7Validator

from renderer import load, render
from renderer.inspect.preview import preview
from renderer.outputs.preview import FORMATS
from renderer.outputs.requests import address_command
from renderer.schema.bundle import bundled_schema
from tests.support.kserve_states import derived_units, manifest, model, service, state
from tests.support.places import ROOT
from tests.support.repositories import HEADER

GOLDEN = ROOT / "tests/golden/kserve"
ENVIRONMENT = """destinations: [{name: lab, platform: kubernetes, namespace: models}]
kserve: {version: 0.20.0, default_mode: Standard}
"""
MODEL = "  model: {modelFormat: {name: sklearn}, storageUri: 'gs://models/iris/v1'}\n"
PREPARE = "  containers: [{name: prepare, image: 'example/prepare:1'}]\n"


@cache
def golden(case):
    project = load(GOLDEN / case)
    return project, render(project)


def looked_at(project, rendering, name):
    (environment,) = project.environments
    found = next(item for item in environment.specs if item.stem == name)
    return preview(project, rendering, environment, found, {})


def shape(case, name, unit="predictor"):
    """A unit of a service of the golden cases."""
    made = looked_at(*golden(case), name)
    return next(item for item in made.units if item.unit == unit)


@pytest.fixture
def units(repository):
    """The units of a service that is written down here."""

    def look(text, environment=ENVIRONMENT):
        root = repository(
            {
                "servingctl.yaml": "",
                "environments/dev/environment.yaml": HEADER.format("Environment") + environment,
                "environments/dev/iris.yaml": HEADER.format("InferenceService") + text,
            }
        )
        project = load(root)
        return {item.unit: item for item in looked_at(project, render(project), "iris").units}

    return look


def objects(unit):
    found = {}
    for item in unit.objects:
        kind = "ksvc" if "knative" in item.content["apiVersion"] else item.content["kind"]
        found[kind] = item.content
    return found


def pod(unit):
    made = objects(unit)
    return (made.get("Deployment") or made["ksvc"])["spec"]["template"]["spec"]


def serving(unit):
    return pod(unit)["containers"][0]


def calls(unit):
    """Paths and bodies that are to be tried."""
    return {
        item.name: (item.method, item.url.split("/", 3)[3], json.loads(item.body or "null"))
        for item in unit.addresses
    }


def test_sklearn_over_v1():
    unit = shape("model-servers", "iris-sklearn")
    assert list(objects(unit)) == [
        "Deployment", "Service", "HorizontalPodAutoscaler", "Pod", "Ingress",
    ]  # fmt: skip
    made = serving(unit)
    assert made["image"] == "kserve/sklearnserver:v0.20.0"
    assert made["args"][0] == "--model_name=iris-sklearn"
    assert made["resources"]["requests"] == {"cpu": "500m", "memory": "512Mi"}
    assert made["readinessProbe"] == {"tcpSocket": {"port": 8080}}
    assert calls(unit)["predict"] == (
        "POST",
        "v1/models/iris-sklearn:predict",
        {"instances": [[0.0, 0.0, 0.0, 0.0]]},
    )
    (model, predict) = unit.addresses
    assert dict(predict.headers) == {"Host": "iris-sklearn-models.example.com"}
    assert model.through == "http://<ingress>/v1/models/iris-sklearn"
    assert "--header 'Host: iris-sklearn-models.example.com'" in address_command(predict)


def test_xgboost_over_v2_is_served_by_mlserver():
    unit = shape("model-servers", "churn-xgboost")
    made = serving(unit)
    assert made["image"] == "docker.io/seldonio/mlserver:1.7.1"
    values = {item["name"]: item["value"] for item in made["env"]}
    assert values["MLSERVER_MODEL_IMPLEMENTATION"] == "mlserver_xgboost.XGBoostModel"
    assert values["MLSERVER_MODEL_NAME"] == "churn-xgboost"
    found = calls(unit)
    assert found["server"][:2] == ("GET", "v2/health/ready")
    assert found["model"][:2] == ("GET", "v2/models/churn-xgboost/ready")
    (tensor,) = found["predict"][2]["inputs"]
    assert tensor == {
        "name": "input-0",
        "shape": [1, 4],
        "datatype": "FP32",
        "data": [[0.0, 0.0, 0.0, 0.0]],
    }


def test_triton_has_names_of_its_own():
    unit = shape("model-servers", "vision-triton")
    assert serving(unit)["image"] == "nvcr.io/nvidia/tritonserver:24.01-py3"
    assert serving(unit)["args"][-1] == "--strict-model-config=false"
    assert calls(unit)["model"][1] == "v2/models/<model>/ready"
    assert any("tritonserver takes the names" in note for note in unit.notes)


def test_torchserve_has_them_too():
    unit = shape("model-servers", "faces-pytorch")
    labels = objects(unit)["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert labels["serviceEnvelope"] == "kserve"
    assert calls(unit)["predict"][1] == "v1/models/<model>:predict"


def test_huggingface_on_a_gpu():
    unit = shape("language-models", "assistant")
    assert serving(unit)["image"] == "kserve/huggingfaceserver:v0.20.0-gpu"
    assert objects(unit)["Deployment"]["spec"]["replicas"] == 2
    assert "HorizontalPodAutoscaler" not in objects(unit)
    assert pod(unit)["nodeSelector"] == {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}
    assert calls(unit)["predict"][:2] == ("POST", "v1/models/assistant:predict")
    chat = calls(unit)["chat"]
    assert chat[:2] == ("POST", "openai/v1/chat/completions")
    assert chat[2]["model"] == "assistant"


def test_vllm_speaks_its_own_protocol():
    unit = shape("language-models", "coder")
    assert list(calls(unit)) == ["model", "chat"]
    assert calls(unit)["chat"][1] == "v1/chat/completions"


class TestStorage:
    def init(self, name):
        return objects(shape("storage", name))["Pod"]["spec"].get("initContainers", [])

    def volumes(self, name):
        return objects(shape("storage", name))["Pod"]["spec"]["volumes"]

    @pytest.mark.parametrize(
        ("name", "uri"),
        [
            ("in-s3", "s3://models/iris/v1"),
            ("by-http", "https://models.example.com/iris/v1/model.joblib"),
            ("by-a-secret", "s3://models/iris/v1"),
        ],
    )
    def test_downloaded(self, name, uri):
        (first,) = self.init(name)
        assert first["args"] == [uri, "/mnt/models"]
        assert first["image"] == "kserve/storage-initializer:v0.20.0"
        assert self.volumes(name) == [{"name": "kserve-provision-location", "emptyDir": {}}]

    def test_a_claim_is_mounted(self):
        assert self.init("on-a-claim") == []
        claim = {"claimName": "models"}
        assert self.volumes("on-a-claim") == [
            {"name": "kserve-pvc-source", "persistentVolumeClaim": claim}
        ]
        made = objects(shape("storage", "on-a-claim"))["Pod"]["spec"]["containers"][0]
        assert made["volumeMounts"][0]["subPath"] == "iris/v1"

    def test_an_image_runs_beside(self):
        made = objects(shape("storage", "in-an-image"))["Pod"]["spec"]
        assert [item["name"] for item in made["containers"]] == ["kserve-container", "modelcar"]
        assert made["shareProcessNamespace"] is True

    def test_several_places_are_the_controllers_work(self):
        unit = shape("storage", "two-places")
        (first,) = pod(unit)["initContainers"]
        assert first["args"][1::2] == ["/mnt/models/base", "/mnt/models/adapter"]
        assert "Pod" not in objects(unit)

    def test_who_has_the_credentials_is_said(self):
        assert any("ServiceAccount s3-reader" in note for note in shape("storage", "in-s3").notes)

    def test_without_any_it_is_another_product(self, units):
        unit = units("predictor:\n  model: {modelFormat: {name: sklearn}}\n")["predictor"]
        assert objects(unit)["ConfigMap"]["metadata"]["name"] == "modelconfig-iris-0"
        agent = objects(unit)["Pod"]["spec"]["containers"][-1]
        assert agent["args"][0] == "--enable-puller"
        assert any("several models" in note for note in unit.notes)


class TestScaling:
    def test_by_concurrency(self):
        unit = shape("scaling", "by-concurrency")
        made = objects(unit)["ksvc"]["spec"]["template"]
        notes = made["metadata"]["annotations"]
        found = {key.partition("/")[2]: notes[key] for key in notes if "autoscaling" in key}
        assert found == {
            "class": "kpa.autoscaling.knative.dev",
            "target": "4",
            "metric": "concurrency",
            "min-scale": "0",
            "max-scale": "10",
        }
        assert (made["spec"]["containerConcurrency"], made["spec"]["timeoutSeconds"]) == (8, 120)
        assert calls(unit)["model"][1] == "v1/models/by-concurrency"
        hosts = {dict(item.headers)["Host"] for item in unit.addresses}
        assert hosts == {"by-concurrency.models.example.com"}

    def test_a_canary_of_revisions_depends_on_history(self):
        unit = shape("scaling", "by-concurrency")
        traffic = objects(unit)["ksvc"]["spec"]["traffic"]
        assert traffic == [{"latestRevision": True, "percent": 100}]
        assert any(note.startswith("10 % go to a new revision") for note in unit.notes)

    def test_by_cpu(self):
        made = objects(shape("scaling", "by-cpu"))
        scaler = made["HorizontalPodAutoscaler"]["spec"]
        assert (scaler["minReplicas"], scaler["maxReplicas"]) == (2, 6)
        assert scaler["metrics"][0]["resource"]["target"]["averageUtilization"] == 60
        steps = made["Deployment"]["spec"]["strategy"]["rollingUpdate"]
        assert steps == {"maxSurge": "25%", "maxUnavailable": 0}

    def test_by_keda(self):
        made = objects(shape("scaling", "by-queue"))
        assert "HorizontalPodAutoscaler" not in made
        (trigger,) = made["ScaledObject"]["spec"]["triggers"]
        assert (trigger["type"], trigger["metadata"]["threshold"]) == ("prometheus", "50")


def test_a_logger_and_a_batcher_stand_in_front():
    made = objects(shape("scaling", "watched"))
    assert made["Service"]["spec"]["ports"][0]["targetPort"] == 9081
    agent = made["Pod"]["spec"]["containers"][-1]
    assert agent["args"][:5] == [
        "--enable-batcher",
        "--max-batchsize",
        "32",
        "--max-latency",
        "500",
    ]
    assert "http://message-dumper.models/" in agent["args"]


def test_containers_of_ones_own(units):
    text = (
        "predictor:\n  containers:\n"
        "    - {name: mine, image: 'example/mine:1', env: [{name: PROTOCOL, value: v2}],\n"
        "       ports: [{containerPort: 9090, name: h1}]}\n"
    )
    unit = units(text)["predictor"]
    assert serving(unit)["name"] == "kserve-container"
    assert objects(unit)["Service"]["spec"]["ports"][0]["targetPort"] == 9090
    assert "Pod" not in objects(unit)
    assert calls(unit)["predict"][1] == "v2/models/iris/infer"


def test_a_transformer_is_called_first(units):
    text = f"predictor:\n{MODEL}transformer:\n{PREPARE}"
    found = units(text)
    assert list(found) == ["predictor", "transformer"]
    args = serving(found["transformer"])["args"]
    assert args == [
        "--model_name", "iris", "--predictor_host", "iris-predictor.models", "--http_port", "8080",
    ]  # fmt: skip
    hosts = {name: dict(unit.addresses[0].headers)["Host"] for name, unit in found.items()}
    assert hosts == {
        "transformer": "iris-models.example.com",
        "predictor": "iris-predictor-models.example.com",
    }
    assert "Ingress" in objects(found["transformer"])
    assert "Ingress" not in objects(found["predictor"])


def test_no_host_leads_to_an_explainer_beside_a_transformer(units):
    text = f"predictor:\n{MODEL}explainer:\n{PREPARE}"
    alone = units(text)["explainer"].addresses
    assert [item.name for item in alone] == ["model", "explain"]
    assert alone[1].url == "http://iris-explainer-models.example.com/v1/models/iris:explain"
    beside = units(f"{text}transformer:\n{PREPARE}")["explainer"].addresses
    assert beside[1].url == (
        "http://iris-explainer.models.svc.cluster.local/v1/models/iris:explain"
    )


def test_the_sample_of_the_first_pages(units):
    """Its name, format and bucket speak of three models; the name is that of the service."""
    found = units(
        "name: torchscript-cifar\npredictor:\n  model:\n    modelFormat: {name: tensorflow}\n"
        "    storageUri: s3://kfserving-examples/models/tensorflow/flowers\n"
        "    runtimeVersion: 2.7.1\n"
    )["predictor"]
    assert serving(found)["image"] == "tensorflow/serving:2.7.1"
    assert any(
        item.url.endswith("/v1/models/torchscript-cifar:predict") for item in found.addresses
    )


def test_a_canary_lies_over_the_predictor(units):
    text = (
        f"predictor:\n  minReplicas: 10\n{MODEL}"
        "canary:\n"
        "  - trafficPercent: 25\n"
        "    predictor: {name: green, model: {storageUri: 'gs://models/iris/v2'}}\n"
    )
    found = units(text)
    assert list(found) == ["predictor", "predictor/green"]
    green = objects(found["predictor/green"])
    assert green["Deployment"]["metadata"]["name"] == "iris-green-predictor"
    assert green["Pod"]["spec"]["initContainers"][0]["args"][0] == "gs://models/iris/v2"
    scaler = objects(found["predictor"])["HorizontalPodAutoscaler"]["spec"]
    assert (scaler["minReplicas"], green["HorizontalPodAutoscaler"]["spec"]["minReplicas"]) == (
        7,
        3,
    )
    (note,) = (item for item in found["predictor/green"].notes if item.startswith("25 %"))
    assert "observed" in note


def test_within_a_cluster_only(units):
    unit = units(f"labels: {{networking.kserve.io/visibility: cluster-local}}\npredictor:\n{MODEL}")
    assert "Ingress" not in objects(unit["predictor"])
    urls = {item.url.rsplit("/v1")[0] for item in unit["predictor"].addresses}
    assert urls == {"http://iris-predictor.models.svc.cluster.local"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"annotations: {{serving.kserve.io/stop: 'true'}}\npredictor:\n{MODEL}", "stopped"),
        (
            f"annotations: {{serving.kserve.io/deploymentMode: ModelMesh}}\npredictor:\n{MODEL}",
            "ModelM",
        ),
    ],
)
def test_why_nothing_is_made(units, text, reason):
    unit = units(text)["predictor"]
    assert reason in unit.problem
    assert unit.objects == ()


def test_nothing_is_made_of_a_template_that_is_not_known():
    odd = manifest(service(model=model(args=["--chat={{ messages }}"])))
    unit = derived_units(odd, state(odd))["predictor"]
    assert "'{{ messages }}' is read as a template" in unit.problem
    assert (unit.objects, unit.pods) == ((), ())


def test_what_is_known_of_a_service_whose_runtime_is_kept_elsewhere(units):
    given = ENVIRONMENT.replace(
        "Standard}", "Standard, runtimes: [{name: elsewhere, "
        "supportedModelFormats: [{name: own}], protocolVersions: [v1]}]}",
    )  # fmt: skip
    model = "{modelFormat: {name: own}, runtime: elsewhere, storageUri: 'gs://m/1'}"
    unit = units(f"predictor:\n  minReplicas: 3\n  model: {model}\n", given)["predictor"]
    assert "the containers of the runtime 'elsewhere' are not known here" in unit.notes
    assert serving(unit)["image"] == "<image of the runtime>"
    assert objects(unit)["HorizontalPodAutoscaler"]["spec"]["minReplicas"] == 3


def test_what_is_taken_for_granted_is_said():
    notes = shape("model-servers", "iris-sklearn").notes
    assert any("example.com" in note and "KServe ships" in note for note in notes)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_it(form):
    made = looked_at(*golden("transformer-and-canary"), "iris")
    text = FORMATS[form](made)
    assert "iris-transformer" in text
    assert "iris-v2-predictor" in text


def test_an_option_stands_with_its_value():
    summary = shape("scaling", "watched").objects[-2].summary
    lines = dict(summary)["args"].splitlines()
    assert "--max-batchsize 32" in lines
    assert "--source-uri ''" in lines


def test_the_report_is_described():
    made = looked_at(*golden("transformer-and-canary"), "iris")
    report = json.loads(FORMATS["json"](made))
    Draft7Validator(bundled_schema("reports/preview.json")).validate(report)
    commands = [item["command"] for unit in report["units"] for item in unit["addresses"]]
    assert all(command.startswith("curl ") for command in commands)
