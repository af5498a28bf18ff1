"""Argo CD's comparison of what we render with what a real API server has of it, in all its ways."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from conformance.argocd.bootstrap import ignored_by, settings_of, way_of
from conformance.argocd.cluster import Stored, apply, batches, patched, stored
from conformance.argocd.differences import Comparison, Ignored, Pair, observed
from conformance.argocd.program import Answer, Judge
from conformance.argocd.records import compare
from conformance.conftest import Report
from conformance.kubernetes.client import Client, Object
from conformance.operators.plain import differences
from conformance.operators.records import Row

WAYS = ("three-way", "structured", "server")
#: KServe takes a mode that it does not know once, and refuses whoever applies it again.
_ONCE = ("kserve/unknown-mode",)
_NUMBER = re.compile(r"\[\d+\]")


@pytest.fixture(scope="module")
def pairs(has_kuscia: bool) -> list[Pair]:
    asked = [one for one in observed() if one.name not in _ONCE]
    return [one for one in asked if has_kuscia or not one.name.startswith("kuscia/")]


@pytest.fixture(scope="module")
def clusters(cluster: Client, pairs: list[Pair]) -> Iterator[Stored]:
    """Ray clusters alone, which others write to."""
    found = [one for one in pairs if one.rendered["kind"] == "RayCluster"]
    with stored(cluster, found) as done:
        yield done


@pytest.fixture(scope="module")
def comparison(objects: dict[str, Object]) -> Comparison:
    """As the Applications that we write are compared."""
    return Comparison(way_of(objects), settings_of(objects), ignored_by(objects))


@pytest.fixture(scope="module")
def autoscaled(cluster: Client, clusters: Stored) -> list[Pair]:
    """What is there once the autoscaler has patched it."""
    found = [one for one in clusters.pairs if has_autoscaler(one)]
    return [patched(cluster, one, list(of_autoscaler(one))) for one in found]


@pytest.fixture(scope="module")
def scaled_by_hand(cluster: Client, clusters: Stored) -> list[Pair]:
    """Clusters without an autoscaler, with more workers than Git says."""
    found = [one for one in clusters.pairs if not has_autoscaler(one) and groups(one.rendered)]
    return [patched(cluster, one, [more_workers(0)]) for one in found]


def groups(thing: Object) -> list[Any]:
    return thing["spec"].get("workerGroupSpecs") or []


def has_autoscaler(one: Pair) -> bool:
    return bool(one.rendered["spec"].get("enableInTreeAutoscaling")) and bool(groups(one.rendered))


def more_workers(index: int) -> Object:
    return {"op": "add", "path": f"/spec/workerGroupSpecs/{index}/replicas", "value": 7}


def of_autoscaler(one: Pair) -> Iterator[Object]:
    for index, _ in enumerate(groups(one.rendered)):
        yield more_workers(index)
        path = f"/spec/workerGroupSpecs/{index}/scaleStrategy"
        yield {"op": "add", "path": path, "value": {"workersToDelete": ["somebody"]}}


def places_of(pairs: Iterable[Pair], answers: dict[str, Answer]) -> Row:
    """Where objects differ, and how many do."""
    kinds = {one.name: one.rendered["kind"] for one in pairs}
    found: Counter[str] = Counter()
    for name, answer in answers.items():
        assert "error" not in answer, (name, answer)
        for item in differences(answer["live"], answer["predicted"]):
            found[f"{kinds[name]} {_NUMBER.sub('[]', item['path'])}"] += 1
    return dict(sorted(found.items()))


def test_nothing_that_is_stored_differs(
    cluster: Client,
    cluster_judge: Judge,
    comparison: Comparison,
    pairs: list[Pair],
    report: Report,
) -> None:
    refused: dict[str, str] = {}
    different: dict[str, Row] = {}
    number = 0
    for batch in batches(pairs):
        with stored(cluster, batch) as done:
            refused |= done.refused
            number += len(done.pairs)
            for way in WAYS:
                answers = comparison._replace(how=way).of(cluster_judge, done.pairs)
                different |= {way: places_of(done.pairs, answers)} if answers else {}
    assert (refused, different) == ({}, {})
    report(f"{number} objects applied as Argo CD does, none different")


def test_what_the_autoscaler_writes_is_no_difference(
    cluster_judge: Judge, comparison: Comparison, autoscaled: list[Pair]
) -> None:
    assert autoscaled
    answers = comparison.of(cluster_judge, autoscaled)
    assert places_of(autoscaled, answers) == {}


def test_every_expression_is_needed(
    cluster_judge: Judge, comparison: Comparison, autoscaled: list[Pair]
) -> None:
    for row, text in expressions(comparison.ignored):
        fewer = comparison._replace(ignored=without(comparison.ignored, row, text))
        assert fewer.of(cluster_judge, autoscaled), text


def test_workers_that_somebody_scaled_by_hand_are_a_difference(
    cluster_judge: Judge, comparison: Comparison, scaled_by_hand: list[Pair]
) -> None:
    answers = comparison.of(cluster_judge, scaled_by_hand)
    assert answers.keys() == {one.name for one in scaled_by_hand}


def test_the_ways_of_comparing(
    cluster_judge: Judge,
    comparison: Comparison,
    autoscaled: list[Pair],
    pytestconfig: pytest.Config,
) -> None:
    """What each would find after the autoscaler's patch; written down, as Argo CD has three."""
    found = {}
    for way in WAYS:
        for name, ignored in (("nothing", []), ("as bootstrapped", comparison.ignored)):
            one = comparison._replace(how=way, ignored=ignored)
            answers = one.of(cluster_judge, autoscaled)
            found[f"{way}, ignoring {name}"] = places_of(autoscaled, answers)
    rows = {"compared": len(autoscaled), "ignored": comparison.ignored, **found}
    compare("differences", rows, update=pytestconfig.getoption("--update-observed"))


def test_a_sync_sets_back_what_the_autoscaler_wrote(
    cluster: Client, autoscaled: list[Pair]
) -> None:
    """Lists are replaced whole: that is why only what differs is applied, and why that is said."""
    one = autoscaled[0]
    after = apply(cluster, one.rendered).body
    assert [group["replicas"] for group in groups(one.live)] == [7] * len(groups(one.live))
    assert [group["replicas"] for group in groups(after)] == [0] * len(groups(after))
    assert not any("scaleStrategy" in group for group in groups(after))


def expressions(ignored: Ignored) -> list[tuple[int, str]]:
    return [(i, text) for i, row in enumerate(ignored) for text in row["jqPathExpressions"]]


def without(ignored: Ignored, row: int, expression: str) -> Ignored:
    """All but one expression."""
    found = deepcopy(ignored)
    found[row]["jqPathExpressions"].remove(expression)
    return found
