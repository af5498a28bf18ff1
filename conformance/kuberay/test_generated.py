"""What KubeRay does with every field, set, changed and removed, and what was recorded of it."""

import pytest

from conformance.conftest import Report
from conformance.kuberay.generated import generated_run, read_generated
from conformance.kuberay.installation import RELEASES, KubeRay
from conformance.kuberay.places import OBSERVED
from conformance.kuberay.records import count_cases, count_edits
from conformance.operators.generated_run import by_base, compare_generated
from conformance.operators.versions import Asked

_PLACE = OBSERVED / "generated"


def test_the_generated_rows_are_what_kuberay_answers(
    kuberay: KubeRay, pytestconfig: pytest.Config, report: Report, tenths: int
) -> None:
    table = read_generated(kuberay)
    found = by_base(table, generated_run(kuberay, table, tenths).answers(table))
    report(f"generated: {count_cases(found['cases'])}")
    report(f"generated: {count_edits(found['edits'])}")
    update = pytestconfig.getoption("--update-observed")
    compare_generated(_PLACE, found, tenths, update=update)


def test_a_newer_kuberay_answers_as_it_was_recorded(
    newer_kuberay: KubeRay, pytestconfig: pytest.Config, report: Report, tenths: int
) -> None:
    table, (usual, release) = read_generated(newer_kuberay), RELEASES
    answers = generated_run(newer_kuberay, table, tenths).answers(table)
    asked = Asked(release.version, usual.version, tenths, [row for _, row in answers])
    number = len(asked.otherwise(_PLACE))
    report(f"generated, KubeRay {release.version}: {number} of {len(asked.rows)} otherwise")
    if pytestconfig.getoption("--update-observed"):
        asked.write(_PLACE)
    asked.compare(_PLACE)
