"""What KServe makes of language models, and what was recorded of it."""

import pytest

from conformance.conftest import Report
from conformance.kserve.llm.answers import row_of_case, row_of_edit, shortened, steady
from conformance.kserve.llm.asking import ask
from conformance.kserve.llm.cases import read_cases
from conformance.kserve.places import OBSERVED
from conformance.kserve.records import count_cases, count_edits
from conformance.kubernetes.client import Client
from conformance.operators.records import compare, in_order


def test_the_cases_are_what_kserve_answers(
    llm: Client, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = read_cases("cases")
    rows = shortened([row_of_case(answer) for answer in ask(llm, cases)])
    found = in_order({case.name: case.file for case in cases}, rows)
    report(count_cases(found))
    update = pytestconfig.getoption("--update-observed")
    compare(OBSERVED / "llm/cases", found, update=update, steady=steady)


def test_the_edits_are_what_kserve_answers(
    llm: Client, pytestconfig: pytest.Config, report: Report
) -> None:
    cases = read_cases("edits")
    rows = [row_of_edit(answer) for answer in ask(llm, cases)]
    found = in_order({case.name: case.file for case in cases}, rows)
    report(count_edits(found))
    update = pytestconfig.getoption("--update-observed")
    compare(OBSERVED / "llm/edits", found, update=update, steady=steady)
