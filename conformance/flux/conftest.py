"""Two API servers, and Flux on one of them."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from conformance.flux.artifacts import served
from conformance.flux.installation import (
    MONITOR,
    Programs,
    install,
    platform_kinds,
    programs,
    running,
)
from conformance.flux.journal import COMPANIONS, KUSTOMIZATION, RENDERED, kept
from conformance.flux.kubeconfig import secret
from conformance.flux.repository import Repository, example
from conformance.flux.scene import Scene, scene_at
from conformance.flux.stage import Cluster, Stage
from conformance.kubernetes import server
from conformance.kubernetes.client import Client
from conformance.operators.installation import add_namespace, apply, install_kinds

#: As `steps.yaml` names them: to which server they lead, and for which destination.
_SECRETS = (
    "first-alice", "first-east", "first-lab", "second-bob", "second-master", "second-west",
)  # fmt: skip
_NAMESPACES = ("cross-domain", "models", "models-dev", "models-more")


@pytest.fixture(scope="package")
def go() -> str:
    found = shutil.which("go")
    if found is None:
        pytest.skip("Go is not installed; it builds the API server and Flux")
    return found


@pytest.fixture(scope="package")
def built(go: str) -> Programs:
    return programs(go)


@pytest.fixture(scope="package")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("flux")


@pytest.fixture(scope="package")
def first(go: str, logs: Path) -> Iterator[Client]:
    """A server that knows the kinds of Flux."""
    with server.running(server.build(go), logs / "first") as client:
        install(client, go)
        yield client


@pytest.fixture(scope="package")
def stage(
    go: str, built: Programs, first: Client, logs: Path, pytestconfig: pytest.Config
) -> Iterator[Stage]:
    """Flux at work, with a second cluster that it reaches by a Secret as it does the first."""
    folder: Path | None = pytestconfig.getoption("--crds")
    if folder is None:
        pytest.skip("no CRDs: give a folder with --crds, or CRDS to make")
    with ExitStack() as stack:
        second = stack.enter_context(server.running(server.build(go), logs / "second"))
        kinds = [*platform_kinds(go, folder), MONITOR]
        for client in (first, second):
            install_kinds(client, kinds)
            for name in _NAMESPACES:
                add_namespace(client, name)
        for name in _SECRETS:
            apply(first, secret(name, first if name.startswith("first") else second))
        journals = [
            stack.enter_context(kept(first, (KUSTOMIZATION, *RENDERED, *COMPANIONS))),
            stack.enter_context(kept(second, RENDERED)),
        ]
        shelf = stack.enter_context(served())
        stack.enter_context(running(first, built.controller, logs / "controller"))
        yield Stage(Cluster(first, journals[0]), Cluster(second, journals[1]), shelf, built.judge)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return example(tmp_path)


@pytest.fixture
def scene(stage: Stage, repository: Repository) -> Iterator[Scene]:
    """With everything that a step adds to the example."""
    with scene_at(stage, repository, "more") as found:
        yield found
