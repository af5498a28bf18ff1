"""Derived names, by the vectors of Kuscia's own behaviour."""

import pytest

from renderer.backends.kuscia.names import config_map_name, deployment_name, service_name

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
