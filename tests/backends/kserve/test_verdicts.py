"""What KServe was observed to refuse, at once or later, is an error; what it runs is none."""

import json

import pytest

from tests.support.kserve_rows import ROWS, RUNTIMES, evaluated
from tests.support.replay import assert_agreement, errors, verdict

#: Refused as Knative is shipped; clusters may allow it, so these are warnings.
IF_ALLOWED = {
    "kn-affinity", "kn-concurrency-1001", "kn-field-ref", "kn-init-container", "kn-many-nodes",
    "kn-mount-propagation", "kn-node-selector", "kn-priority-class", "kn-pvc-volume",
    "kn-rt-capabilities", "kn-rt-claim", "kn-rt-field-ref", "kn-rt-node-selector",
    "kn-rt-tolerations", "kn-runtime-class", "kn-security-context", "kn-side-liveness",
    "kn-side-readiness", "kn-storage-uris", "kn-timeout-601", "kn-tolerations",
}  # fmt: skip
#: Where we say something else, and why.
OTHERWISE = {
    "canary-percent-200-standard": "has no effect there, and Knative refuses it",
    "init-as-initializer": "nobody fetches the model",
    "side-as-agent": "nobody logs",
    "side-as-initializer": "the pods are refused",
    "volume-of-claims": "the model's claim is not mounted",
    "legacy-and-model": "one of the two models is lost",
    "modelmesh": "another controller makes it",
    "runtime-protocol-unknown": "no service could use it",
    "runtime-without-containers": "no service could use it",
    "runtime-without-kserve-container": "no service could use it",
    "runtime-workers-removed": "takes two states",
    "two-env-of-one-name": "only server-side apply refuses it",
}


@pytest.fixture(scope="module")
def refusals():
    """The errors of each row; of a runtime that was asked for, those in its own file."""
    asked = {row["name"] for row in ROWS if row["given"]["kind"] in RUNTIMES}
    return {
        name: errors(i for i in row.found if name not in asked or i.file.endswith("/asked.json"))
        for name, row in evaluated().items()
    }


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


def test_errors_are_what_was_refused(refusals):
    exceptions = IF_ALLOWED | OTHERWISE.keys()
    asked = {row["name"]: row for row in ROWS if row["name"] not in exceptions}
    assert_agreement(
        (f"{name} {refusals[name]}", verdict(was_refused(row)), verdict(refusals[name]))
        for name, row in asked.items()
    )
    assert len(asked) > 300


def test_exceptions_are_needed(refusals):
    rows = {row["name"]: row for row in ROWS}
    for name in IF_ALLOWED | OTHERWISE.keys():
        assert bool(refusals[name]) != was_refused(rows[name]), name
