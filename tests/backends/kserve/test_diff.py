"""`servingctl diff` of inference services, as people run it."""

import json
import shutil

import pytest

from tests.support.git import commit, git
from tests.support.processes import run
from tests.support.repositories import HEADER

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not shutil.which("git"), reason="git is not installed"),
]
ENVIRONMENT = """\
destinations: [{name: east, platform: kubernetes, namespace: models}]
kserve: {version: v0.20.0, default_mode: MODE}
"""
IRIS = """\
predictor:
  model:
    modelFormat: {name: sklearn}
    storageUri: gs://models/iris/v1
    runtime: ours
    runtimeVersion: v1
transformer:
  containers: [{name: kserve-container, image: "example/features:v1"}]
"""
OURS = """\
supportedModelFormats: [{name: sklearn}]
protocolVersions: [v1]
containers:
  - name: kserve-container
    image: example/server:v1
    args: ["--model_name={{.Name}}"]
    resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "1", memory: 1Gi}}
"""
SERVICE = "environments/dev/inferenceservices/iris.yaml"
RUNTIME = "environments/dev/servingruntimes/ours.yaml"


def files(mode, service=IRIS, runtime=OURS):
    return {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": HEADER.format("Environment")
        + ENVIRONMENT.replace("MODE", mode),
        SERVICE: HEADER.format("InferenceService") + service,
        RUNTIME: HEADER.format("ServingRuntime") + runtime,
    }


@pytest.mark.parametrize(
    ("mode", "effect", "peak"), [("Standard", "rolling", 2), ("Knative", "replace", 2)]
)
def test_an_edit_of_service_and_runtime(repository, mode, effect, peak):
    root = repository(**files(mode))
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root)
    changed = IRIS.replace("iris/v1", "iris/v2")
    repository(**files(mode, changed, OURS.replace('"--model', '"--workers=2", "--model')))
    done = run("diff", "--format", "json", cwd=root)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    found = [
        (impact["unit"], impact["class"])
        for item in report["objects"]
        for change in item["changes"]
        for impact in change["impacts"]
    ]
    assert found == [("predictor", effect)] * 2
    [row] = [row for row in report["capacity"] if row["resource"] == "cpu"]
    assert (row["unit"], float(row["peak"])) == ("predictor", peak)
    text = run("diff", cwd=root).stdout
    assert f"[{effect}] InferenceService/iris: predictor in dev/east" in text
    assert "the runtime `ours` changed" in text


def test_a_service_that_was_not_rendered_here(repository):
    root = repository(**files("Standard"))
    assert run("render", cwd=root).returncode == 0
    [path] = (root / "rendered").rglob("inferenceservices/iris.yaml")
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if "managed-by" not in line and line != "  labels:\n"]
    path.write_text("".join(kept))
    text = " ".join(run("diff", "--from", "rendered", cwd=root).stdout.split())
    assert "[rolling] InferenceService/iris: predictor in dev/east" in text
    assert "[rolling] InferenceService/iris: transformer in dev/east" in text
    assert "replaced once, when the service is first rendered by servingctl" in text
