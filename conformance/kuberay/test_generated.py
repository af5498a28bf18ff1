"""What KubeRay does with every field, set, changed and removed, and what was recorded of it."""

import pytest

from conformance.conftest import Report
from conformance.kuberay.generated import generated_run, read_generated
from conformance.kuberay.installation import KubeRay
from conformance.kuberay.places import OBSERVED
from conformance.kuberay.records import count_cases, count_edits
from conformance.operators.generated_run import by_base
from conformance.operators.records import compare


def test_the_generated_rows_are_what_kuberay_answers(
    kuberay: KubeRay, pytestconfig: pytest.Config, report: Report
) -> None:
    table = read_generated(kuberay)
    found = by_base(generated_run(kuberay, table).answers(table))
    report(f"generated: {count_cases(found['cases'])}")
    report(f"generated: {count_edits(found['edits'])}")
    for kind, rows in found.items():
        update = pytestconfig.getoption("--update-observed")
        compare(OBSERVED / "generated" / kind, rows, update=update)
