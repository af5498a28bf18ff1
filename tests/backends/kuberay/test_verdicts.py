"""What KubeRay was observed to refuse, at once or later, is an error; what it runs is none."""

import json

import pytest
import yaml

from renderer import check
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.places import ROOT

FOLDER = ROOT / "tests/observed/kuberay/cases"
FILES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
ROWS = [row for rows in FILES.values() for row in rows]
#: What is compared: rows of these kinds, and rows of all kinds about the clusters in them.
KINDS, ABOUT_CLUSTERS = ("RayCluster",), "clusters"
HEADER = {"apiVersion": "serving.gitops/v1"}
#: The features of operators that are not as by default, by the namespace of their objects.
GATES = {"gated": {"RayServiceIncrementalUpgrade": True, "RayJobDeletionPolicy": False}}
#: Where we say something else, and why.
OTHERWISE = {
    "job-no-dashboard-port": "the job waits for ever",
    "service-ports-without-dashboard": "the service waits for ever",
    "fault-tolerant-annotation": "has a password in plain text",
    "name-of-a-group-empty": "overrides and findings know groups by their names",
    "name-of-a-group-headgroup": "its workers are deleted as soon as they are there",
    "name-of-a-group-twice": "the second group has no workers, and the webhook refuses it",
    "pods-tpu-and-resources-broken": "Ray does not start",
    "pods-tpu-and-resources-unquoted": "Ray does not start",
    "ports-twice": "only server-side apply refuses it",
    "schema-alpha-version": "what is rendered is v1, and has what is missing",
    "schema-unknown-field-in-a-group": "computeTemplate is a word of ours",
    "serve-annotation-without-the-port": "the operator makes no pods, and only its log says why",
}


def spec(manifest):
    """`metadata` and `spec` moved up one level."""
    return {**HEADER, "kind": manifest["kind"], **manifest["metadata"], **manifest.get("spec", {})}


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
    about_clusters = FILES.get(ABOUT_CLUSTERS, [])
    return [row for row in ROWS if row["given"]["kind"] in KINDS or row in about_clusters]


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
    assert len(asked) > 190


@pytest.mark.skipif(not ROWS, reason="nothing was observed yet")
def test_exceptions_are_needed():
    rows = {row["name"]: row for row in compared()}
    for name in OTHERWISE.keys() & rows.keys():
        assert bool(errors(rows[name])) == rows[name]["accepted"], name
