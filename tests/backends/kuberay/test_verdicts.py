"""What KubeRay was observed to refuse, at once or later, is an error; what it runs is none."""

import pytest

from tests.support.kuberay_rows import KINDS, ROWS, evaluated
from tests.support.replay import assert_agreement, verdict

COMPARED = {row["name"]: row for row in ROWS if row["given"]["kind"] in KINDS}
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


@pytest.fixture(scope="module")
def refusals():
    """The errors of each row."""
    return {name: row.errors for name, row in evaluated().items()}


def test_errors_are_what_was_refused(refusals):
    asked = {name: row for name, row in COMPARED.items() if name not in OTHERWISE}
    assert_agreement(
        (f"{name} {refusals[name]}", verdict(not row["accepted"]), verdict(refusals[name]))
        for name, row in asked.items()
    )
    assert len(asked) > 300


def test_exceptions_are_needed(refusals):
    for name in OTHERWISE:
        assert bool(refusals[name]) == COMPARED[name]["accepted"], name
