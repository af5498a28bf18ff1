"""The recorded answers to companions belong to the tables as they are now."""

import pytest

from conformance.kubernetes.companions.recordings import CASES, EDITS, VERSIONS, count, row_of
from conformance.kubernetes.companions.tables import read_cases, read_edits
from conformance.operators.records import read_rows
from tests.support.places import ROOT

ASKED = ("name", "manifest", "before", "after", "status")
TABLES = {"companions": (CASES, read_cases), "edits of companions": (EDITS, read_edits)}


@pytest.mark.parametrize("what", TABLES)
def test_every_row_is_recorded_as_it_is_written(what):
    place, read = TABLES[what]
    rows = [row for some in read_rows(place).values() for row in some]
    table = [row_of(entry, {version: {} for version in VERSIONS}) for entry in read()]
    assert [asked(row) for row in rows] == [asked(row) for row in table]
    assert len({row["name"] for row in rows}) == len(rows)


def asked(row):
    return {key: row.get(key) for key in ASKED}


@pytest.mark.parametrize("what", TABLES)
def test_the_documentation_counts_them(what):
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    rows = (row for some in read_rows(TABLES[what][0]).values() for row in some)
    assert [line for line in count(what, rows) if line not in text] == []
