"""What a unit asks before, after and at most, by what an edit does to its pods."""

import pytest

from renderer.changes.demand import _demanded_amounts
from renderer.changes.derivations import UnitPair
from renderer.derive.located import made
from renderer.values.changes import Effect, Impact
from renderer.values.derivations import DerivedUnit, Pods
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree


def spec(cpu):
    containers = [{"name": "a", "resources": {"requests": {"cpu": cpu}}}]
    return uniform_tree({"containers": containers}, Origin("a.yaml"))


def pods(cpu, least=1, most=1, **more):
    return Pods(least, most, least, spec(cpu), surge="1", **more)


def unit(*sorts, name="a"):
    deployment = {"kind": "Deployment", "metadata": {"name": name}}
    return DerivedUnit("east", "main", sorts, (made(deployment, "it"),))


def impact(effect, **more):
    return Impact(effect, "east", "Serving/a", "main", "", **more)


ONE, TWO = unit(pods(1)), unit(pods(2))
KEPT = pods(5, 2, 3, shares_requests=True)
SMALL, LARGE = (pods(cpu, 0, 4, shares_requests=True) for cpu in (1, 2))
ROLLING = impact(Effect.ROLLING, replaces_pods=True)
LEFT = impact(Effect.ORPHANS, leaves_pods=True)
CASES = {
    "the platform fails": (ONE, TWO, [ROLLING, impact(Effect.BREAKS)], None),
    "it fails after pods were replaced": (
        *(ONE, TWO),
        [impact(Effect.BREAKS, replaces_pods=True)],
        (1, 2, 3),
    ),
    "refused": (ONE, TWO, [impact(Effect.REFUSED)], None),
    "refused for one of two reasons": (ONE, TWO, [impact(Effect.REFUSED), ROLLING], (1, 2, 3)),
    "the same unit": (ONE, ONE, [ROLLING], None),
    "nothing is replaced": (ONE, unit(pods(1)), [], None),
    "other pods later": (ONE, TWO, [], (1, 2, 2)),
    "an autoscaler may start more": (ONE, unit(pods(1, 1, 5)), [], (1, 1, 5)),
    "rolling": (ONE, TWO, [ROLLING], (1, 2, 3)),
    "rolling, a sort comes": (ONE, unit(pods(2), pods(4)), [ROLLING], (1, 6, 7)),
    "rolling, a sort goes": (unit(pods(2), pods(4)), ONE, [ROLLING], (6, 1, 7)),
    "beside each other": (ONE, TWO, [impact(Effect.REPLACE)], (1, 2, 3)),
    "revisions of which one is small": (
        *(unit(SMALL, KEPT), unit(LARGE, KEPT)),
        [impact(Effect.REPLACE)],
        (10, 10, 4 + 15 + 2),
    ),
    "it comes": (None, TWO, [], (0, 2, 2)),
    "it goes": (ONE, None, [], (1, 0, 1)),
    "pods are left behind": (ONE, unit(pods(2), name="b"), [LEFT], (1, 3, 3)),
    "the workload stays": (ONE, TWO, [LEFT], (1, 2, 2)),
    "left behind, and nothing comes": (ONE, None, [LEFT], None),
}


@pytest.mark.parametrize(("before", "after", "impacts", "expected"), CASES.values(), ids=CASES)
def test_what_is_asked(before, after, impacts, expected):
    found = _demanded_amounts(UnitPair(before, after), impacts, is_new=False)
    assert (found and tuple(int(amounts.get("cpu", 0)) for amounts in found)) == expected


def test_a_unit_under_another_name_runs_beside_the_old_one():
    found = _demanded_amounts(UnitPair(ONE, TWO), [ROLLING], is_new=True)
    assert [amounts["cpu"] for amounts in found] == [1, 2, 3]
    bare = _demanded_amounts(UnitPair(unit(pods(4)), ONE), [], is_new=True)
    assert [amounts["cpu"] for amounts in bare] == [4, 1, 5]
