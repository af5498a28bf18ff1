"""The status of clusters, jobs and services of Ray, over all that were observed."""

from collections import Counter

import pytest
import yaml

from renderer.values.statuses import Health
from tests.support.kuberay_rows import ROWS, evaluated
from tests.support.live import found, status_in
from tests.support.stored import stored

STORED = {row["name"]: row for row in ROWS if "stored" in row}


def judged(row, change=lambda _live: None, pods=None):
    """How the object of a row fares; nothing if it is one that we do not render."""
    made = evaluated()[row["name"]]
    if not made.manifests:
        return None
    live = stored(row, yaml.load(made.manifests[0].text, yaml.CSafeLoader))
    change(live)
    unread = {"Pod": "forbidden"} if pods is None else {}
    here = {"east": found([live, *(pods or ())], unread)}
    return status_in(made.rendering, made.environment, here).specs[0]


def test_everything_that_was_observed():
    """What KubeRay stores of what we render is what we rendered, and its states are read."""
    rows = [row for row in STORED.values() if row["accepted"] and not row.get("gone")]
    told = {row["name"]: one for row in rows if (one := judged(row)) is not None}
    assert {name: one.differences for name, one in told.items() if not one.equals_git} == {}
    kinds = {name: STORED[name]["given"]["kind"] for name in told}
    counts = Counter(
        (kinds[name], one.status.state, one.status.health) for name, one in told.items()
    )
    assert counts["RayCluster", "ready", Health.READY] > 80
    assert counts["RayService", "Ready", Health.READY] > 10
    assert counts.keys() >= {
        ("RayCluster", "suspended", Health.SUSPENDED),
        ("RayCluster", "no status yet", Health.PROGRESSING),
        ("RayJob", "Complete SUCCEEDED", Health.READY),
        ("RayJob", "Running RUNNING", Health.PROGRESSING),
        ("RayJob", "Failed FAILED", Health.FAILED),
        ("RayJob", "Suspended", Health.SUSPENDED),
        ("RayJob", "Initializing", Health.PROGRESSING),
        ("RayJob", "Waiting", Health.PROGRESSING),
        ("RayService", "not Ready", Health.PROGRESSING),
    }


def told_by(kind, status, generation=1):
    """How an object of a kind fares that says this, with no pods to look at."""
    row = next(r for r in STORED.values() if r["given"]["kind"] == kind and judged(r) is not None)
    return judged({**row, "status": status, "generation": generation}).status


def test_every_recorded_failure_of_pods():
    """Rows that KubeRay could not make pods of, whoever would have refused them before."""
    statuses = [row["status"] for row in STORED.values() if row["given"]["kind"] == "RayCluster"]
    failed = [status for status in statuses if "ReplicaFailure" in status.get("conditions", {})]
    assert len(failed) > 5
    for status in failed:
        told = told_by("RayCluster", status)
        assert told.health is Health.FAILED
        assert told.reason.startswith("FailedCreate")


def test_every_recorded_validation_of_services():
    """The generation that KubeRay noted tells a failure from one that was mended."""
    rows = [row for row in STORED.values() if row["given"]["kind"] == "RayService"]
    failed = [
        r for r in rows if "ValidationFailed" in r["status"].get("conditions", {}).get("Ready", "")
    ]
    assert failed
    for row in failed:
        told = told_by("RayService", row["status"], row["generation"])
        assert (told.health, told.reason) == (Health.FAILED, "ValidationFailed")
        mended = {**row["status"], "observedGeneration": row["generation"]}
        assert told_by("RayService", mended, row["generation"]).health is Health.PROGRESSING


def test_a_cluster_whose_generation_stays_behind():
    """KubeRay notes it only when something else of the status changes."""
    status = {**STORED["pods"]["status"], "observedGeneration": 1}
    assert told_by("RayCluster", status, generation=4).health is Health.READY


SERVING = {"Ready": "True NonZeroServeEndpoints x", "UpgradeInProgress": "False NoPendingCluster x"}
UPGRADING = {**SERVING, "UpgradeInProgress": "True BothActivePendingClustersExist x"}


