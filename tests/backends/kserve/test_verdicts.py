"""What KServe was observed to refuse, at once or later, is an error; what it runs is none."""

import json

import pytest
import yaml

from renderer import check
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.places import ROOT

FOLDER = ROOT / "tests/observed/kserve/cases"
ROWS = [row for path in sorted(FOLDER.glob("*.json")) for row in json.loads(path.read_text())]
HEADER = {"apiVersion": "serving.gitops/v1"}
RUNTIMES = ("ServingRuntime", "ClusterServingRuntime")
#: Refused as Knative is shipped; clusters may allow it, so these are warnings.
IF_ALLOWED = {
    "kn-affinity", "kn-concurrency-1001", "kn-field-ref", "kn-init-container", "kn-many-nodes",
    "kn-node-selector", "kn-priority-class", "kn-pvc-volume", "kn-runtime-class",
    "kn-security-context", "kn-storage-uris", "kn-timeout-601", "kn-tolerations",
}  # fmt: skip
#: Where we say something else, and why.
OTHERWISE = {
    "canary-percent-200-standard": "has no effect there, and Knative refuses it",
    "legacy-and-model": "one of the two models is lost",
    "modelmesh": "another controller makes it",
    "runtime-protocol-unknown": "no service could use it",
    "runtime-without-containers": "no service could use it",
    "runtime-without-kserve-container": "no service could use it",
    "runtime-workers-removed": "takes two states",
    "two-env-of-one-name": "only server-side apply refuses it",
}


def spec(manifest):
    """`metadata` and `spec` moved up one level; runtimes keep labels and annotations there."""
    metadata = manifest.get("metadata", {})
    if manifest["kind"] in RUNTIMES:
        kept = {key: metadata[key] for key in ("labels", "annotations") if key in metadata}
        named = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
        metadata = {**named, **({"metadata": kept} if kept else {})}
    return {**HEADER, "kind": manifest["kind"], **metadata, **manifest["spec"]}


def errors(row):
    kserve = {"version": "0.20.0", "default_mode": row.get("default_mode", "Knative")}
    places = [{"name": "east", "platform": "kubernetes", "namespace": "models"}]
    trees = {
        "environment": {**HEADER, "kind": "Environment", "destinations": places, "kserve": kserve},
        "asked": spec(row["given"]),
    }
    others = [item for item in row.get("others_before", ()) if item["kind"] in RUNTIMES]
    trees |= {f"other-{index}": spec(item) for index, item in enumerate(others)}
    files = {f"environments/e/{name}.yaml": yaml.safe_dump(tree) for name, tree in trees.items()}
    found = check(project({"servingctl.yaml": "", **files}))
    is_asked = row["given"]["kind"] in RUNTIMES
    bad = [item for item in found if item.severity is Severity.ERROR]
    return [item.code for item in bad if not is_asked or item.file.endswith("/asked.yaml")]


def was_refused(row):
    """By a webhook, or by the controller and those whom it asks."""
    status = json.dumps(row.get("status", {}))
    made = row.get("objects")
    is_stopped = "serving.kserve.io/stop" in json.dumps(row["given"]["metadata"])
    nothing = (
        made is not None
        and not is_stopped
        and not any("Deployment/" in k or "KnativeService/" in k for k in made)
    )
    said = "InvalidSpec" in status or "ReconcileFailed" in status
    failed = any("InternalError" in item for item in row.get("events", ()))
    return not row["accepted"] or nothing or said or failed


@pytest.mark.skipif(not ROWS, reason="nothing was observed yet")
def test_errors_are_what_was_refused():
    asked = [row for row in ROWS if row["name"] not in IF_ALLOWED | OTHERWISE.keys()]
    told = {row["name"]: errors(row) for row in asked}
    wrong = [
        (row["name"], told[row["name"]], row.get("message") or row.get("events"))
        for row in asked
        if bool(told[row["name"]]) != was_refused(row)
    ]
    assert wrong == []
    assert len(asked) > 300


@pytest.mark.skipif(not ROWS, reason="nothing was observed yet")
def test_exceptions_are_needed():
    rows = {row["name"]: row for row in ROWS}
    for name in IF_ALLOWED | OTHERWISE.keys():
        assert bool(errors(rows[name])) != was_refused(rows[name]), name
