"""The programs, the example's repository, and what is bootstrapped of it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.argocd.bootstrap import bootstrapped, copy_example, of_kind, settings_of
from conformance.argocd.cluster import kubeconfig_of, running
from conformance.argocd.program import Judge, build_judge, build_plugin_server
from conformance.argocd.sync import Application
from conformance.flux.installation import MONITOR
from conformance.flux.repository import Repository
from conformance.kserve import installation as kserve
from conformance.kubernetes import server
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import add_namespace, install_kinds, module, read


@pytest.fixture(scope="session")
def go() -> str:
    found = shutil.which("go")
    if found is None:
        pytest.skip("Go is not installed; it builds what asks Argo CD")
    return found


@pytest.fixture(scope="session")
def judge(go: str, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return Judge(build_judge(go), tmp_path_factory.mktemp("judge"))


@pytest.fixture(scope="session")
def plugin_server(go: str) -> Path:
    return build_plugin_server(go)


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example that nothing is changed in."""
    return copy_example(tmp_path_factory.mktemp("example") / "repository")


@pytest.fixture(scope="session")
def objects(example: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Object]:
    """What is bootstrapped for the example, as it comes."""
    return bootstrapped(example, tmp_path_factory.mktemp("bootstrap") / "argocd")


@pytest.fixture(scope="session")
def listed_objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Object]:
    """The same where the kinds beside servings are listed."""
    place = tmp_path_factory.mktemp("listed")
    repository = copy_example(place / "repository")
    with (repository / "servingctl.yaml").open("a", encoding="utf-8") as settings:
        settings.write("companions: {allow: [ConfigMap]}\n")
    return bootstrapped(repository, place / "argocd")


@pytest.fixture(scope="session")
def has_kuscia(pytestconfig: pytest.Config) -> bool:
    """Whether the kinds of Kuscia can be installed: they are not ours to ship."""
    return pytestconfig.getoption("--crds") is not None


@pytest.fixture(scope="session")
def cluster(
    go: str, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    """A server that Argo CD applies to."""
    logs = tmp_path_factory.mktemp("cluster")
    with running(go, logs, pytestconfig.getoption("--crds")) as client:
        yield client


@pytest.fixture(scope="session")
def cluster_judge(judge: Judge, cluster: Client, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """The same program, which can ask that server."""
    config = tmp_path_factory.mktemp("config") / "kubeconfig"
    config.write_text(json.dumps(kubeconfig_of(cluster)), "utf-8")
    return judge._replace(config=config)


@pytest.fixture
def server_of_companions(go: str, tmp_path: Path) -> Iterator[Client]:
    """With the kinds of KServe and of monitors, and nobody who acts on them."""
    with server.running(server.build(go), tmp_path / "log") as client:
        client.wait_until("/api/v1/namespaces/default", 60)
        folder = module(go, kserve.SOURCE, "github.com/kserve/kserve") / "config/crd/full"
        kinds = [item for path in folder.glob("serving.kserve.io_*.yaml") for item in read(path)]
        install_kinds(client, [*kinds, MONITOR])
        add_namespace(client, "models")
        yield client


@pytest.fixture
def application(
    judge: Judge, server_of_companions: Client, repository: Repository, tmp_path: Path
) -> Application:
    config = tmp_path / "kubeconfig"
    config.write_text(json.dumps(kubeconfig_of(server_of_companions)), "utf-8")
    made = bootstrapped(repository.folder, tmp_path / "argocd", "--style", "applications")
    (project,) = of_kind(made, "AppProject")
    (wanted,) = of_kind(made, "Application")
    asked = judge._replace(config=config)
    return Application(asked, server_of_companions, settings_of(made), project, wanted, {})
