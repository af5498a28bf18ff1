"""Live objects of any shape: whatever stands where, a status comes of it and no exception."""

import random
from copy import deepcopy

import pytest

from renderer import load, render
from renderer.outputs.status import FORMATS
from tests.support.live import found, live_objects, status_of
from tests.support.observed import CASES
from tests.support.places import ROOT
from tests.support.rows import each

(TWO,) = (case for case in CASES if case.id == "two-parties")
JUNK = (None, [], {}, "", "\x1b[0m", 0, -1, 1.5, True, [[]], {"a": None}, [None, {"name": []}])
STATUS = {"conditions": [{"type": "Ready", "status": "True"}], "components": {"predictor": {}},
          "activeServiceStatus": {"applicationStatuses": {"a": {"status": "RUNNING"}}}}  # fmt: skip


def of_platforms():
    """The control plane of a case, and the cluster of the example, each with its live objects."""
    yield load(TWO.repository), "e", "master", live_objects(TWO)
    example = load(ROOT)
    made = [m for m in render(example, ["prod"]).manifests if m.destination == "gpu-east"]
    yield example, "prod", "gpu-east", [{**m.tree.plain(), "status": STATUS} for m in made]


PLACES = list(of_platforms())


def spoil(data, chance):
    """Put junk somewhere in an object, but for what it is known by."""
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    keys = [key for key in keys if key not in ("apiVersion", "kind", "metadata", "name")]
    if not keys:
        return
    key = chance.choice(keys)
    if isinstance(data[key], dict | list) and data[key] and chance.random() < 0.8:
        spoil(data[key], chance)
    else:
        data[key] = deepcopy(chance.choice(JUNK))


@pytest.mark.parametrize("place", PLACES, ids=["control plane", "cluster"])
@each("seed", range(30))
def test_a_status_comes_of_anything(place, seed):
    project, environment, destination, objects = place
    chance = random.Random(seed)
    spoilt = deepcopy(objects)
    for _ in range(6):
        spoil(chance.choice(spoilt), chance)
    status = status_of(project, environment, {destination: found(spoilt)})
    for show in FORMATS.values():
        assert "\x1b" not in show([status])
