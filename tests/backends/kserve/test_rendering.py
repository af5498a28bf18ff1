"""What becomes of inference services: by version, by mode, and by the runtimes that are there."""

import pytest
import yaml

from renderer import check, render
from renderer.evaluate import run as running
from renderer.evaluate.project import open_project
from renderer.evaluate.question import Question
from renderer.io.store import Store, program
from renderer.io.worktree import Worktree
from renderer.values.diagnostics import Severity
from tests.support.memory import project

HEADER = "apiVersion: serving.gitops/v1\nkind: {}\n"
PLACES = "destinations: [{name: east, platform: kubernetes, namespace: models}]\n"
MODEL = "predictor: {model: {modelFormat: {name: sklearn}, storageUri: s3://m/v1}}\n"
SERVICE = HEADER.format("InferenceService") + MODEL
RUNTIME = (
    HEADER.format("ServingRuntime")
    + "supportedModelFormats: [{name: sklearn, autoSelect: true, priority: 9}]\n"
    + "protocolVersions: [v2, v1]\n"
    + "containers: [{name: kserve-container, image: 'example/server:v1'}]\n"
)


def files(service=SERVICE, settings="", **more):
    environment = HEADER.format("Environment") + PLACES + settings
    named = {f"environments/e/{name}.yaml": text for name, text in more.items()}
    return {
        "servingctl.yaml": "",
        "environments/e/environment.yaml": environment,
        "environments/e/iris.yaml": service,
        **named,
    }


def errors(*given, **more):
    found = check(project(files(*given, **more)))
    return [item.code for item in found if item.severity is Severity.ERROR]


def rendered(*given, **more):
    rendering = render(project(files(*given, **more)))
    assert rendering.is_sound
    return {item.path: yaml.safe_load(item.text) for item in rendering.manifests}


def service(*given, **more):
    return rendered(*given, **more)["e/east/inferenceservices/iris.yaml"]


@pytest.mark.parametrize(
    ("version", "mode", "annotations"),
    [
        ("0.15.2", "RawDeployment", {}),
        ("0.16.0", "Standard", {}),
        ("0.17.0", "Standard", {"modelFormat": "sklearn"}),
        ("v0.20.0-rc1", "Standard", {"modelFormat": "sklearn"}),
    ],
)
def test_annotations_follow_the_version(version, mode, annotations):
    made = service(settings=f"kserve: {{version: {version}, default_mode: Standard}}\n")
    mode = {"serving.kserve.io/deploymentMode": mode}
    assert made["metadata"]["annotations"] == mode | annotations


@pytest.mark.parametrize(
    ("model", "runtime", "protocol"),
    [
        ("modelFormat: {name: sklearn}", "kserve-sklearnserver", "v1"),
        ("modelFormat: {name: sklearn}, protocolVersion: v2", "kserve-mlserver", "v2"),
        ("modelFormat: {name: triton}", "kserve-tritonserver", "v2"),
        ("modelFormat: {name: vLLM}", "kserve-vllmserver", "v2"),
        ("modelFormat: {name: sklearn}, runtime: kserve-mlserver", "kserve-mlserver", "v2"),
        ("modelFormat: {name: huggingface}", "kserve-huggingfaceserver", "v1"),
    ],
)
def test_what_kserve_would_choose_is_written(model, runtime, protocol):
    text = HEADER.format("InferenceService") + f"predictor: {{model: {{{model}}}}}\n"
    made = service(text)["spec"]["predictor"]["model"]
    assert (made["runtime"], made["protocolVersion"]) == (runtime, protocol)


class TestRuntimesOfTheRepository:
    def test_one_that_is_chosen_goes_where_its_user_is(self):
        made = rendered(server=RUNTIME)
        assert "e/east/servingruntimes/server.yaml" in made
        model = made["e/east/inferenceservices/iris.yaml"]["spec"]["predictor"]["model"]
        assert (model["runtime"], model["protocolVersion"]) == ("server", "v1")

    @pytest.mark.parametrize(
        ("server", "protocols", "wanted"),
        [
            ("mlserver", "[v1, v2]", "v2"),
            ("tritonserver", "[grpc-v2, v1, v2]", "v2"),
            ("torchserve", "[v2, v1]", "v1"),
            ("mlserver", "[v1]", None),
            ("ours", "[v2, v1]", "v1"),
        ],
    )
    def test_some_servers_have_a_protocol_of_their_own(self, server, protocols, wanted):
        own = f"metadata: {{annotations: {{serving.kserve.io/server-type: {server}}}}}\n"
        runtime = RUNTIME.replace("[v2, v1]", protocols) + own
        assert (
            service(server=runtime)["spec"]["predictor"]["model"].get("protocolVersion") == wanted
        )

    def test_one_that_is_not_chosen_goes_nowhere(self):
        found = check(project(files(server=RUNTIME.replace("sklearn", "own"))))
        assert "ENV004" in [item.code for item in found]

    def test_one_in_another_namespace_is_not_seen(self):
        opened = project(files(server=RUNTIME + "namespace: others\n"))
        assert [item.path for item in render(opened).manifests] == [
            "e/east/inferenceservices/iris.yaml"
        ]

    def test_one_of_a_name_that_kserve_ships_takes_its_place(self):
        text = RUNTIME.replace("ServingRuntime", "ClusterServingRuntime").replace("9", "1")
        text = text.replace("[v2, v1]", "[v2]").replace("example/server", "example/other")
        made = rendered(settings="", **{"kserve-sklearnserver": text.replace("[v2]", "[v1]")})
        assert "e/east/clusterservingruntimes/kserve-sklearnserver.yaml" in made


def test_a_new_runtime_reaches_services_that_are_remembered(tmp_path):
    """A service that names no runtime depends on all of them, also on those that come later."""
    root = tmp_path / "repository"
    for path, text in files().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)

    def runtime_now():
        memo = Store(tmp_path / "cache", root, program(), None)
        made = running.run(open_project(Worktree(root)), Question(), memo, 1).rendering()
        texts = {file.path: file.data.decode() for file in made.files()}
        tree = yaml.safe_load(texts["e/east/inferenceservices/iris.yaml"])
        return tree["spec"]["predictor"]["model"]["runtime"]

    assert runtime_now() == "kserve-sklearnserver"
    (root / "environments/e/server.yaml").write_text(RUNTIME)
    assert runtime_now() == "server"
    (root / "environments/e/server.yaml").write_text(RUNTIME.replace("true", "false"))
    assert runtime_now() == "kserve-sklearnserver"


def test_dropping_a_runtime_is_not_disabling_it():
    """`disabled` is a field of the runtime; the spec is dropped by `$disabled`."""
    off = RUNTIME + "disabled: true\n"
    named = SERVICE.replace("{name: sklearn}", "{name: sklearn}, runtime: server")
    assert errors(named, server=off) == ["KSV113"]
    gone = RUNTIME + "$disabled: true\n"
    assert errors(named, server=gone) == ["KSV112"]


def test_metadata_of_a_runtime_is_its_own():
    text = RUNTIME + "metadata: {labels: {app.kubernetes.io/managed-by: helm}}\n"
    found = check(project(files(server=text)))
    assert ("SPC007", 6) in [(item.code, item.line) for item in found]
