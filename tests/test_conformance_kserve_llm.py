"""The recorded answers about language models belong to the tables as they are now."""

import pytest

from conformance.kserve.llm.cases import read_cases
from conformance.kserve.places import OBSERVED
from conformance.kserve.records import count_cases, count_edits, read_rows
from conformance.operators.records import dumped
from tests.support.patches import patch, patched
from tests.support.places import ROOT

FOLDERS = ("cases", "edits")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_entry_is_recorded_as_it_is_written(folder):
    table, recorded = {}, read_rows(f"llm/{folder}")
    for case in read_cases(folder):
        table.setdefault(case.file, []).append(case)
    names = {file: [row["name"] for row in rows] for file, rows in recorded.items()}
    assert names == {file: [case.name for case in found] for file, found in table.items()}
    for file, cases in table.items():
        for case, row in zip(cases, recorded[file], strict=True):
            *earlier, last = case.steps
            given = [*row.get("earlier", ()), *([row["before"]] if "before" in row else ())]
            assert given == earlier, case.name
            assert row.get("after", row.get("given")) == last, case.name
            assert row.get("others_before", []) == list(case.before), case.name
            assert row.get("others_after", []) == list(case.after), case.name


@pytest.mark.parametrize("folder", FOLDERS)
def test_files_are_as_they_are_written(folder):
    for file, rows in read_rows(f"llm/{folder}").items():
        text = (OBSERVED / "llm" / folder / f"{file}.json").read_text("utf-8")
        assert text == dumped(rows)


def test_the_documentation_counts_them():
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    assert count_cases(read_rows("llm/cases")) in text
    assert count_edits(read_rows("llm/edits")) in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1}, {"b": 2}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}),
        ({"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 1}, {"n": 3}, {"n": 4}]}),
        ({"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 2}]}),
        ({"a": [1, 2]}, {"a": [2]}),
        ({"a": []}, {"a": [{"n": 1}]}),
    ],
)
def test_a_difference_leads_from_one_tree_to_the_other(old, new):
    assert patched(old, patch(old, new)) == new
