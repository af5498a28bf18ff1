"""What Argo CD's engine does with models on a server and with graphs, wave by wave."""

from pathlib import Path

import pytest

from conformance.argocd.records import compare
from conformance.argocd.sync import Application, Row
from conformance.argocd.test_sync import targets_of
from conformance.flux.platforms import say_all_is_well
from conformance.flux.repository import Repository, read_steps


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """The first step of the table that Flux is asked about as well."""
    found = Repository(tmp_path / "repository")
    found.folder.mkdir()
    found.edit(next(read_steps("dependents")))
    found.render()
    return found


def test_dependents_come_after_their_services(
    application: Application, repository: Repository, pytestconfig: pytest.Config
) -> None:
    def report() -> None:
        say_all_is_well(application.client, application.live())

    found: Row = {}
    targets = targets_of(repository)
    first = application.sync(targets, lambda: None)
    found["1 services not ready"] = {"looks": first.looks, "there": sorted(application.names())}
    done = application.sync(targets, report, first.state)
    found["2 services ready"] = {"looks": done.looks, "there": sorted(application.names())}
    found["3 application deleted"] = application.order_of_deletion()
    for number, step in enumerate(list(read_steps("dependents"))[1:], 4):
        repository.edit(step)
        done = application.sync(targets_of(repository), report)
        there = sorted(application.names())
        found[f"{number} {step.name}"] = {"looks": done.looks, "there": there}
    compare("sync_dependents", found, update=pytestconfig.getoption("--update-observed"))
