"""How objects that run pods are judged, by their own status."""

import pytest

from renderer.kubernetes.status import workload_status
from renderer.values.diagnostics import Origin
from renderer.values.live import LiveObject
from renderer.values.tree import uniform_tree

DONE = {"replicas": 2, "updatedReplicas": 2, "availableReplicas": 2, "readyReplicas": 2}
ROLLED = {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"}


def judged(api_version, kind, spec=None, generation=0, **status):
    document = {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "a", "generation": generation},
        "spec": spec or {"replicas": 2},
        "status": status,
    }
    return workload_status(LiveObject(uniform_tree(document, Origin("a.json"))))


def condition(name, status, reason=""):
    return [{"type": name, "status": status, "reason": reason}]


@pytest.mark.parametrize(
    ("status", "health"),
    [
        (DONE, "ready"),
        ({**DONE, "observedGeneration": 1}, "progressing"),
        ({**DONE, "observedGeneration": 2, "updatedReplicas": 1}, "progressing"),
        ({**DONE, "observedGeneration": 2, "replicas": 3}, "progressing"),
        ({**DONE, "observedGeneration": 2, "availableReplicas": 1}, "progressing"),
        ({}, "progressing"),
    ],
)
@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet"])
def test_replicas(kind, status, health):
    generation = 2 if "observedGeneration" in status else 0
    assert judged("apps/v1", kind, generation=generation, **status).health == health


@pytest.mark.parametrize("conditions", [condition("ReplicaFailure", "True", "FailedCreate"),
                                        condition("Progressing", "False", "TooLate")])  # fmt: skip
def test_what_kubernetes_gave_up(conditions):
    found = judged("apps/v1", "Deployment", **DONE, conditions=conditions)
    assert (found.health, found.reason) == ("failed", conditions[0]["reason"])


@pytest.mark.parametrize(("updated", "health"), [(2, "ready"), (0, "suspended")])
def test_a_deployment_that_is_paused(updated, health):
    spec = {"replicas": 2, "paused": True}
    found = judged("apps/v1", "Deployment", spec, **{**DONE, "updatedReplicas": updated})
    assert (found.health, found.message.startswith("it is paused")) == (health, True)


def test_whether_a_rollout_is_over():
    lost = {**DONE, "availableReplicas": 0}
    assert judged("apps/v1", "Deployment", **lost, conditions=[ROLLED]).is_rolled_out
    assert not judged("apps/v1", "Deployment", **lost).is_rolled_out


def test_groups_of_pods():
    spec = {"replicas": 2, "leaderWorkerTemplate": {"size": 4}}
    found = judged("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", spec, **DONE)
    assert (found.health, found.ready, found.asked) == ("ready", 8, 8)


@pytest.mark.parametrize(
    ("conditions", "health"),
    [
        (condition("Complete", "True"), "ready"),
        (condition("Failed", "True", "BackoffLimitExceeded"), "failed"),
        ([], "progressing"),
    ],
)
def test_a_job(conditions, health):
    assert judged("batch/v1", "Job", {"parallelism": 1}, conditions=conditions).health == health


@pytest.mark.parametrize(
    ("status", "health", "reason"),
    [
        ({"conditions": condition("Ready", "True")}, "ready", ""),
        ({"phase": "Pending"}, "progressing", ""),
        ({"phase": "Failed"}, "failed", ""),
        ({"containerStatuses": [{"state": {"waiting": {"reason": "ContainerCreating"}}}]},
         "progressing", ""),
        ({"containerStatuses": [{"state": {"waiting": {"reason": "CrashLoopBackOff"}}}]},
         "failed", "CrashLoopBackOff"),
    ],
)  # fmt: skip
def test_a_pod(status, health, reason):
    found = judged("v1", "Pod", **status)
    assert (found.health, found.reason) == (health, reason)


@pytest.mark.parametrize(
    ("ready", "health"), [("True", "ready"), ("False", "failed"), ("Unknown", "progressing")]
)
def test_a_service_of_knative(ready, health):
    conditions = condition("Ready", ready)
    assert judged("serving.knative.dev/v1", "Service", conditions=conditions).health == health


def test_what_runs_no_pods():
    assert judged("v1", "Service") is None


EVERYWHERE = {"desiredNumberScheduled": 3, "numberAvailable": 3, "updatedNumberScheduled": 3}


@pytest.mark.parametrize(
    ("status", "health"),
    [
        (EVERYWHERE, "ready"),
        ({**EVERYWHERE, "numberAvailable": 2}, "progressing"),
        ({**EVERYWHERE, "updatedNumberScheduled": 2}, "progressing"),
    ],
)
def test_a_pod_on_each_node(status, health):
    assert judged("apps/v1", "DaemonSet", **status).health == health


@pytest.mark.parametrize(("available", "health"), [(2, "ready"), (1, "progressing")])
def test_a_set_without_rollouts(available, health):
    assert judged("apps/v1", "ReplicaSet", availableReplicas=available).health == health


@pytest.mark.parametrize(("suspend", "health"), [(True, "suspended"), (False, "ready")])
def test_what_runs_at_times(suspend, health):
    assert judged("batch/v1", "CronJob", {"suspend": suspend}).health == health
