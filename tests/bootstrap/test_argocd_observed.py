"""What the real Argo CD made of the example is what is rendered, bootstrapped and printed now.

`conformance/argocd` recorded it; here nothing of Argo CD runs.
"""

import json
import re

import pytest
import yaml

from conformance.argocd.applications import by_name
from conformance.argocd.bootstrap import REPOSITORY, copy_example
from conformance.argocd.places import OBSERVED
from conformance.argocd.records import (
    count_generated,
    count_health,
    count_unlike,
    dumped,
    identity_of,
    read,
)
from conformance.argocd.refusals import REFUSALS
from renderer import load, render
from renderer.bootstrap.argocd import argocd_files
from renderer.bootstrap.places import places_of
from renderer.bootstrap.sources import RepositorySource
from tests.support.places import ROOT
from tests.support.processes import run

SOURCE = RepositorySource(REPOSITORY, "main")
SUBJECTS = sorted(path.stem for path in OBSERVED.glob("*.json"))
OF_A_RUN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d|127\.0\.0\.1|/tmp/|/home/|/work/")


def bootstrapped(**wishes):
    """The files for Argo CD by name, each a list of objects."""
    places = places_of(load(ROOT).shared.environments)
    files = argocd_files(places, SOURCE, **wishes)
    return {name: list(yaml.safe_load_all(text)) for name, text in files.items()}


@pytest.fixture(scope="module")
def single():
    return by_name(bootstrapped(style="applications")["applications.yaml"])


def without_ignored(applications):
    """A set has one list of ignored differences for all; an Application that of its own kinds."""
    return {
        name: {**item, "spec": {k: v for k, v in item["spec"].items() if k != "ignoreDifferences"}}
        for name, item in applications.items()
    }


def test_the_set_is_the_one_that_argo_cd_was_given():
    (given,) = bootstrapped()["applicationset.yaml"]
    assert given["spec"] == read("applicationset"), "record it again: `make conformance`"


def test_the_set_over_files_is_the_one_that_argo_cd_was_given():
    """It made the same Applications of the files as of the folders."""
    made = bootstrapped(style="files", folder="gitops/argocd")
    (given,) = made["applicationset.yaml"]
    assert given["spec"] == read("applicationset_files"), "record it again: `make conformance`"
    names = {f"destinations/{name}.yaml" for name in read("applications")}
    assert names == {name for name in made if name.startswith("destinations/")}


def test_the_applications_are_those_that_argo_cd_made(single):
    assert without_ignored(single) == without_ignored(read("applications"))


def test_their_folders_are_rendered():
    paths = {item["spec"]["source"]["path"] for item in read("applications").values()}
    files = [file.path.split("/") for file in render(load(ROOT)).files()]
    lists = [parts for parts in files if parts[2:] == ["kustomization.yaml"]]
    assert paths == {f"rendered/{environment}/{name}" for environment, name, _ in lists}


def test_what_is_ignored_is_what_was_tried():
    """Each expression was needed, and with all of them no way of comparing found anything."""
    recorded = read("differences")
    (given,) = bootstrapped()["applicationset.yaml"]
    assert given["spec"]["template"]["spec"]["ignoreDifferences"] == recorded["ignored"]
    ways = {name: found for name, found in recorded.items() if "as bootstrapped" in name}
    assert set(map(str, ways.values())) == {"{}"}
    assert recorded["server, ignoring nothing"]
    assert recorded["compared"] > 1


def test_the_parameters_are_announced():
    (config,) = bootstrapped(image="registry.example/servingctl:1")["plugin/plugin.yaml"]
    static = {row["name"]: row for row in config["spec"]["parameters"]["static"]}
    assert static == {name: {"name": name, **row} for name, row in read("parameters").items()}


def generate(repository, parameters):
    """As the plugin server runs it: without Git, and with what the Application says."""
    given = [{"name": name, "string": text} for name, text in parameters.items()]
    return run("argocd", "generate", cwd=repository, ARGOCD_APP_PARAMETERS=json.dumps(given))


@pytest.mark.process
@pytest.mark.parametrize("name", sorted(read("generated")))
def test_what_is_printed_is_what_argo_cd_got(name):
    row = read("generated")[name]
    done = generate(ROOT, {item["name"]: item["string"] for item in row["parameters"]})
    assert done.returncode == 0, done.stderr
    printed = map(identity_of, yaml.safe_load_all(done.stdout))
    assert [*printed] == row["objects"]


def test_every_refusal_is_recorded():
    recorded = {name: row["parameters"] for name, row in read("refusals").items()}
    assert recorded == {name: one.parameters for name, one in REFUSALS.items()}


@pytest.mark.process
@pytest.mark.parametrize("name", REFUSALS)
def test_what_argo_cd_shows_of_a_refusal(name, tmp_path):
    repository = copy_example(tmp_path / "repository")
    REFUSALS[name].change(repository)
    done = generate(repository, REFUSALS[name].parameters)
    assert done.returncode in (1, 2, 3)
    assert done.stdout == ""
    assert done.stderr.strip() == read("refusals")[name]["error"]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_nothing_of_a_single_run_is_recorded(subject):
    text = (OBSERVED / f"{subject}.json").read_text("utf-8")
    assert dumped(json.loads(text)) == text
    found = OF_A_RUN.search(text)
    assert not found, found


def test_the_documentation_counts_them():
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    assert count_health(read("health")) in text
    assert count_unlike(read("built_in_health")) in text
    assert count_generated(read("generated")) in text
    assert f"{len(REFUSALS)} refusals" in text
