"""What KubeRay does with every field, set, changed and removed, and what was recorded of it."""

import json

import pytest

from conformance.conftest import Report
from conformance.kuberay.generated import generated_run, read_generated
from conformance.kuberay.installation import RELEASES, KubeRay
from conformance.kuberay.places import OBSERVED
from conformance.kuberay.records import count_cases, count_edits
from conformance.operators.generated_run import by_base
from conformance.operators.records import Row, compare, dumped, read_rows

_PLACE = OBSERVED / "generated"
#: Of a newer version, such a share is asked: few lines of it differ.
_ONE_IN = 10


def test_the_generated_rows_are_what_kuberay_answers(
    kuberay: KubeRay, pytestconfig: pytest.Config, report: Report
) -> None:
    table = read_generated(kuberay)
    found = by_base(generated_run(kuberay, table).answers(table))
    report(f"generated: {count_cases(found['cases'])}")
    report(f"generated: {count_edits(found['edits'])}")
    for kind, rows in found.items():
        update = pytestconfig.getoption("--update-observed")
        compare(_PLACE / kind, rows, update=update)


def test_a_newer_kuberay_answers_otherwise_where_it_was_recorded(
    newer_kuberay: KubeRay, pytestconfig: pytest.Config, report: Report
) -> None:
    """The file of its version has the rows that it answers otherwise, and how many were asked."""
    table = read_generated(newer_kuberay)
    answers = [row for _, row in generated_run(newer_kuberay, table, _ONE_IN).answers(table)]
    older, version = _recorded(), newer_kuberay.release.version
    found: list[Row] = [{"asked": len(answers)}]
    found += [row for row in answers if _named_alike(row, version) != older[row["name"]]]
    report(f"generated, KubeRay {version}: {len(found) - 1} of {len(answers)} otherwise")
    place = _PLACE / f"{version}.json"
    if pytestconfig.getoption("--update-observed"):
        place.write_text(dumped(found), "utf-8")
    assert json.loads(place.read_text("utf-8")) == found


def _named_alike(row: Row, version: str) -> Row:
    """With the older version where KubeRay writes its own, as into a variable of heads."""
    named: Row = json.loads(json.dumps(row).replace(f"v{version}", f"v{RELEASES[0].version}"))
    return named


def _recorded() -> dict[str, Row]:
    """All rows of the version that most is asked of, by name."""
    kinds = (read_rows(_PLACE / kind) for kind in ("cases", "edits"))
    return {row["name"]: row for rows in kinds for file in rows.values() for row in file}
