"""The checked-in inputs, and some made of them, for every target."""

import random
import time

import pytest
from hypothesis import settings

from tests.fuzz.mutating import CORPUS, mutated, seeds
from tests.fuzz.targets import TARGETS
from tests.support.counting import count
from tests.support.samples import sample

SECONDS_AN_INPUT = 5
#: Targets that open a whole repository for each input.
SLOW = {"appimage", "environment", "override", "spec"}


def test_every_target_has_inputs_and_every_input_a_target():
    assert sorted(path.name for path in CORPUS.iterdir()) == sorted(TARGETS)
    assert all(seeds(target) for target in TARGETS)


@pytest.mark.parametrize("target", sample(TARGETS, *(TARGETS.keys() - SLOW)))
def test_checked_in_inputs(target):
    for path in sorted((CORPUS / target).glob("*")):
        began = time.process_time()
        TARGETS[target](path.read_bytes())
        assert time.process_time() - began < SECONDS_AN_INPUT, path.name
        count("fuzz inputs of the corpus")


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_inputs_made_of_them(target):
    """As long as the profile says; the same inputs in every run."""
    inputs = mutated(seeds(target), random.Random(target))
    end = time.process_time() + settings.default.max_examples / 250
    while time.process_time() < end:
        data = next(inputs)
        TARGETS[target](data)
        count("fuzz inputs made of the corpus")
