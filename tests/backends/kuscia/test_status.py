"""The status of servings: what Kuscia says, and what it does not say."""

import json
from copy import deepcopy
from functools import cache

import pytest

from renderer import load
from renderer.values.statuses import Health
from tests.support.live import found, live_objects, status_of
from tests.support.observed import CASES
from tests.support.rows import each

(TWO,) = (case for case in CASES if case.id == "two-parties")
(PROD,) = (case for case in CASES if case.id == "example-prod-alice")
PORTS = "kuscia.secretflow/allocated-ports"
#: All that a status of the initiator's control plane can be about.
INITIATORS = [case for case in CASES if case.says["plane"] == "initiator"]


@cache
def repository(case):
    return load(case.repository)


def judged(case, objects, unread=None, **others):
    """The status of the serving of a case, whose control plane has these objects."""
    says = case.says
    live = {says["destination"]: found(objects, unread), **others}
    status = status_of(repository(case), says["environment"], live)
    return next(item for item in status.specs if item.spec == f"Serving/{says['serving']}")


def changed(case, change, kind="KusciaDeployment"):
    """What is live after a case and a change of all objects of a kind."""
    objects = deepcopy(live_objects(case))
    for item in objects:
        if item["kind"] == kind:
            change(item)
    return objects


def differences(status):
    found = (*status.differences, *status.status.differences)
    return [(item.object, item.path, item.in_git, item.live) for item in found]


@each("case", INITIATORS, name=lambda case: case.id)
def test_what_the_controllers_made_is_as_in_git(case):
    """Every object of every observed case: no port, default or order is taken for a difference."""
    status = judged(case, live_objects(case))
    assert differences(status) == []
    assert (status.status.state, status.is_well) == ("Available", True)


@pytest.mark.parametrize(
    ("phase", "state", "health"),
    [
        ("", "Pending", Health.PROGRESSING),
        ("Progressing", "Progressing", Health.PROGRESSING),
        ("PartialAvailable", "PartialAvailable", Health.PROGRESSING),
        ("Available", "Available", Health.READY),
        ("Failed", "Failed", Health.FAILED),
        ("Sleeping", "Unknown", Health.UNKNOWN),
    ],
)
def test_a_phase_in_the_words_of_the_api(phase, state, health):
    """What it means decides where no Deployment can be read."""
    status = judged(TWO, live_objects(TWO, phase, phase), {"Deployment": "forbidden"}).status
    assert (status.state, status.health) == (state, health)
    assert [unit.state for unit in status.units] == [state, state]


def test_a_party_has_its_replicas_and_addresses():
    status = judged(TWO, live_objects(TWO)).status
    alice = status.units[0]
    assert (alice.unit, alice.destination, alice.ready, alice.wanted) == ("alice", "master", 2, 2)
    assert alice.since == "2026-01-17T10:18:02Z"
    addresses = [text.partition(":") for text in alice.endpoints]
    assert [host for host, _, port in addresses if not port] == ["two-peer.alice.svc"]
    assert [host for host, _, port in addresses if port] == ["two-web.alice.svc"]


def test_the_response_is_that_of_a_query():
    """As the documents of the API show it."""
    response = judged(TWO, live_objects(TWO)).status.response
    assert list(response) == ["serving_input_config", "initiator", "parties", "status"]
    assert response["initiator"] == "alice"
    party = response["parties"][0]
    assert set(party) == {
        "domain_id", "role", "app_image", "replicas", "update_strategy", "resources",
    }  # fmt: skip
    assert party["update_strategy"] == {
        "type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "25%",
    }  # fmt: skip
    status = response["status"]
    assert (status["state"], status["total_parties"], status["available_parties"]) == (
        "Available", 2, 2,
    )  # fmt: skip
    told = status["party_statuses"][0]
    assert (told["available_replicas"], told["unavailable_replicas"]) == (2, 0)
    assert {"port_name": "peer", "scope": "Cluster", "endpoint": "two-peer.alice.svc"} in told[
        "endpoints"
    ]


