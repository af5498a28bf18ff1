"""How many pods a service has: every command says the same, as there is one place that counts."""

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
kserve: {version: v0.20.0, default_mode: Standard}
"""
IRIS = """\
predictor:
  minReplicas: 10
  maxReplicas: 20
  model:
    modelFormat: {name: sklearn}
    storageUri: gs://models/iris/v1
    resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "1", memory: 1Gi}}
canary:
  - trafficPercent: 20
    predictor: {name: green, model: {storageUri: gs://models/iris/v2}}
"""


@pytest.fixture
def root(repository):
    return repository(
        **{
            "servingctl.yaml": "",
            "environments/prod/environment.yaml": HEADER.format("Environment") + ENVIRONMENT,
            "environments/prod/iris.yaml": HEADER.format("InferenceService") + IRIS,
        }
    )


def test_a_canary_takes_its_pods_from_the_predictor(root):
    """Of ten pods and a share of 20 %, eight are the predictor's, and two are the canary's."""
    one = run("graph", "--env", "prod", "iris", cwd=root).stdout
    both = run("graph", "--env", "prod", cwd=root).stdout
    for picture in (one, both):
        assert "8 to 20 replicas" in picture
        assert "2 replicas" in picture.replace("20 replicas", "")
        assert "10" not in picture
    made = json.loads(run("preview", "--env", "prod", "iris", "--format", "json", cwd=root).stdout)
    bounds = {
        item["metadata"]["name"]: (spec["minReplicas"], spec["maxReplicas"])
        for unit in made["units"]
        for item in unit["objects"]
        if (spec := item.get("spec", {})).get("minReplicas")
    }
    assert bounds == {"iris-predictor": (8, 20), "iris-green-predictor": (2, 2)}


def test_a_comparison_counts_them_too(root):
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root)
    path = root / "environments/prod/iris.yaml"
    path.write_text(path.read_text().replace("maxReplicas: 20", "maxReplicas: 30"))
    done = run("diff", "--format", "json", cwd=root)
    assert "now has 8 to 30 pods (before: 8 to 20 pods)" in done.stdout
    path.write_text(path.read_text().replace("iris/v1", "iris/v3"))
    rows = json.loads(run("diff", "--format", "json", cwd=root).stdout)["capacity"]
    [row] = [row for row in rows if row["resource"] == "cpu"]
    assert (row["unit"], float(row["before"]), float(row["after"])) == ("predictor", 8, 8)
