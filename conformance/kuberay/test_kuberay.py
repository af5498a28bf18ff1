"""What KubeRay makes of the manifests and edits of the tables, and what was recorded of it."""

import pytest

from conformance.conftest import Report
from conformance.kuberay.answers import row_of_case, row_of_edit
from conformance.kuberay.asking import ask
from conformance.kuberay.cases import Case, read_cases
from conformance.kuberay.installation import KubeRay
from conformance.kuberay.places import OBSERVED
from conformance.kuberay.records import count_cases, count_edits
from conformance.operators.records import Row, Rows, compare


def by_file(cases: list[Case], rows: dict[str, Row]) -> Rows:
    found: Rows = {}
    for case in cases:
        found.setdefault(case.file, []).append(rows[case.name])
    return found


def test_the_cases_are_what_kuberay_answers(
    kuberay: KubeRay, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = list(read_cases("cases"))
    rows = {
        case.name: row_of_case(case, replies[-1], outcomes[-1])
        for case, replies, outcomes in ask(kuberay, cases)
    }
    found = by_file(cases, rows)
    report(count_cases(found))
    compare(OBSERVED / "cases", found, update=pytestconfig.getoption("--update-observed"))


def test_the_edits_are_what_kuberay_answers(
    kuberay: KubeRay, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = list(read_cases("edits"))
    rows = {
        case.name: row_of_edit(case, replies, outcomes)
        for case, replies, outcomes in ask(kuberay, cases)
    }
    found = by_file(cases, rows)
    report(count_edits(found))
    compare(OBSERVED / "edits", found, update=pytestconfig.getoption("--update-observed"))
