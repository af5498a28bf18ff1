"""What parties ask of their control planes: merged templates, replicas, and rollouts on top."""

from decimal import Decimal

import pytest

from renderer.backends.kuscia.backend import demands
from tests.states import CONTAINER, deployment, image, manifest, party, state

GIB = 2**30


def asked(*parties, **changes):
    """Amounts and surge by unit."""
    tree = manifest(deployment(*parties))
    images = [manifest(image(**changes), at) for at in ("east", "west")]
    return {
        item.unit: (dict(item.amounts), dict(item.surge))
        for item in demands(tree, state(tree, *images))
    }


def rolling(surge):
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": 0}}


def override(**resources):
    return {"containers": [{"name": "main", "workingDir": "", "resources": resources}]}


def with_containers(*containers, **members):
    return {
        "deployTemplates": [{"name": "main", **members, "spec": {"containers": list(containers)}}]
    }


def test_requests_times_replicas_and_a_surge_rounded_up():
    amounts, surge = asked(party("alice", replicas=5))["alice"]
    assert amounts == {"cpu": 5, "memory": 5 * GIB}
    assert surge == {"cpu": 2, "memory": 2 * GIB}  # a quarter of five


@pytest.mark.parametrize(
    ("replicas", "strategy", "pods"),
    [
        (4, rolling("25%"), 1),
        (5, rolling("50%"), 3),
        (3, rolling(2), 2),
        (3, rolling("2"), 2),
        (2, rolling(5), 2),
        (0, rolling(1), 0),
        (3, rolling(0), 0),
        (3, {"type": "Recreate"}, 0),
        (3, None, 1),
        (3, rolling("many"), 0),
    ],
)
def test_surge(replicas, strategy, pods):
    given = party("alice", replicas=replicas, strategy=strategy)
    if strategy is None:
        del given["template"]["strategy"]
    assert asked(given)["alice"][1]["cpu"] == pods


@pytest.mark.parametrize(("own", "templates", "pods"), [(3, 2, 3), (None, 2, 2), (None, None, 1)])
def test_replicas_of_the_party_then_the_template_then_one(own, templates, pods):
    given = party("alice", replicas=own)
    members = {} if templates is None else {"replicas": templates}
    if own is None:
        del given["template"]["replicas"]
    assert asked(given, **with_containers(CONTAINER, **members))["alice"][0]["cpu"] == pods


def test_an_override_replaces_a_whole_map():
    given = party("alice", replicas=1, spec=override(requests={"cpu": "250m"}))
    assert asked(given)["alice"][0] == {"cpu": Decimal("0.25")}


def test_limits_stand_in_for_requests():
    limits = {"cpu": "4", "nvidia.com/gpu": 1}
    given = party("alice", spec=override(limits=limits))
    amounts, surge = asked(given)["alice"]
    assert amounts == {"cpu": 2, "memory": 2 * GIB, "nvidia.com/gpu": 2}
    assert surge["nvidia.com/gpu"] == 1


def test_all_containers_of_a_pod_count():
    second = {"name": "second", "workingDir": "", "resources": {"requests": {"cpu": "500m"}}}
    found = asked(party("alice"), **with_containers(CONTAINER, second))
    assert found["alice"][0]["cpu"] == 3


def test_parties_ask_where_they_run_and_partners_outside_are_left_out():
    tree = manifest(deployment(party("alice", "host"), party("bob"), party("dave")))
    images = [manifest(image(), at) for at in ("east", "west")]
    found = list(demands(tree, state(tree, *images)))
    assert [(item.destination, item.unit) for item in found] == [
        ("east", "alice/host"),
        ("west", "bob"),
    ]
    assert {(item.environment, item.spec) for item in found} == {("prod", "Serving/risk")}


def test_images_ask_for_nothing():
    tree = manifest(image())
    assert not list(demands(tree, state(tree)))
