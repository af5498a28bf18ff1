"""What Argo CD's engine does with a service and the objects beside it, wave by wave."""

from pathlib import Path

import pytest

from conformance.argocd.records import compare
from conformance.argocd.sync import Application, Row
from conformance.flux.judge import CURRENT
from conformance.flux.platforms import BOUND, COMPLETE, report, say
from conformance.flux.repository import Repository, read_steps
from conformance.kubernetes.client import Object
from conformance.kubernetes.test_conformance import objects_in
from conformance.operators.tables import merged

_WAVE = "argocd.argoproj.io/sync-wave"
_FOREIGN: Object = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "Role",
    "metadata": {"name": "reader", "namespace": "models"},
    "rules": [],
}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """The first step of the table that Flux is asked about as well."""
    found = Repository(tmp_path / "repository")
    found.folder.mkdir()
    found.edit(next(read_steps("companions")))
    found.render()
    return found


def report_services_and_jobs(application: Application) -> None:
    """All is well but for claims, whose volumes are not there yet."""
    for thing in application.live():
        if thing["kind"] == "InferenceService":
            say(application.client, thing, CURRENT)
        elif thing["kind"] == "Job" and "completionTime" not in thing["status"]:
            report(application.client, thing, COMPLETE)


def bind_claims(application: Application) -> None:
    for thing in application.live():
        if thing["kind"] == "PersistentVolumeClaim":
            report(application.client, thing, BOUND)


def targets_of(repository: Repository) -> list[Object]:
    repository.render()
    return objects_in(repository.rendered / "prod/gpu-east")


def test_waves_marks_and_pruning(
    application: Application, repository: Repository, pytestconfig: pytest.Config
) -> None:
    found: Row = {}

    def others() -> None:
        report_services_and_jobs(application)

    targets = targets_of(repository)
    first = application.sync(targets, others)
    found["1 claim not bound"] = first.looks
    bind_claims(application)
    found["2 claim bound"] = application.sync(targets, others, first.state).looks
    found["3 application deleted"] = application.order_of_deletion()
    for number, step in enumerate(list(read_steps("companions"))[1:], 4):
        repository.edit(step)
        done = application.sync(targets_of(repository), others)
        kept = done.messages("PruneSkipped")
        found[f"{number} {step.name}"] = {
            "looks": done.looks,
            "there": sorted(application.names()),
            **({"not pruned": kept} if kept else {}),
        }
    compare("sync", found, update=pytestconfig.getoption("--update-observed"))


def test_a_claim_before_its_users_would_hold_them_back(
    application: Application, repository: Repository, pytestconfig: pytest.Config
) -> None:
    targets = [
        merged(thing, {"metadata": {"annotations": {_WAVE: "-10"}}})
        if thing["kind"] == "PersistentVolumeClaim"
        else thing
        for thing in targets_of(repository)
    ]
    done = application.sync(targets, lambda: report_services_and_jobs(application))
    found: Row = {"looks": done.looks, "there": sorted(application.names())}
    compare("sync_claim_first", found, update=pytestconfig.getoption("--update-observed"))


def test_what_is_not_allowed_is_not_permitted(
    application: Application, repository: Repository, pytestconfig: pytest.Config
) -> None:
    """Nothing of the commit is applied."""
    done = application.sync([*targets_of(repository), _FOREIGN], lambda: None)
    found: Row = {
        "looks": done.looks,
        "refused": done.messages("SyncFailed"),
        "there": sorted(application.names()),
    }
    compare("sync_not_permitted", found, update=pytestconfig.getoption("--update-observed"))