def service(conditions, active="RUNNING", pending=None, observed=1):
    sides = {"activeServiceStatus": active, "pendingServiceStatus": pending}
    apps = {
        side: {
            "rayClusterName": "c",
            "applicationStatuses": {"app": {"status": status, "message": "m"}},
        }
        for side, status in sides.items()
        if status
    }
    return {"conditions": conditions, "observedGeneration": observed, **apps}


@pytest.mark.parametrize(
    ("status", "health", "reason"),
    [
        (service(SERVING), Health.READY, ""),
        (service(SERVING, "DEPLOYING"), Health.PROGRESSING, ""),
        (service(SERVING, "UNHEALTHY"), Health.FAILED, "UNHEALTHY"),
        (service(SERVING, "DEPLOY_FAILED"), Health.FAILED, "DEPLOY_FAILED"),
        (service(SERVING, observed=0), Health.PROGRESSING, ""),
        (service(UPGRADING, pending="DEPLOYING"), Health.PROGRESSING, ""),
        (service(UPGRADING, pending="DEPLOY_FAILED"), Health.FAILED, "DEPLOY_FAILED"),
        (service({"Ready": "False InitializingTimeout x"}), Health.FAILED, "InitializingTimeout"),
        (service({**SERVING, "Suspended": "True Suspended x"}), Health.SUSPENDED, ""),
        (service({"Ready": "False ZeroServeEndpoints"}), Health.PROGRESSING, "ZeroServeEndpoints"),
        ({}, Health.PROGRESSING, ""),
    ],
    ids=str,
)  # fmt: skip
def test_a_service(status, health, reason):
    told = told_by("RayService", status)
    assert (told.health, told.reason) == (health, reason)


@pytest.mark.parametrize(
    ("deployed", "run", "health"),
    [
        ("", "", Health.PROGRESSING),
        ("Retrying", "PENDING", Health.PROGRESSING),
        ("Suspending", "", Health.PROGRESSING),
        ("Complete", "STOPPED", Health.FAILED),
        ("Complete", "FAILED", Health.FAILED),
        ("ValidationFailed", "", Health.FAILED),
        ("Dreaming", "", Health.UNKNOWN),
    ],
)
def test_a_job(deployed, run, health):
    status = {"jobDeploymentStatus": deployed, "jobStatus": run, "reason": "r", "message": "m"}
    assert told_by("RayJob", status).health is health


def pod(cluster, group, name, ready="True"):
    labels = {"ray.io/cluster": cluster, "ray.io/group": group}
    about = {"name": name, "namespace": "ray", "labels": labels}
    status = {"conditions": [{"type": "Ready", "status": ready}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": about, "status": status}


def test_groups_have_the_pods_that_are_theirs():
    pods = [
        pod("pods", "headgroup", "a"),
        pod("pods", "small", "b", "False"),
        pod("x", "small", "c"),
    ]
    units = judged(STORED["pods"], pods=pods).status.units
    told = [(unit.unit, unit.state, unit.ready, unit.wanted) for unit in units]
    assert told == [("head", "ready", 1, 1), ("small", "progressing", 0, 1)]


def test_what_the_autoscaler_writes_is_no_difference():
    row = next(
        row
        for row in STORED.values()
        if row["given"]["kind"] == "RayCluster"
        and row["given"]["spec"].get("enableInTreeAutoscaling")
        and judged(row) is not None
    )

    def change(live):
        for group in live["spec"]["workerGroupSpecs"]:
            group["replicas"] = 3
            group["scaleStrategy"] = {"workersToDelete": ["x"]}

    assert judged(row, change).differences == ()


def test_workers_that_somebody_scaled_by_hand():
    def change(live):
        live["spec"]["workerGroupSpecs"][0]["replicas"] = 3

    (one,) = judged(STORED["pods"], change).differences
    assert (one.path, one.in_git, one.live) == ("spec.workerGroupSpecs[small].replicas", 1, 3)


@pytest.mark.parametrize("status", [None, [], 3, {"conditions": [[]]}, {"state": {}}], ids=str)
@pytest.mark.parametrize("kind", ["RayCluster", "RayService", "RayJob"])
def test_a_status_of_any_shape(status, kind):
    row = next(r for r in STORED.values() if r["given"]["kind"] == kind and judged(r) is not None)

    def change(live):
        live["status"] = status

    assert judged(row, change).status.state == "no status yet"