class TestAvailableHidesAFailedUpdate:
    """The phase of all of these is Available, and no reason is given."""

    def test_a_deployment_that_did_not_follow(self):
        """As after an update that the API server refused."""

        def change(item):
            item["spec"]["template"]["spec"]["containers"][0]["image"] = "example/web:old"

        status = judged(TWO, changed(TWO, change, "Deployment"))
        assert status.status.state == "Available"
        assert not status.is_well
        assert {item[0] for item in differences(status)} == {
            "Deployment alice/two", "Deployment bob/two",
        }  # fmt: skip
        assert "does not say that an update failed" in status.status.notes[0]

    def test_a_port_that_has_no_number(self):
        """A port that came after the numbers were drawn: Kuscia fails, and says nothing."""

        def change(item):
            entries = json.loads(item["metadata"]["annotations"][PORTS])
            del entries[1]["namedPort"]["web"]
            item["metadata"]["annotations"][PORTS] = json.dumps(entries)

        status = judged(TWO, changed(TWO, change))
        (one,) = differences(status)
        assert PORTS in one[1]
        assert one[2] == ["web"]
        assert "new serving_id" in status.status.notes[-1]

    def test_numbers_that_were_drawn_anew(self):
        """As after a replace that dropped the annotations: what runs has the old ones."""

        def change(item):
            entries = json.loads(item["metadata"]["annotations"][PORTS])
            for entry in entries:
                entry["namedPort"] = {name: n + 900 for name, n in entry["namedPort"].items()}
            item["metadata"]["annotations"][PORTS] = json.dumps(entries)

        status = judged(TWO, changed(TWO, change))
        assert any("containerPort" in path for _, path, _, _ in differences(status))

    @pytest.mark.parametrize("text", ["{", "[1]", '[{"namedPort": 3}]', '{"a": 1}', "[" * 5000])
    def test_numbers_that_cannot_be_read(self, text):
        def change(item):
            item["metadata"]["annotations"][PORTS] = text

        assert not judged(TWO, changed(TWO, change)).is_well

    @pytest.mark.parametrize("kind", ["Deployment", "Service", "ConfigMap"])
    def test_an_object_that_is_not_there(self, kind):
        objects = [item for item in live_objects(TWO) if item["kind"] != kind]
        status = judged(TWO, objects)
        assert {item[0].partition(" ")[0] for item in differences(status)} == {kind}

    def test_what_may_not_be_read_is_not_missing(self):
        objects = [item for item in live_objects(TWO) if item["kind"] != "ConfigMap"]
        assert judged(TWO, objects, {"ConfigMap": "forbidden"}).is_well


def test_a_spec_that_was_edited_by_hand():
    def change(item):
        item["spec"]["parties"][0]["template"]["replicas"] = 7

    status = judged(TWO, changed(TWO, change))
    path = "spec.parties[alice].template.replicas"
    assert ("", path, 2, 7) in differences(status)


def test_what_kuscia_writes_back_is_no_difference():
    """The annotations that are its state, and the empty members of its structures."""

    def change(item):
        notes = item["metadata"]["annotations"]
        notes["kuscia.secretflow/interconn-kuscia-parties"] = "carol"
        item["metadata"] |= {"generation": 4, "resourceVersion": "9", "uid": "x"}
        item["spec"]["parties"][0]["template"]["spec"]["restartPolicy"] = ""

    assert judged(TWO, changed(TWO, change)).is_well


@pytest.mark.parametrize("phase", ["Progressing", "Failed"])
def test_a_failure_that_the_phase_does_not_tell(phase):
    """If a party was on its way, the phase says so and the reason says that Kuscia gave up."""

    def change(item):
        item["status"] |= {"phase": phase, "reason": "BuildPartyKitInfoFailed"}

    status = judged(TWO, changed(TWO, change))
    assert status.status.health is Health.FAILED
    assert "try again" in status.status.notes[0]


def test_a_first_creation_that_failed():
    """The API would show no status at all."""

    def change(item):
        item["status"] = {"phase": "Failed", "reason": "CreateServiceFailed", "message": "taken"}

    objects = changed(TWO, change)
    kept = [item for item in objects if item["kind"] in ("KusciaDeployment", "AppImage")]
    status = judged(TWO, kept)
    assert (status.status.reason, status.status.message) == ("CreateServiceFailed", "taken")
    assert differences(status) == []
    assert status.status.response["status"]["reason"] == "CreateServiceFailed"


class TestTwoControlPlanes:
    """Alice's has the object, bob's a copy; each runs its own party."""

    def test_of_the_other_nothing_is_read(self):
        status = judged(PROD, live_objects(PROD))
        assert [unit.state for unit in status.status.units] == ["Available", "Pending"]
        assert status.is_well

    def test_the_other_tells_of_its_own_party(self):
        (mirror,) = (case for case in CASES if case.id == "example-prod-bob")
        status = judged(PROD, live_objects(PROD), bob=found(live_objects(mirror)))
        assert [unit.destination for unit in status.status.units] == ["alice", "bob"]
        assert [unit.state for unit in status.status.units] == ["Available", "Available"]
        assert all("bob" in text for text in status.status.units[1].endpoints)
        assert differences(status) == []


@pytest.mark.parametrize(
    "status",
    [
        None,
        [],
        "Available",
        {"phase": 3},
        {"phase": ["x"]},
        {"partyDeploymentStatuses": {"alice": {"two": [1]}}},
        {"partyDeploymentStatuses": {"alice": {"two": {"replicas": "2"}}}},
    ],
    ids=str,
)
def test_a_status_of_any_shape(status):
    def change(item):
        item["status"] = status

    assert judged(TWO, changed(TWO, change)).status.state in ("Pending", "Unknown")
