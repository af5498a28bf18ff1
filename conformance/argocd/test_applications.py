"""The Applications that Argo CD's own generators make of our set, for a rendered tree."""

import json
import os
import shutil
from pathlib import Path

import pytest
import yaml

from conformance.argocd.applications import by_name, generated
from conformance.argocd.bootstrap import REPOSITORY, bootstrapped, copy_example, of_kind, servingctl
from conformance.argocd.plugin import without_tracking
from conformance.argocd.program import Judge
from conformance.argocd.records import compare
from conformance.conftest import Report
from conformance.kubernetes.client import Object
from conformance.kubernetes.test_conformance import objects_in

FILES_STYLE = ("bootstrap", "argocd", "--style", "files", "--repo", REPOSITORY)


def test_there_is_one_for_each_destination(
    judge: Judge,
    objects: dict[str, Object],
    example: Path,
    pytestconfig: pytest.Config,
    report: Report,
) -> None:
    found = generated(judge, objects, example)
    folders = [path.parent for path in (example / "rendered").glob("*/*/kustomization.yaml")]
    paths = {item["spec"]["source"]["path"] for item in found.values()}
    assert paths == {str(path.relative_to(example)) for path in folders}
    update = pytestconfig.getoption("--update-observed")
    (given,) = of_kind(objects, "ApplicationSet")
    compare("applicationset", given["spec"], update=update)
    compare("applications", found, update=update)
    report(f"{len(found)} Applications of one set")


@pytest.mark.parametrize("plugin", [(), ("--plugin",)], ids=["rendered", "plugin"])
def test_both_styles_come_to_the_same(
    plugin: tuple[str, ...], judge: Judge, example: Path, tmp_path: Path
) -> None:
    as_set = bootstrapped(example, tmp_path / "set", *plugin)
    single = bootstrapped(example, tmp_path / "single", "--style", "applications", *plugin)
    found = generated(judge, as_set, example)
    wanted = by_name(of_kind(single, "Application"))
    assert without_ignored(found) == without_ignored(wanted)
    for name, item in wanted.items():
        rows = item["spec"].get("ignoreDifferences", [])
        assert all(row in found[name]["spec"]["ignoreDifferences"] for row in rows)


def test_files_of_destinations_come_to_the_same(
    judge: Judge, objects: dict[str, Object], example: Path, pytestconfig: pytest.Config
) -> None:
    """The set that reads them is the same whichever destinations there are."""
    to = example / "gitops/argocd"
    made = servingctl(example, *FILES_STYLE, "--output", str(to))
    assert made.returncode == 0, made.stderr
    texts = {
        str(path.relative_to(example)): path.read_text("utf-8")
        for path in (to / "destinations").glob("*.yaml")
    }
    (given,) = yaml.safe_load_all((to / "applicationset.yaml").read_text("utf-8"))
    wanted = generated(judge, objects, example)
    found = generated(judge, {**objects_but_sets(objects), "set": given}, example, files=texts)
    shutil.rmtree(to)
    assert found == wanted
    update = pytestconfig.getoption("--update-observed")
    compare("applicationset_files", given["spec"], update=update)


def objects_but_sets(objects: dict[str, Object]) -> dict[str, Object]:
    return {name: item for name, item in objects.items() if item["kind"] != "ApplicationSet"}


def without_ignored(applications: dict[str, Object]) -> dict[str, Object]:
    """A set has one list of ignored differences for all; an Application that of its own kinds."""
    return {
        name: {**item, "spec": {k: v for k, v in item["spec"].items() if k != "ignoreDifferences"}}
        for name, item in applications.items()
    }


@pytest.fixture
def kustomize(tmp_path: Path) -> dict[str, str]:
    """The kustomize that is in kubectl, by the name that the repo server calls."""
    kubectl = shutil.which("kubectl")
    if not kubectl:
        pytest.skip("kubectl is not installed, which has kustomize in it")
    script = tmp_path / "bin/kustomize"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nshift\nexec {kubectl} kustomize "$@"\n', "utf-8")
    script.chmod(0o755)
    return {"PATH": f"{script.parent}{os.pathsep}{os.environ['PATH']}"}


def test_the_repo_server_finds_what_is_rendered(
    judge: Judge, objects: dict[str, Object], example: Path, kustomize: dict[str, str]
) -> None:
    """Each folder is one of kustomize, and the lists for Flux below it are none of its objects."""
    for application in generated(judge, objects, example).values():
        request = {"application": application, "repository": str(example)}
        (found,) = judge.ask("manifests", [request], kustomize)
        wanted = objects_in(example / application["spec"]["source"]["path"])
        assert sorted(map(dumps, map(without_tracking, found))) == sorted(map(dumps, wanted))


def dumps(thing: Object) -> str:
    return json.dumps(thing, sort_keys=True)


def test_a_tree_with_hidden_folders_has_no_more(
    judge: Judge, objects: dict[str, Object], example: Path
) -> None:
    """Operators may let the repo server list hidden folders, as those of the inventory."""
    assert generated(judge, objects, example, hidden=True) == generated(judge, objects, example)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the example to change."""
    return copy_example(tmp_path / "repository")


def add_destination(repository: Path, destination: Object) -> None:
    """Another destination in the environment dev, and what is rendered then."""
    path = repository / "environments/dev/environment.yaml"
    tree = yaml.safe_load(path.read_text("utf-8"))
    tree["destinations"].append(destination)
    path.write_text(yaml.safe_dump(tree), "utf-8")
    rendered(repository)


def rendered(repository: Path) -> None:
    done = servingctl(repository, "render", "--allow-empty")
    assert done.returncode == 0, done.stdout + done.stderr


SPARE = {"name": "spare", "platform": "kuscia", "domains": ["carol"]}


def test_a_new_destination_is_found_without_a_new_set(
    judge: Judge, objects: dict[str, Object], repository: Path
) -> None:
    before = generated(judge, objects, repository)
    add_destination(repository, SPARE)
    after = generated(judge, objects, repository)
    assert after.keys() - before.keys() == {"dev-spare"}
    assert after["dev-spare"]["spec"]["destination"] == {"name": "spare"}
    assert {name: after[name] for name in before} == before


def test_a_new_destination_that_says_more(
    judge: Judge, objects: dict[str, Object], example: Path, repository: Path, tmp_path: Path
) -> None:
    """With a new set it has the server and the project that it names."""
    said = {"server": "https://spare.example:6443", "project": "others"}
    add_destination(repository, {**SPARE, **said})
    found = generated(judge, bootstrapped(repository, tmp_path / "new"), repository)
    spec = found["dev-spare"]["spec"]
    assert spec["destination"] == {"server": said["server"]}
    assert spec["project"] == said["project"]
    paths = [item["spec"]["source"]["path"] for item in found.values()]
    assert len(paths) == len(set(paths)) == len(generated(judge, objects, example)) + 1


def test_a_destination_less(
    judge: Judge, objects: dict[str, Object], example: Path, repository: Path
) -> None:
    """Its folder goes with it."""
    add_destination(repository, SPARE)
    before = generated(judge, objects, repository)
    shutil.copytree(example / "environments", repository / "environments", dirs_exist_ok=True)
    rendered(repository)
    after = generated(judge, objects, repository)
    assert before.keys() - after.keys() == {"dev-spare"}
    assert after == {name: before[name] for name in after}
