"""How many pods a rollout adds."""

import pytest

from renderer.derive.pods import surge_of
from renderer.values.derivations import Pods
from renderer.values.tree import constant


def _pods(surge):
    return Pods(8, 8, 8, constant({}, ""), surge)


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
    assert surge_of(_pods(given), 8) == added


def test_recreating_adds_none():
    assert surge_of(_pods("3")._replace(stop_first=True), 8) == 0
