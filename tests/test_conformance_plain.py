"""What KServe answered to graphs, trained models and caches belongs to the tables as they are."""

import pytest

from conformance.kserve.places import OBSERVED
from conformance.kserve.plain.cases import read_cases
from conformance.kserve.records import count_cases, count_edits
from conformance.operators.records import dumped, read_rows
from tests.support.places import ROOT

FOLDERS = ("cases", "edits")
PLACE = OBSERVED / "plain"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_entry_is_recorded_as_it_is_written(folder):
    recorded = {file: list(rows) for file, rows in read_rows(PLACE / folder).items()}
    table = {}
    for case in read_cases(folder):
        table.setdefault(case.file, []).append(case)
    names = {file: [case.name for case in cases] for file, cases in table.items()}
    assert names == {file: [row["name"] for row in rows] for file, rows in recorded.items()}
    for file, cases in table.items():
        for case, row in zip(cases, recorded[file], strict=True):
            assert _given(row, case) == case.steps, case.name
            assert tuple(row.get("others_before", ())) == case.before, case.name
            assert tuple(row.get("others_after", ())) == case.after, case.name
            assert tuple(row.get("others_gone", ())) == case.gone, case.name
            assert row.get("settings", {}) == case.settings, case.name


def _given(row, case):
    """A manifest with something applied after it is applied once more."""
    if "given" in row:
        return (row["given"],) * len(case.steps)
    return (*row.get("earlier", ()), row["before"], row["after"])


@pytest.mark.parametrize("folder", FOLDERS)
def test_rows_are_written_alike(folder):
    for name, rows in read_rows(PLACE / folder).items():
        assert dumped(rows) == (PLACE / folder / f"{name}.json").read_text("utf-8"), name


def test_the_documentation_counts_them():
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    assert count_cases(read_rows(PLACE / "cases")) in text
    assert count_edits(read_rows(PLACE / "edits")) in text
