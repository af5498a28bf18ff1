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
KINDS = ("RayCluster",)
HEADER = {"apiVersion": "serving.gitops/v1"}
#: The namespace whose operator has its features switched off.
GATED = "gated"
#: Where we say something else, and why.
OTHERWISE = {
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
    gates = row["given"]["metadata"].get("namespace") != GATED
    places = [{"name": "east", "platform": "kubernetes", "namespace": "ray"}]
    kuberay = {"version": "1.6.1", "feature_gates": {"RayJobDeletionPolicy": gates}}
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
    assert len(asked) > 150


@pytest.mark.skipif(not ROWS, reason="nothing was observed yet")
def test_exceptions_are_needed():
    rows = {row["name"]: row for row in compared()}
    for name in OTHERWISE:
        assert bool(errors(rows[name])) == rows[name]["accepted"], name
