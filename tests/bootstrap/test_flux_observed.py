"""What the real Flux did with the example, step by step, is what is rendered and bootstrapped now.

`conformance/flux` recorded it; the steps are replayed here without any server.
"""

import re

import pytest
import yaml

from conformance.flux.places import OBSERVED
from conformance.flux.records import count_health, count_steps, read
from conformance.flux.repository import example, read_steps
from renderer import load, render
from renderer.bootstrap.flux import flux_files
from renderer.bootstrap.places import places_of
from renderer.bootstrap.sources import RepositorySource
from tests.support.places import ROOT

STATUSES = ROOT / "tests/observed/kuscia/status"
PARTS = ("prerequisites", "workloads")
SOURCE = RepositorySource("https://git.example/models/specs", "main")
OF_A_RUN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d|sha1:|sha256:|127\.0\.0\.1|/tmp/")


@pytest.fixture(scope="module")
def states(tmp_path_factory):
    """What is listed for each destination, and what it depends on, after each step."""
    repository, found = example(tmp_path_factory.mktemp("flux")), {}
    for step in read_steps():
        repository.edit(step)
        project = load(repository.folder)
        files = {file.path: file.text for file in render(project).files()}
        found[step.name] = (listed(files), awaited(project))
    return found


def listed(files):
    found = {}
    for path, text in files.items():
        destination, _, part = path.removesuffix("/kustomization.yaml").partition("/flux/")
        if part:
            names = [f"{destination}/{name[6:]}" for name in yaml.safe_load(text)["resources"]]
            objects = (yaml.safe_load(files[name]) for name in names)
            found.setdefault(destination, {})[part] = sorted(map(name_of, objects))
    return found


def name_of(thing):
    metadata = thing["metadata"]
    parts = (thing["kind"], metadata.get("namespace"), metadata["name"])
    return "/".join(part for part in parts if part)


def awaited(project):
    text = flux_files(places_of(project.shared.environments), SOURCE)["kustomizations.yaml"]
    specs = (item["spec"] for item in yaml.safe_load_all(text))
    return {
        spec["path"].removeprefix("./rendered/").removesuffix("/flux/workloads"): sorted(
            item["name"] for item in spec["dependsOn"]
        )
        for spec in specs
        if "dependsOn" in spec
    }


def rows_of(step):
    return {row["destination"]: row for row in read("steps") if row["step"] == step}


def short(names):
    """As the order has them: kind and name."""
    return {re.sub("/.*/", "/", name) for name in names}


def in_order(row, word):
    return [line.partition(" ")[2] for line in row["order"] if line.startswith(f"{word} ")]


def test_every_destination_has_both_lists_and_no_object_twice(states):
    for step, (lists, needs) in states.items():
        assert lists.keys() == needs.keys(), step
        for destination, parts in lists.items():
            assert {*parts} == {*PARTS}, (step, destination)
            assert not {*parts["prerequisites"]} & {*parts["workloads"]}, (step, destination)


def test_flux_applied_what_is_listed(states):
    applied = {}
    for step, (lists, _) in states.items():
        applied |= {name: {p: row[p] for p in PARTS} for name, row in rows_of(step).items()}
        for destination, parts in lists.items():
            known = applied.get(destination, {part: [] for part in PARTS})
            assert parts == known, (step, destination)


def test_flux_created_and_deleted_what_came_and_went(states):
    before = {}
    for step, (lists, _) in states.items():
        for destination, row in rows_of(step).items():
            old = {n for part in before.get(destination, {}).values() for n in part}
            new = {n for part in lists[destination].values() for n in part}
            assert {*in_order(row, "created")} == short(new - old), (step, destination)
            assert {*in_order(row, "deleted")} == short(old - new), (step, destination)
            assert not in_order(row, "marked for deletion"), (step, destination)
        before = lists


def test_workloads_waited_for_what_they_depend_on(states):
    for step, (_, needs) in states.items():
        for destination, row in rows_of(step).items():
            if row["cluster"] == "first":
                assert row["ready_before_workloads"] == needs[destination], (step, destination)


def test_prerequisites_come_first_and_go_first(states):
    """The second is why an image that is no longer used goes a moment before its last user."""
    before = {}
    for step, (lists, _) in states.items():
        for destination, row in rows_of(step).items():
            both = [before.get(destination, {}), lists[destination]]
            first = short(name for parts in both for name in parts.get("prerequisites", ()))
            lines = [line.partition(" ")[2] for line in row["order"] if line[:6] != "ready "]
            places = [name in first for name in lines]
            assert places == sorted(places, reverse=True), (step, destination)
        before = lists


def test_what_health_checks_of_derived_deployments_see():
    """The documentation has it: an outage and its end are seen, an update that failed is not."""
    found = read("derived_health")
    ready = {
        gate: {row["step"]: row["ready"] == "True" for row in found[gate]}
        for gate in ("wait", "healthChecks")
    }
    assert {*ready["wait"].values()} == {True}
    assert ready["healthChecks"] == {
        "17-edit-to-an-app-image-that-is-not-there/1": True,  # the old pods serve
        "17-edit-to-an-app-image-that-is-not-there/2": False,
        "11-rollout-that-hangs/2": False,
        "11-rollout-that-hangs/3": False,
        "13-quota-allows-fewer-pods/1": False,
        "18-edit-to-a-role-without-a-template/1": False,
    }
    assert [row["ready"] for row in found["later"]] == ["True", "False", "True"]


def test_what_health_checks_are_tried_on_is_recorded():
    """A Deployment of each moment, behind a KusciaDeployment of which a person says the rest."""
    for row in read("derived_health")["healthChecks"]:
        case, _, number = row["step"].partition("/")
        text = (STATUSES / case / "case.yaml").read_text("utf-8")
        steps = {item["step"]: item for item in yaml.load(text, yaml.CSafeLoader)["steps"]}
        deployments = steps[int(number)]["facts"]["deployments"]
        assert not row["deployment"] or row["deployment"] in deployments
        assert steps[int(number)]["truth"] in ("degraded", "progressing")


def test_nothing_of_a_single_run_is_recorded():
    for path in OBSERVED.glob("*.json"):
        assert not OF_A_RUN.search(path.read_text("utf-8")), path.name


def test_the_documentation_counts_them():
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    assert count_steps(read("steps")) in text
    assert count_health(read("health")) in text
