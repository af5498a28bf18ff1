"""The status of inference services, over every service that was observed."""

from collections import Counter
from copy import deepcopy

import pytest
import yaml

from renderer.live.expectation import expectations, queries
from renderer.values.statuses import Health
from tests.support.kserve_rows import SERVICES, evaluated
from tests.support.live import found, status_in
from tests.support.rows import each
from tests.support.stored import stored


def judged(row, change=lambda _live: None, others=(), unread=None):
    """How the service of a row fares; nothing if it is one that we do not render."""
    made = evaluated()[row["name"]]
    manifests = [item for item in made.manifests if item.spec.stem == "asked"]
    if not manifests:
        return None
    live = stored(row, yaml.load(manifests[0].text, yaml.CSafeLoader))
    change(live)
    if not others and unread is None:
        unread = {"Deployment": "the rows do not have their status"}
    here = {"east": found([live, *others], unread)}
    return status_in(made.rendering, made.environment, here, ["asked"]).specs[0]


def test_every_service_that_was_observed():
    """What KServe stores of what we render is what we rendered, and its conditions are read."""
    told = {name: one for name, row in SERVICES.items() if (one := judged(row)) is not None}
    assert {name: one.differences for name, one in told.items() if not one.equals_git} == {}
    counts = Counter((one.status.state, one.status.health) for one in told.values())
    assert counts["Ready", Health.READY] > 200
    assert counts["not Ready", Health.FAILED] > 10
    assert counts.keys() == {
        ("Ready", Health.READY),
        ("InvalidSpec", Health.FAILED),
        ("Stopped", Health.SUSPENDED),
        ("Ready unknown", Health.PROGRESSING),
        ("not Ready", Health.PROGRESSING),
        ("not Ready", Health.FAILED),
    }


def test_a_service_with_its_addresses():
    status = judged(SERVICES["scale-default"]).status
    assert status.endpoints == (
        "http://scale-default-models.example.com",
        "http://scale-default-predictor.models.svc.cluster.local",
    )
    (unit,) = status.units
    assert (unit.unit, unit.destination, unit.state) == ("predictor", "east", "Ready")
    assert status.response["deploymentMode"] == "Standard"


def deployment(service, ready=2, **status):
    about = {
        "name": f"{service}-predictor",
        "namespace": "models",
        "generation": 3,
        "labels": {
            "serving.kserve.io/inferenceservice": service,
            "component": "predictor",
            "app.kubernetes.io/managed-by": "servingctl",
        },
        "ownerReferences": [{"kind": "InferenceService", "name": service}],
    }
    told = {
        "observedGeneration": 3,
        "replicas": 2,
        "updatedReplicas": 2,
        "availableReplicas": ready,
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": about,
        "spec": {"replicas": 2},
        "status": {**told, **status},
    }


def scaled(ready, **status):
    """A service of one to three pods, whose autoscaler asks for two."""
    others = [deployment("scale-1-to-3", ready, **status)]
    return judged(SERVICES["scale-1-to-3"], others=others).status


