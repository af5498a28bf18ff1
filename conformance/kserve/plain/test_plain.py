"""What KServe makes of graphs, trained models and caches, and what was recorded of it."""

import pytest

from conformance.conftest import Report
from conformance.kserve.places import OBSERVED
from conformance.kserve.plain.answers import row_of_case, row_of_edit
from conformance.kserve.plain.asking import ask
from conformance.kserve.plain.cases import read_cases
from conformance.kserve.plain.conftest import Place
from conformance.kserve.records import count_cases, count_edits
from conformance.operators.records import compare, in_order


def test_the_cases_are_what_kserve_answers(
    plain: Place, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = read_cases("cases")
    rows = [row_of_case(item) for item in ask(plain.client, cases, plain.models)]
    found = in_order({case.name: case.file for case in cases}, rows)
    report(count_cases(found))
    update = pytestconfig.getoption("--update-observed")
    compare(OBSERVED / "plain/cases", found, update=update)


def test_the_edits_are_what_kserve_answers(
    plain: Place, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = read_cases("edits")
    rows = [row_of_edit(item) for item in ask(plain.client, cases, plain.models)]
    found = in_order({case.name: case.file for case in cases}, rows)
    report(count_edits(found))
    update = pytestconfig.getoption("--update-observed")
    compare(OBSERVED / "plain/edits", found, update=update)
