"""Derived names, by the vectors of Kuscia's own behaviour, and those that meet."""

import pytest
import yaml

from renderer import check, load
from renderer.backends.kuscia.derived_objects import config_map_name, deployment_name, service_name
from renderer.backends.kuscia.rules import names
from tests.support.repositories import DESCRIPTION, HEADER, SERVING, SMALL

LONG = "abc-012345678-012345678-012345678-012345678-012345678-01"
DIGITS = "12-012345678-012345678-012345678-012345678-012345678"


@pytest.mark.parametrize(
    ("deployment", "port", "expected"),
    [
        ("serving-01", "service", "serving-01-service"),
        ("123-456-789", "domain", "svc-123-456-789-domain"),
        (LONG, "domain", f"{LONG}-domain"),
        (f"{LONG}2", "domain", "svc-abc-012345678-012345678-012345678-0-8b65e42a1eb3afbb-domain"),
        (DIGITS, "domain", f"svc-{DIGITS}-domain"),
        (
            "123-012345678-012345678-012345678-012345678-012345678",
            "domain",
            "svc-123-012345678-012345678-012345678-0-b8441b48f2ec6b30-domain",
        ),
        (
            "credit-scoring-serving-for-bank-and-insurer-production-eu-west",
            "communication",
            "svc-credit-scoring-serving-for-b-004a9f880147053d-communication",
        ),
        ("a", "-b_c.d-", "a-b-c-d"),
    ],
)
def test_service_names(deployment, port, expected):
    assert service_name(deployment, port) == expected
    assert len(expected) <= 63


def test_a_prefix_is_taken_as_it_is():
    assert service_name("x" * 60, "grpc", "dataproxy") == "dataproxy-grpc"
    assert len(service_name("x", "a" * 15, "p" * 48)) == 64


def test_deployments_and_config_maps():
    assert deployment_name("a", "") == "a"
    assert deployment_name("a", "host") == "a-host"
    assert config_map_name("a-host") == "a-host-configtemplate"


def test_derived_names_whose_numbers_are_the_same_by_chance(repository, monkeypatch):
    root = repository({"environments/dev/servings/other.yaml": SERVING})
    expected = check(load(root))
    monkeypatch.setattr(names, "_number", lambda _claimant, _named: 0)
    assert check(load(root)) == expected
    assert "KUS113" not in {item.code for item in expected}


def test_derived_names_that_collide_across_environments_of_one_cluster(repository):
    plane = {"name": "east", "platform": "kuscia", "domains": ["alice"], "cluster": "k3s"}
    described = HEADER.format("Environment") + yaml.safe_dump({"destinations": [plane]})
    parties = [{"domain_id": "alice", "app_image": "scorer", "service_name_prefix": "score"}]
    files = {DESCRIPTION: described, "environments/prod/environment.yaml": described}
    for name in ("dev", "prod"):
        serving = {"serving_id": f"risk-{name}", "initiator": "alice", "parties": parties}
        text = HEADER.format("Serving") + yaml.safe_dump(serving)
        files[f"environments/{name}/servings/risk.yaml"] = text
    image = SMALL["environments/dev/appimages/scorer.yaml"]
    files["environments/prod/appimages/scorer.yaml"] = image
    found = [item for item in check(load(repository(files))) if item.code == "KUS113"]
    assert len(found) == 1
    assert found[0].environments == ("dev", "prod")
    assert "environments/dev/servings/risk.yaml" in found[0].related