@pytest.mark.parametrize(("ready", "health"), [(2, "ready"), (1, "ready"), (0, "failed")])
def test_replicas_are_those_of_deployments(ready, health):
    """An autoscaler that adds pods is no failure; that none is left is one."""
    rolled = {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"}
    status = scaled(ready, conditions=[rolled])
    assert (status.units[0].ready, status.units[0].wanted) == (ready, 2)
    assert status.health == status.units[0].health == health


def test_a_deployment_that_gives_up_wins_over_ready():
    late = {"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}
    status = scaled(2, conditions=[late])
    assert (status.state, status.health) == ("Ready", Health.FAILED)
    assert status.units[0].reason == "ProgressDeadlineExceeded"


def test_a_service_without_its_deployment():
    status = judged(SERVICES["scale-1-to-3"], unread={}).status
    assert (status.state, status.health) == ("Ready", Health.FAILED)
    assert "is not there" in status.units[0].message


@pytest.mark.parametrize(
    "behind", [{"observedGeneration": 2}, {"updatedReplicas": 1}, {"replicas": 3}], ids=str
)
def test_ready_may_speak_of_old_pods(behind):
    status = scaled(2, **behind)
    assert (status.state, status.health) == ("Ready", Health.PROGRESSING)
    assert status.disagreement.startswith("KServe says Ready; predictor")


def test_a_revision_that_is_not_ready_yet():
    def change(live):
        live["status"]["components"]["predictor"]["latestCreatedRevision"] = "next-00002"

    status = judged(SERVICES["percent-on-first"], change).status
    assert status.health is Health.PROGRESSING


def test_a_model_that_cannot_be_loaded():
    def change(live):
        live["status"]["modelStatus"] = {
            "transitionStatus": "BlockedByFailedLoad",
            "lastFailureInfo": {"reason": "ModelLoadFailed", "message": "no such bucket"},
        }

    status = judged(SERVICES["scale-default"], change).status
    assert (status.state, status.health) == ("BlockedByFailedLoad", Health.FAILED)
    assert (status.reason, status.message) == ("ModelLoadFailed", "no such bucket")


def test_canaries_are_units():
    units = judged(SERVICES["canary"]).status.units
    assert [unit.unit for unit in units] == ["predictor", "predictor/green"]
    assert [unit.health for unit in units] == [Health.READY, Health.READY]


def test_the_generation_says_nothing():
    def change(live):
        live["metadata"]["generation"] = 9
        live["status"]["observedGeneration"] = 1

    assert judged(SERVICES["scale-default"], change).is_well


def test_an_edit_by_hand():
    def change(live):
        live["spec"]["predictor"]["model"]["storageUri"] = "gs://models/iris/2"
        live["spec"]["predictor"]["nodeSelector"] = {"disk": "ssd"}

    found = judged(SERVICES["scale-default"], change).differences
    assert [(item.path, item.in_git, item.live) for item in found] == [
        ("spec.predictor.model.storageUri", "gs://models/iris/1", "gs://models/iris/2"),
        ("spec.predictor.nodeSelector", None, {"disk": "ssd"}),
    ]


@pytest.mark.parametrize(
    "status", [None, [], 3, {"conditions": {}}, {"conditions": [1, {"type": 2}]}], ids=str
)
def test_a_status_of_any_shape(status):
    def change(live):
        live["status"] = deepcopy(status)

    assert judged(SERVICES["scale-default"], change).status.state == "no status yet"


KNATIVE = SERVICES["knative-default"]
REVISION = "knative-default-predictor-00001"


def knative_service(ready="True", reason="", **status):
    about = {"name": "knative-default-predictor", "namespace": "models", "generation": 1}
    condition = {"type": "Ready", "status": ready, "reason": reason, "message": "m"}
    told = {
        "observedGeneration": 1,
        "latestCreatedRevisionName": REVISION,
        "traffic": [{"revisionName": REVISION, "percent": 100}],
        "conditions": [condition],
    }
    return {
        "apiVersion": "serving.knative.dev/v1",
        "kind": "Service",
        "metadata": about,
        "status": {**told, **status},
    }


def of_revision(number, ready=1, **status):
    """The Deployment that Knative makes of a revision of the service."""
    made = deployment("knative-default", ready, replicas=1, updatedReplicas=1, **status)
    name = f"knative-default-predictor-0000{number}"
    made["metadata"] |= {"name": f"{name}-deployment"}
    made["metadata"]["labels"] |= {"serving.knative.dev/revision": name}
    return {**made, "spec": {"replicas": 1}}


LATE = {"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}
ROLLED = {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"}


@each(
    "others health reason",
    {
        "all is well": ([knative_service(), of_revision(1)], "ready", ""),
        "its revision failed": (
            [knative_service("False", "RevisionFailed"), of_revision(1)],
            "failed",
            "RevisionFailed",
        ),
        "its revision starts": ([knative_service("Unknown"), of_revision(1)], "progressing", ""),
        "Knative has not looked": (
            [knative_service(observedGeneration=0), of_revision(1)], "progressing", "",
        ),
        "Knative is behind its Deployment": (
            [knative_service(), of_revision(1, 0, conditions=[LATE])],
            "failed",
            "ProgressDeadlineExceeded",
        ),
        "no pod is left": (
            [knative_service(), of_revision(1, 0, conditions=[ROLLED])], "failed", "",
        ),
        "an old revision that failed": (
            [knative_service(), of_revision(1), of_revision(0, 0, conditions=[LATE])], "ready", "",
        ),
        "no Service was read": ([of_revision(1)], "ready", ""),
    },
)  # fmt: skip
def test_ready_of_a_service_whose_knative_service_or_revision_failed(others, health, reason):
    """The condition of the InferenceService says Ready all the time."""
    status = judged(KNATIVE, others=others).status
    assert (status.state, status.health) == ("Ready", health)
    assert status.units[0].reason == reason
    assert bool(status.disagreement) is (health != "ready")


def test_a_knative_service_is_enough():
    """Where Deployments may not be read."""
    failed = knative_service("False", "RevisionFailed")
    status = judged(KNATIVE, others=[failed], unread={"Deployment": "forbidden"}).status
    assert (status.state, status.health) == ("Ready", Health.FAILED)


@pytest.mark.parametrize(("name", "is_asked"), [("knative-default", True), ("scale-1-to-3", False)])
def test_services_of_knative_are_asked_for_where_there_are_some(name, is_asked):
    made = evaluated()[name]
    expected = expectations(made.rendering, made.environment)
    asked = {(query.api_version, query.kind) for query in queries(expected)}
    assert (("serving.knative.dev/v1", "Service") in asked) is is_asked


@each(
    "ready updated health",
    [(2, 2, "ready"), (2, 0, "suspended"), (0, 2, "failed"), (0, 0, "failed")],
)
def test_a_paused_deployment_rolls_nothing_out(ready, updated, health):
    """An outage is no rollout then, whichever version its pods are of."""
    paused = {"type": "Progressing", "status": "Unknown", "reason": "DeploymentPaused"}
    found = deployment("scale-1-to-3", ready, updatedReplicas=updated, conditions=[paused])
    found["spec"]["paused"] = True
    assert judged(SERVICES["scale-1-to-3"], others=[found]).status.health == health
