"""Argo CD's Lua runtime on our health scripts, and on its own for the kind that it has one of."""

import pytest

from conformance.argocd.bootstrap import settings_of
from conformance.argocd.health import judged, live_objects, unlike_built_in
from conformance.argocd.program import Judge
from conformance.argocd.records import compare, count_health, count_unlike
from conformance.conftest import Report
from conformance.kubernetes.client import Object
from conformance.operators.records import Row

BUILT_IN = "InferenceService"
STATUSES = {"Healthy", "Progressing", "Degraded", "Suspended"}


@pytest.fixture(scope="module")
def live() -> dict[str, Object]:
    return live_objects()


@pytest.fixture(scope="module")
def answers(judge: Judge, objects: dict[str, Object], live: dict[str, Object]) -> Row:
    return judged(judge, settings_of(objects), live)


def test_every_object_is_judged(answers: Row, pytestconfig: pytest.Config, report: Report) -> None:
    """A script that fails, or that Argo CD does not find, has no status of these."""
    assert {name: row for name, row in answers.items() if row.get("status") not in STATUSES} == {}
    report(count_health(answers))
    compare("health", answers, update=pytestconfig.getoption("--update-observed"))


def test_where_the_built_in_script_says_something_else(
    judge: Judge,
    live: dict[str, Object],
    answers: Row,
    pytestconfig: pytest.Config,
    report: Report,
) -> None:
    chosen = {name: item for name, item in live.items() if item["kind"] == BUILT_IN}
    rows = unlike_built_in(judge, chosen, answers)
    compare("built_in_health", rows, update=pytestconfig.getoption("--update-observed"))
    report(f"{len(chosen)} of {BUILT_IN}: {count_unlike(rows)}")
