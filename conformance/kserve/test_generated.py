"""What KServe does with every field, set, changed and removed, and what was recorded of it."""

import shutil

import pytest

from conformance.conftest import Report
from conformance.kserve.generated import generated_run, read_generated
from conformance.kserve.places import OBSERVED
from conformance.kserve.records import count_cases, count_edits
from conformance.kubernetes.client import Client
from conformance.operators.generated_run import by_base
from conformance.operators.records import compare


def test_the_generated_rows_are_what_kserve_answers(
    kserve: Client, pytestconfig: pytest.Config, report: Report
) -> None:
    table = read_generated(shutil.which("go") or "go")
    found = by_base(generated_run(kserve, table).answers(table))
    report(f"generated: {count_cases(found['cases'])}")
    report(f"generated: {count_edits(found['edits'])}")
    for kind, rows in found.items():
        update = pytestconfig.getoption("--update-observed")
        compare(OBSERVED / "generated" / kind, rows, update=update)
