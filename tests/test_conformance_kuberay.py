"""The recorded answers of KubeRay belong to the tables as they are now, and hold nothing else."""

import re

import pytest

from conformance.kuberay.answers import outcome_of
from conformance.kuberay.cases import read_cases
from conformance.kuberay.names import Names
from conformance.kuberay.places import OBSERVED
from conformance.kuberay.records import count_cases, count_edits, read_rows
from conformance.operators.records import dumped
from conformance.operators.tables import merged
from conformance.operators.versions import read_version
from tests.support.places import ROOT

FOLDERS, GENERATED = ("cases", "edits"), ("generated/cases", "generated/edits")
OF_A_RUN = {"uid", "resourceVersion", "creationTimestamp", "managedFields", "lastTransitionTime"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-")
POD = re.compile(r"-(head|worker)-(?!xxxxx)[bcdfghjklmnpqrstvwxz2456789]{5}\b")
OUTCOMES = {
    *("refused", "invalid", "new-cluster", "stopped", "recreated", "started", "scaled"),
    *("in-place", "nothing"),
}


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
            assert tuple(row.get("patched", ())) == case.patch, case.name


def test_every_answer_is_whole():
    for rows in read_rows("cases").values():
        for row in rows:
            assert row["accepted"] == ("message" not in row) == ("by" not in row), row["name"]
            assert {"objects", "pods"} & row.keys() in (set(), {"objects", "pods"}), row["name"]
    for rows in read_rows("edits").values():
        for row in rows:
            assert row["outcome"] in OUTCOMES, row["name"]
            assert row["accepted"] == (row["outcome"] not in ("refused", "invalid")), row["name"]
            assert ("pods" in row) == (row["outcome"] != "refused"), row["name"]


@pytest.mark.parametrize("folder", [*FOLDERS, *GENERATED])
def test_nothing_of_a_single_run_is_recorded(folder):
    for name, rows in read_rows(folder).items():
        text = (OBSERVED / folder / f"{name}.json").read_text("utf-8")
        assert dumped(rows) == text, name
        for pattern in (TIME, UID, POD):
            assert not pattern.search(text), (name, pattern.search(text))
        assert not OF_A_RUN & set(keys_of(rows)), name


def test_the_documentation_counts_them():
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    for cases, edits in (FOLDERS, GENERATED):
        assert count_cases(read_rows(cases)) in text
        assert count_edits(read_rows(edits)) in text
    found = read_version(OBSERVED / "generated", "1.6.2")
    assert f"Of {found.asked} rows it answered {len(found.otherwise)} otherwise" in text


def test_a_change_reaches_into_lists():
    tree = {"list": [{"a": 1, "b": 2}, {"a": 3}]}
    assert merged(tree, {"list": {0: {"a": None}, 2: {"a": 4}}}) == {
        "list": [{"b": 2}, {"a": 3}, {"a": 4}]
    }
    assert merged(tree, {"list": {1: None}}) == {"list": [{"a": 1, "b": 2}]}


def made(kind, name, time="", **metadata):
    return {"kind": kind, "metadata": {"name": name, "creationTimestamp": time, **metadata}}


def test_drawn_names_are_replaced_in_the_order_of_making():
    names = Names("fruit")
    names.learn(
        [
            made("RayCluster", "fruit-zzzzz", "2"),
            made("RayCluster", "fruit-bbbbb", "1"),
            made("Pod", "fruit-bbbbb-small-worker-ccccc"),
        ]
    )
    names.learn_status({"jobId": "fruit-ddddd", "rayClusterName": "fruit-fffff"})
    given = ["fruit-bbbbb-head-svc", "fruit-zzzzz", "small-worker-ccccc", "fruit-ddddd fruit-fffff"]
    assert names.replaced(given) == [
        "fruit-00001-head-svc",
        "fruit-00002",
        "small-worker-xxxxx",
        "fruit-jobid fruit-00003",
    ]


@pytest.mark.parametrize(
    ("outcome", "pods", "changes", "written"),
    [
        ("nothing", {"a/headgroup": {"kept": 1}}, {}, {}),
        ("in-place", {"a/headgroup": {"kept": 1}}, {}, {"a": [{}]}),
        ("in-place", {"a/headgroup": {"kept": 1}}, {"Service/a": "recreated"}, {}),
        ("scaled", {"a/headgroup": {"kept": 1}, "a/small": {"kept": 1, "new": 1}}, {}, {}),
        ("recreated", {"a/headgroup": {"gone": 1, "new": 1}, "a/small": {"gone": 1}}, {}, {}),
        ("started", {"a/headgroup": {"new": 1}}, {}, {}),
        ("stopped", {"a/headgroup": {"gone": 1}, "a/small": {"gone": 2}}, {}, {}),
        ("new-cluster", {"b/headgroup": {"new": 1}}, {"RayCluster/b": "added"}, {}),
    ],
)
def test_an_outcome_is_what_was_seen(outcome, pods, changes, written):
    assert outcome_of({"accepted": True}, pods, changes, written) == outcome
    assert outcome_of({"accepted": False}, pods, changes, written) == "invalid"
