"""What KubeRay was observed to refuse, at once or later, is an error; what it runs is none."""

import json

import pytest
import yaml

from renderer import check
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.places import ROOT

FOLDER = ROOT / "tests/observed/kuberay/cases"
ROWS = [row for path in sorted(FOLDER.glob("*.json")) for row in json.loads(path.read_text())]
#: The kinds whose rows are compared.
KINDS = ("RayCluster", "RayJob", "RayService")
HEADER = {"apiVersion": "serving.gitops/v1"}
#: The features of operators that are not as by default, by the namespace of their objects.
GATES = {"gated": {"RayServiceIncrementalUpgrade": True, "RayJobDeletionPolicy": False}}
#: Where we say something else, and why.
OTHERWISE = {
    "fault-tolerant-annotation": "has a password in plain text",
    "job-bad-resources": "Ray does not take the job when its cluster is there",
    "job-http-bad-resources": "Ray does not take the job when its cluster is there",
    "job-http-without-an-entrypoint": "Ray has nothing to run when its cluster is there",
    "job-no-dashboard-port": "nobody reaches the cluster to submit the job",
    "job-runtime-environment-unknown-key": "the key is ignored, without a word",
    "job-selector-and-cluster": "the cluster that is described is never made",
    "job-without-an-entrypoint": "Ray has nothing to run when its cluster is there",
    "name-of-a-group-empty": "overrides and findings know groups by their names",
    "name-of-a-group-twice": "the second group has no workers, and the webhook refuses it",
    "pods-flags": "Ray does not start: an option is written without the value that it needs",
    "pods-own-numbers": "Ray starts workers of another cluster",
    "pods-tpu-and-resources-broken": "Ray does not start",
    "pods-tpu-and-resources-unquoted": "Ray does not start",
    "ports-twice": "only server-side apply refuses it",
    "schema-alpha-version": "what is rendered is v1, and has what is missing",
    "schema-job-unknown-mode": "the job is never submitted",
    "serve-annotation-without-the-port": "the operator makes no pods, and only its log says why",
    "service-config-absent": "it never becomes ready",
    "service-config-empty-list": "it never becomes ready",
    "service-config-unknown-keys": "the keys are ignored, without a word",
    "service-incremental-without-the-gate": "it is taken for NewCluster, without a word",
    "service-labelled": "the label is ours",
    "service-of-a-head-excludes-the-head": "it never becomes ready",
    "service-ports": "requests go to a port that nobody listens on",
    "service-ports-without-dashboard": "nobody reaches the cluster to say what it serves",
    "service-ports-without-serve": "no Service is made, and requests do not arrive",
}


def spec(manifest):
    """`metadata` and `spec` moved up one level; a job is called as it was."""
    kind = manifest["kind"]
    named = {"name_suffix": "none"} if kind == "RayJob" else {}
    return {**HEADER, "kind": kind, **named, **manifest["metadata"], **manifest.get("spec", {})}


def errors(row):
    gates = GATES.get(row["given"]["metadata"].get("namespace"), {})
    places = [{"name": "east", "platform": "kubernetes", "namespace": "ray"}]
    kuberay = {"version": "1.6.1", "feature_gates": gates}
    trees = {
        "environment": {
            **HEADER,
            "kind": "Environment",
            "destinations": places,
            "kuberay": kuberay,
        },
        "asked": spec(row["given"]),
    }
    files = {f"environments/e/{name}.yaml": yaml.safe_dump(tree) for name, tree in trees.items()}
    found = check(project({"servingctl.yaml": "", **files}))
    return [item.code for item in found if item.severity is Severity.ERROR]


def compared():
    return [row for row in ROWS if row["given"]["kind"] in KINDS]


@pytest.mark.skipif(not ROWS, reason="nothing was observed yet")
def test_errors_are_what_was_refused():
    asked = [row for row in compared() if row["name"] not in OTHERWISE]
    told = {row["name"]: errors(row) for row in asked}
    wrong = [
        (row["name"], told[row["name"]], row.get("message"))
        for row in asked
        if bool(told[row["name"]]) == row["accepted"]
    ]
    assert wrong == []
    assert len(asked) > 300


@pytest.mark.skipif(not ROWS, reason="nothing was observed yet")
def test_exceptions_are_needed():
    rows = {row["name"]: row for row in compared()}
    for name in OTHERWISE:
        assert bool(errors(rows[name])) == rows[name]["accepted"], name
