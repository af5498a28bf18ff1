"""The status of clusters, jobs and services of Ray, over all that were observed."""

from collections import Counter

import pytest
import yaml

from renderer.values.statuses import Health
from tests.support.kuberay_rows import ROWS, evaluated
from tests.support.live import found, status_in
from tests.support.rows import each
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


def crashing(*arguments):
    """A pod whose container is started again and again."""
    made = pod(*arguments, "False")
    waiting = {"reason": "CrashLoopBackOff", "message": "back-off"}
    made["status"] |= {"containerStatuses": [{"state": {"waiting": waiting}}]}
    return made


def rows_that_say(kind, state):
    """Recorded rows of which KubeRay says this, and that we render with pods of their own."""
    rows = {row["name"]: row for row in STORED.values() if row["given"]["kind"] == kind}
    told = {name: judged(row) for name, row in rows.items()}
    return [
        rows[name] for name, one in told.items()
        if one and one.status.state == state and one.status.units
    ]  # fmt: skip


def cluster_of(row):
    """The cluster that an object is, or that it says it runs in."""
    status = row["status"]
    service = status.get("activeServiceStatus", {})
    return (
        status.get("rayClusterName")
        or service.get("rayClusterName")
        or row["given"]["metadata"]["name"]
    )


def all_pods(row, make=pod):
    """A pod of the head, made in one way or another, and those of all workers there must be."""
    units, cluster = judged(row, pods=[]).status.units, cluster_of(row)
    numbers = {unit.unit: unit.wanted for unit in units if unit.unit != "head"}
    workers = [
        pod(cluster, group, f"{group}-{number}")
        for group, most in numbers.items()
        for number in range(most)
    ]
    made = [make(cluster, "headgroup", "the-head"), *workers]
    for item in made:
        item["metadata"]["namespace"] = row["given"]["metadata"]["namespace"]
    return made


@each(
    "kind state well",
    [
        ("RayCluster", "ready", Health.READY),
        ("RayService", "Ready", Health.READY),
        ("RayJob", "Running RUNNING", Health.PROGRESSING),
    ],
)
def test_pods_win_over_what_kuberay_says(kind, state, well):
    """Over every recorded object of which KubeRay says that its pods run."""
    rows = rows_that_say(kind, state)
    assert rows
    for row in rows:
        told = judged(row, pods=all_pods(row)).status
        assert (told.state, told.health, told.disagreement) == (state, well, ""), row["name"]
        crashed = judged(row, pods=all_pods(row, crashing)).status
        assert (crashed.state, crashed.health) == (state, Health.FAILED), row["name"]
        assert crashed.units[0].reason == "CrashLoopBackOff", row["name"]
        assert f"KubeRay says {state}; head" in crashed.disagreement
        gone = judged(row, pods=[]).status
        assert (gone.state, gone.health) == (state, Health.FAILED), row["name"]
        assert gone.units[0].message == "none of its pods is there"


def test_pods_of_a_job_that_is_about_to_start_are_waited_for():
    (row, *_) = rows_that_say("RayJob", "Initializing")

    def change(live):
        live["status"]["rayClusterName"] = "c"

    told = judged(row, change, pods=[]).status
    assert (told.health, told.disagreement) == (Health.PROGRESSING, "")


def a_service(status, pods):
    row = next(
        r for r in STORED.values() if r["given"]["kind"] == "RayService" and judged(r) is not None
    )
    return judged({**row, "status": status, "generation": 1}, pods=pods).status


def test_a_new_service_whose_first_pods_crash():
    """It has a cluster to come and none that serves; KubeRay goes on waiting."""
    status = service({"Ready": "False Initializing"}, active=None, pending="DEPLOYING")
    told = a_service(status, [crashing("c", "headgroup", "a")])
    assert (told.state, told.health, told.endpoints) == ("not Ready", Health.FAILED, ())
    assert told.units[0].reason == "CrashLoopBackOff"


def test_an_upgrade_whose_new_pods_crash():
    """KubeRay says that a new cluster is on its way; the old one serves."""
    status = service(UPGRADING, pending="DEPLOYING")
    status["pendingServiceStatus"]["rayClusterName"] = "next"
    pods = [pod("c", "headgroup", "a"), crashing("next", "headgroup", "b")]
    told = a_service(status, pods)
    assert (told.health, told.reason) == (Health.FAILED, "CrashLoopBackOff")
    assert told.message == "a pod of the new cluster fails, the old one serves: b back-off"
    assert told.units[0].health is Health.READY


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
