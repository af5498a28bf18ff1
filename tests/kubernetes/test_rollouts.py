"""How many pods a rollout adds."""

import pytest

from renderer.kubernetes.rollouts import surge_of


@pytest.mark.parametrize(
    ("given", "added"),
    [
        ("", 2),
        ("25%", 2),
        ("30%", 3),
        ("0", 0),
        ("3", 3),
        ("9", 8),
        ("2147483647", 8),
        ("9" * 5000, 0),
        ("9" * 5000 + "%", 0),
        ("\N{ARABIC-INDIC DIGIT THREE}", 0),
        ("many", 0),
    ],
)
def test_the_surge_is_what_kubernetes_reads(given, added):
    assert surge_of("RollingUpdate", given, 8) == added


def test_recreating_adds_none():
    assert surge_of("Recreate", "3", 8) == 0
