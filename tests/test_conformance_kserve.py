"""The recorded answers of KServe belong to the tables as they are now, and hold nothing else."""

import re

import pytest

from conformance.kserve.cases import read_cases
from conformance.kserve.places import OBSERVED
from conformance.kserve.records import count_cases, count_edits, read_rows
from conformance.operators.plain import cleaned, differences
from conformance.operators.records import dumped
from conformance.operators.tables import merged
from conformance.operators.versions import read_version
from tests.support.places import ROOT

FOLDERS = ("cases", "edits")
OF_A_RUN = {"uid", "resourceVersion", "creationTimestamp", "managedFields", "lastTransitionTime"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


def names_in(rows):
    return {file: [row["name"] for row in found] for file, found in rows.items()}


def keys_of(tree):
    if isinstance(tree, dict):
        yield from tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for item in tree:
            yield from keys_of(item)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_entry_is_recorded_as_it_is_written(folder):
    table, recorded = {}, read_rows(folder)
    for case in read_cases(folder):
        table.setdefault(case.file, []).append(case)
    assert names_in(recorded) == {file: [c.name for c in found] for file, found in table.items()}
    for file, cases in table.items():
        for case, row in zip(cases, recorded[file], strict=True):
            *earlier, last = case.steps
            given = [*row.get("earlier", ()), *([row["before"]] if "before" in row else ())]
            assert given == earlier, case.name
            assert row.get("after", row.get("given")) == last, case.name
            assert tuple(row.get("others_before", ())) == case.before, case.name
            assert tuple(row.get("others_after", ())) == case.after, case.name
            assert row.get("default_mode", "Knative") == case.default_mode, case.name


def test_every_answer_is_whole():
    for rows in read_rows("cases").values():
        for row in rows:
            assert row["accepted"] == ("message" not in row) == ("by" not in row), row["name"]
            assert {"objects", "stored"} & row.keys() in (set(), {"objects", "stored"})
    for rows in read_rows("edits").values():
        for row in rows:
            assert row["accepted"] == ("templates" in row) == ("message" not in row), row["name"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_of_a_single_run_is_recorded(folder):
    for name, rows in read_rows(folder).items():
        text = (OBSERVED / folder / f"{name}.json").read_text("utf-8")
        assert dumped(rows) == text, name
        assert not TIME.search(text), name
        assert not OF_A_RUN & set(keys_of(rows)), name


def test_the_documentation_counts_them():
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    assert count_cases(read_rows("cases")) in text
    assert count_edits(read_rows("edits")) in text
    found = read_version(OBSERVED / "generated", "0.19.0")
    assert f"Of {found.asked} rows it answered {len(found.otherwise)} otherwise" in text


def test_a_change_merges_takes_away_and_replaces():
    tree = {"a": {"b": 1, "c": 2}, "list": [1, 2]}
    assert merged(tree, {"a": {"b": None, "d": 3}, "list": [3]}) == {
        "a": {"c": 2, "d": 3},
        "list": [3],
    }


def test_differences_name_the_place():
    old, new = {"a": [{"x": 1}], "b": 1, "c": [1]}, {"a": [{"x": 2}], "d": 1, "c": [1, 2]}
    assert list(differences(old, new)) == [
        {"path": "a[0].x", "before": 1, "after": 2},
        {"path": "b", "before": 1},
        {"path": "c", "before": [1], "after": [1, 2]},
        {"path": "d", "after": 1},
    ]


def test_only_what_a_server_adds_is_left_out():
    pod = {
        "dnsPolicy": "ClusterFirst",
        "containers": [{"image": "a:1", "imagePullPolicy": "Always"}],
    }
    thing = {"metadata": {"name": "a", "uid": "1"}, "spec": pod, "status": {}}
    assert cleaned(thing) == {
        "metadata": {"name": "a"},
        "spec": {"containers": [{"image": "a:1", "imagePullPolicy": "Always"}]},
    }
