"""What is asked of each place: by environment, unit and resource, for all specs together."""

import pytest

from renderer import compare
from renderer.evaluate.question import Shard
from tests.support.memory import project
from tests.support.repositories import (
    DESCRIPTION,
    ENVIRONMENT,
    IMAGE,
    RISK,
    SCORER,
    SERVING,
    SMALL,
)

AMOUNTS = "workingDir: /work, resources: {requests: {cpu: 1, memory: 1Gi}},"
SIZED = {
    **SMALL,
    DESCRIPTION: ENVIRONMENT.replace("name: east", "name: east\n    cluster: k3s"),
    IMAGE: SCORER.replace("workingDir: /work,", AMOUNTS),
}
CHURN = RISK.replace("risk", "churn")
BOTH = {**SIZED, **{path.replace("/dev/", "/prod/"): text for path, text in SIZED.items()}}


def cores(before, after):
    """What is asked of cores, by environment and unit: before, after, at the peak."""
    found = compare(project(before), project(after)).capacity
    return {
        (row.environment, row.unit): (row.before, row.after, row.peak)
        for row in found
        if row.resource == "cpu"
    }


def copies(number):
    return SERVING.replace("app_image: scorer", f"app_image: scorer, replicas: {number}")


def test_specs_with_a_unit_of_one_name_ask_together():
    sides = ({**SIZED, RISK: copies(n), CHURN: copies(10 * n)} for n in (1, 2))
    assert cores(*sides) == {("dev", "alice"): (11, 22, 22)}


def test_what_goes_from_one_environment_and_comes_to_another_is_not_moved():
    """Both are in one cluster, but what runs in one is not what will run in the other."""
    dev, prod = ({**BOTH, path: None} for path in (RISK.replace("/dev/", "/prod/"), RISK))
    assert cores(dev, prod) == {("dev", "alice"): (2, 0, 2), ("prod", "alice"): (0, 2, 2)}


@pytest.mark.parametrize("total", [1, 2])
def test_a_part_has_what_others_may_add_to(total):
    """All pods stop before new ones start, so that only of cores more is asked."""
    [shard] = [one for n in range(total) if (one := Shard(n + 1, total)).owns_group("risk")]
    party = "app_image: scorer, update_strategy: {type: Recreate}"
    files = {**SIZED, RISK: SERVING.replace("app_image: scorer", party)}
    after = {**files, IMAGE: files[IMAGE].replace("cpu: 1", "cpu: 2")}
    found = compare(project(files), project(after), shard=shard).capacity
    assert [row.resource for row in found] == ["cpu", "memory"][:total]
