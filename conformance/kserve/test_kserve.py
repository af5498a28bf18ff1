"""What KServe makes of the manifests and edits of the tables, and what was recorded of it."""

import pytest

from conformance.conftest import Report
from conformance.kserve.answers import row_of_case, row_of_edit
from conformance.kserve.asking import ask
from conformance.kserve.cases import Case, read_cases
from conformance.kserve.places import OBSERVED
from conformance.kserve.records import count_cases, count_edits
from conformance.kubernetes.client import Client
from conformance.operators.records import Rows, compare


def in_order(cases: list[Case], rows: dict[str, dict[str, object]]) -> Rows:
    found: Rows = {}
    for case in cases:
        found.setdefault(case.file, []).append(rows[case.name])
    return found


def test_the_cases_are_what_kserve_answers(
    kserve: Client, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = list(read_cases("cases"))
    rows = {
        case.name: row_of_case(kserve, case, replies[-1], outcomes[-1])
        for case, replies, outcomes in ask(kserve, cases)
    }
    found = in_order(cases, rows)
    report(count_cases(found))
    compare(OBSERVED / "cases", found, update=pytestconfig.getoption("--update-observed"))


def test_the_edits_are_what_kserve_answers(
    kserve: Client, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = list(read_cases("edits"))
    rows = {
        case.name: row_of_edit(case, replies, outcomes)
        for case, replies, outcomes in ask(kserve, cases)
    }
    found = in_order(cases, rows)
    report(count_edits(found))
    compare(OBSERVED / "edits", found, update=pytestconfig.getoption("--update-observed"))
