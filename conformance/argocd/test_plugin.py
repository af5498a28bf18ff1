"""Argo CD's plugin server and repo server, with the plugin that we write."""

import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from conformance.argocd.bootstrap import bootstrapped, copy_example
from conformance.argocd.plugin import Plugin, refusal_of, serving, without_tracking
from conformance.argocd.program import Judge
from conformance.argocd.records import compare, count_generated, identity_of
from conformance.argocd.refusals import REFUSALS, add_empty_destination
from conformance.conftest import Report
from conformance.kubernetes.client import Object
from conformance.kubernetes.test_conformance import objects_in

#: What operators keep from plugins, to send less.
_WITHOUT_GIT = [".git/*"]


@pytest.fixture(scope="module")
def written(example: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is bootstrapped for the plugin, an Application for each destination."""
    to = tmp_path_factory.mktemp("plugin") / "argocd"
    bootstrapped(example, to, "--plugin", "--style", "applications")
    return to


@pytest.fixture(scope="module")
def applications(written: Path) -> dict[str, Object]:
    found = yaml.safe_load_all((written / "applications.yaml").read_text("utf-8"))
    return {item["metadata"]["name"]: item for item in found}


@pytest.fixture(scope="module")
def plugin(
    plugin_server: Path, written: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Plugin]:
    scratch = tmp_path_factory.mktemp("cmp")
    with serving(plugin_server, written / "plugin", scratch) as found:
        yield found


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the example to break; nothing in it is rendered."""
    made = copy_example(tmp_path / "repository")
    shutil.rmtree(made / "rendered")
    return made


def told(application: Object, **parameters: str) -> Object:
    """The same Application with these parameters alone."""
    made = deepcopy(application)
    rows = [{"name": name.replace("_", "-"), "string": text} for name, text in parameters.items()]
    made["spec"]["source"]["plugin"]["parameters"] = rows
    return made


def test_every_application_gets_what_is_rendered(
    judge: Judge,
    plugin: Plugin,
    applications: dict[str, Object],
    example: Path,
    pytestconfig: pytest.Config,
    report: Report,
) -> None:
    rows = {}
    for name, application in applications.items():
        (environment, destination) = values_of(application)
        wanted = objects_in(example / "rendered" / environment / destination)
        found = plugin.ask(judge, application, example)
        assert [without_tracking(item) for item in found] == wanted
        rows[name] = {
            "parameters": application["spec"]["source"]["plugin"]["parameters"],
            "objects": [identity_of(item) for item in found],
        }
    compare("generated", rows, update=pytestconfig.getoption("--update-observed"))
    report(count_generated(rows))


def values_of(application: Object) -> tuple[str, str]:
    rows = application["spec"]["source"]["plugin"]["parameters"]
    values = {row["name"]: row["string"] for row in rows}
    return values["environment"], values["destination"]


def test_nothing_of_git_or_of_the_rendered_tree_is_needed(
    judge: Judge, plugin: Plugin, applications: dict[str, Object], example: Path, repository: Path
) -> None:
    (repository / ".git").mkdir()
    (repository / ".git/config").write_text("[broken", "utf-8")
    one = applications["dev-master"]
    found = plugin.ask(judge, one, repository, excluded=_WITHOUT_GIT)
    assert found == plugin.ask(judge, one, example)


def test_variables_will_do_instead_of_parameters(
    judge: Judge, plugin: Plugin, applications: dict[str, Object], example: Path
) -> None:
    one = told(applications["dev-master"])
    rows = [{"name": "ENVIRONMENT", "value": "dev"}, {"name": "DESTINATION", "value": "master"}]
    one["spec"]["source"]["plugin"]["env"] = rows
    found = plugin.ask(judge, one, example)
    assert found == plugin.ask(judge, applications["dev-master"], example)


def test_the_parameters_that_are_announced(
    judge: Judge,
    plugin: Plugin,
    applications: dict[str, Object],
    example: Path,
    pytestconfig: pytest.Config,
) -> None:
    found = plugin.ask(judge, applications["dev-master"], example, parameters=True)
    rows = {row.pop("name"): row for row in found}
    compare("parameters", rows, update=pytestconfig.getoption("--update-observed"))


def test_what_is_refused(
    judge: Judge,
    plugin: Plugin,
    applications: dict[str, Object],
    tmp_path: Path,
    pytestconfig: pytest.Config,
    report: Report,
) -> None:
    """What users see in Argo CD: our own words, and nothing of how we are made."""
    rows = {}
    for name, one in REFUSALS.items():
        made = copy_example(tmp_path / name.replace(" ", "-"))
        one.change(made)
        answer = plugin.ask(judge, told(applications["dev-master"], **one.parameters), made)
        assert isinstance(answer, dict), (name, answer)
        assert "Traceback" not in answer["error"]
        rows[name] = {"parameters": one.parameters, "error": refusal_of(answer["error"])}
    compare("refusals", rows, update=pytestconfig.getoption("--update-observed"))
    report(f"{len(rows)} refusals of the plugin")


def test_nothing_to_render_may_be_meant(
    judge: Judge, plugin: Plugin, applications: dict[str, Object], repository: Path
) -> None:
    add_empty_destination(repository)
    asked = {"environment": "dev", "destination": "spare", "allow_empty": "true"}
    assert plugin.ask(judge, told(applications["dev-master"], **asked), repository) == []
