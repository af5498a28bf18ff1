"""What KServe does with every field, set, changed and removed, and what was recorded of it."""

import shutil

import pytest

from conformance.conftest import Report
from conformance.kserve.generated import generated_run, read_generated
from conformance.kserve.installation import RELEASES
from conformance.kserve.places import OBSERVED
from conformance.kserve.records import count_cases, count_edits
from conformance.kubernetes.client import Client
from conformance.operators.generated_run import by_base, compare_generated
from conformance.operators.versions import Asked

_PLACE = OBSERVED / "generated"


def test_the_generated_rows_are_what_kserve_answers(
    kserve: Client, pytestconfig: pytest.Config, report: Report, tenths: int
) -> None:
    table = read_generated(shutil.which("go") or "go")
    found = by_base(table, generated_run(kserve, table, tenths).answers(table))
    report(f"generated: {count_cases(found['cases'])}")
    report(f"generated: {count_edits(found['edits'])}")
    update = pytestconfig.getoption("--update-observed")
    compare_generated(_PLACE, found, tenths, update=update)


def test_an_older_kserve_answers_as_it_was_recorded(
    older_kserve: Client, pytestconfig: pytest.Config, report: Report, tenths: int
) -> None:
    table, (usual, release) = read_generated(shutil.which("go") or "go"), RELEASES
    answers = generated_run(older_kserve, table, tenths, release).answers(table)
    asked = Asked(release.version, usual.version, tenths, [row for _, row in answers])
    number = len(asked.otherwise(_PLACE))
    report(f"generated, KServe {release.version}: {number} of {len(asked.rows)} otherwise")
    if pytestconfig.getoption("--update-observed"):
        asked.write(_PLACE)
    asked.compare(_PLACE)
