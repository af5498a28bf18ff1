"""What KubeRay does with every field, set, changed and removed, and what was recorded of it."""

import shutil

import pytest

from conformance.conftest import Report
from conformance.kuberay.generated import ask_all, read_generated
from conformance.kuberay.installation import KubeRay
from conformance.kuberay.places import OBSERVED
from conformance.kuberay.records import count_cases, count_edits
from conformance.operators.records import Rows, compare


def test_the_generated_rows_are_what_kuberay_answers(
    kuberay: KubeRay, pytestconfig: pytest.Config, report: Report
) -> None:
    found: dict[str, Rows] = {"cases": {}, "edits": {}}
    for variation, row in ask_all(kuberay, read_generated(shutil.which("go") or "go")):
        found["edits" if variation.is_edit else "cases"].setdefault(variation.base, []).append(row)
    report(f"generated: {count_cases(found['cases'])}")
    report(f"generated: {count_edits(found['edits'])}")
    for kind, rows in found.items():
        update = pytestconfig.getoption("--update-observed")
        compare(OBSERVED / "generated" / kind, rows, update=update)
