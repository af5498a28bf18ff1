"""Argo CD's comparison of what we render with what was recorded of it, without a server."""

from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

from conformance.argocd.bootstrap import ignored_by, settings_of
from conformance.argocd.differences import Comparison, Pair, autoscaled, observed, scaled_by_hand
from conformance.argocd.program import Judge
from conformance.conftest import Report
from conformance.kubernetes.client import Object


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return observed()


@pytest.fixture(scope="module")
def comparison(objects: dict[str, Object]) -> Comparison:
    return Comparison("three-way", settings_of(objects), ignored_by(objects))


def test_what_the_platforms_store_is_no_difference(
    judge: Judge, comparison: Comparison, pairs: list[Pair], report: Report
) -> None:
    assert comparison.of(judge, pairs) == {}
    kinds = Counter(one.rendered["kind"] for one in pairs)
    told = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items()))
    report(f"{len(pairs)} stored objects, none different ({told})")


def test_what_the_autoscaler_writes_is_no_difference(
    judge: Judge, comparison: Comparison, pairs: list[Pair]
) -> None:
    found = list(autoscaled(pairs))
    assert found
    assert comparison.of(judge, found) == {}


def test_workers_that_somebody_scaled_by_hand_are_a_difference(
    judge: Judge, comparison: Comparison, pairs: list[Pair]
) -> None:
    found = list(scaled_by_hand(pairs))
    assert found
    assert comparison.of(judge, found).keys() == {one.name for one in found}


def test_another_edit_of_an_autoscaled_cluster_is_a_difference(
    judge: Judge, comparison: Comparison, pairs: list[Pair]
) -> None:
    found = [with_new_image(one) for one in autoscaled(pairs)]
    answers = comparison.of(judge, found)
    assert answers.keys() == {one.name for one in found}


def test_respecting_ignored_differences_would_lose_that_edit(
    judge: Judge, comparison: Comparison, pairs: list[Pair]
) -> None:
    """Lists are replaced whole by what is live: so Applications do not have that sync option."""
    found = [with_new_image(one) for one in autoscaled(pairs)]
    for one in found:
        answer = comparison.of(judge, [one])[one.name]
        assert image_of(answer["respected"]) == image_of(one.live) != image_of(one.rendered)


def with_new_image(one: Pair) -> Pair:
    """Git asks for another image of the first group's workers."""
    rendered = deepcopy(one.rendered)
    container(rendered)["image"] = "example/ray:newer"
    return one._replace(rendered=rendered)


def container(thing: Object) -> Any:
    return thing["spec"]["workerGroupSpecs"][0]["template"]["spec"]["containers"][0]


def image_of(thing: Object) -> str:
    image: str = container(thing)["image"]
    return image
