"""A kind that writes `derive` and its rows gets every command that speaks of what runs."""

import json

import pytest

from tests.support import forking
from tests.support.git import commit, git
from tests.support.places import ROOT
from tests.support.repositories import HEADER

pytestmark = [pytest.mark.process]

FILES = {
    "servingctl.yaml": "",
    "environments/prod/environment.yaml": HEADER.format("Environment")
    + "production: true\ndestinations: [{name: east, platform: kubernetes, namespace: models}]\n",
    "environments/prod/iris.yaml": HEADER.format("Model")
    + """\
replicas: 2
note: first
pod:
  containers:
    - name: server
      image: example/server:1.0
      resources: {requests: {cpu: "1"}}
""",
}
LIVE = {
    "apiVersion": "v1",
    "kind": "List",
    "items": [
        {
            "apiVersion": "models.example/v1",
            "kind": "Model",
            "metadata": {"name": "iris", "namespace": "models"},
            "spec": {"replicas": 2, "pod": {"containers": [{"name": "server", "image": "a:1"}]}},
        },
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "iris-server", "namespace": "models", "generation": 1},
            "spec": {"replicas": 2},
            "status": {
                "readyReplicas": 1,
                "availableReplicas": 1,
                "replicas": 2,
                "updatedReplicas": 2,
                "observedGeneration": 1,
            },
        },
    ],
}


@pytest.fixture
def run(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    git(tmp_path, "init", "-q")
    commit(tmp_path)

    def command(*arguments, edit=(), expect=0):
        spec = tmp_path / "environments/prod/iris.yaml"
        for old, new in edit:
            assert old in spec.read_text()
            spec.write_text(spec.read_text().replace(old, new))
        done = forking.run(arguments, tmp_path, {}, ("models",))
        assert done.code == expect, done
        return done.out

    command.root = tmp_path
    return command


def test_it_takes_few_lines():
    source = (ROOT / "tests/toys/models/__init__.py").read_text("utf-8")
    assert len(source.splitlines()) < 150


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("server:1.0", "server:latest", "8:14: error: the tag latest means"),
        ("replicas: 2", "replicas: 1", "3:11: error: the model has one replica"),
        ("server\n", "server\n      securityContext: {privileged: true}\n", "8:37: error: the con"),
        ("pod:\n", "pod:\n  volumes: [{name: a, hostPath: {path: /}}]\n", "6:23: error: the vol"),
    ],
)
def test_policy_on_pods_holds(run, old, new, place):
    """Without a word of it in the backend."""
    assert f"environments/prod/iris.yaml:{place}" in run("validate", edit=[(old, new)], expect=1)


def test_a_preview_shows_what_is_made(run):
    (unit,) = json.loads(run("preview", "iris", "--env", "prod", "--format", "json"))["units"]
    made = {item["kind"]: item for item in unit["objects"]}
    assert made["Deployment"]["spec"]["replicas"] == 2
    assert made["Service"]["spec"]["ports"] == [{"port": 80, "targetPort": 80}]
    assert unit["addresses"][0]["url"] == "http://iris-server.models"


@pytest.mark.parametrize(
    ("old", "new", "effect"),
    [
        ("server:1.0", "server:1.1", "rolling"),
        ("replicas: 2", "replicas: 3", "in-place"),
        ("note: first", "note: second", "ignored"),
    ],
)
def test_an_edit_has_an_impact(run, old, new, effect):
    report = json.loads(run("diff", "--format", "json", edit=[(old, new)]))
    (cause,) = report["causes"]
    assert cause["classes"] == {effect: 1}


def test_every_edit_has_its_own_impact(run):
    edits = [("server:1.0", "server:1.1"), ("replicas: 2", "replicas: 3"), ("first", "second")]
    report = json.loads(run("diff", "--format", "json", edit=edits))
    found = {cause["edit"]["path"]: [*cause["classes"]] for cause in report["causes"]}
    assert found == {
        "pod.containers[server].image": ["rolling"],
        "replicas": ["in-place"],
        "note": ["ignored"],
    }


def test_the_port_of_a_service_that_is_there_changes_nothing(run):
    """The toy makes the Service once, so the port reaches the pods and not the Service."""
    port = ("image: example", "ports: [{containerPort: 8080}]\n      image: example")
    report = json.loads(run("diff", "--format", "json", edit=[port]))
    assert [cause["classes"] for cause in report["causes"]] == [{"rolling": 1}]


def test_capacity_counts_the_rollout(run):
    edit = [("replicas: 2", "replicas: 4"), ("server:1.0", "server:1.1")]
    (row,) = json.loads(run("diff", "--format", "json", edit=edit))["capacity"]
    amounts = {key: str(row[key]) for key in ("before", "after", "peak")}
    assert amounts == {"before": "2", "after": "4", "peak": "5"}


def test_the_status_is_that_of_what_is_made(run):
    (run.root / "live.json").write_text(json.dumps(LIVE))
    report = json.loads(
        run("status", "--env", "prod", "--from", "live.json", "--format", "json", expect=1)
    )
    (unit,) = report["specs"][0]["units"]
    assert (unit["health"], unit["ready"], unit["wanted"]) == ("progressing", 1, 2)


def test_pictures_name_units_and_numbers(run):
    assert "server  2 pods" in run("graph", "--env", "prod")
    assert "example/server:1.0 · 2 pods" in run("graph", "iris", "--env", "prod")
