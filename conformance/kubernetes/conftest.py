"""The one API server that all of it is asked of."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import yaml

from conformance.kubernetes.client import Client
from conformance.kubernetes.server import RELEASES, build, running

if TYPE_CHECKING:
    from pathlib import Path

_NAMESPACES = ("cross-domain", "alice", "bob")
_PATIENCE = 30


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server with the namespaces that Kuscia would have made."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server")
    with running(build(go), tmp_path_factory.mktemp("apiserver") / "log") as client:
        for name in _NAMESPACES:
            space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            assert not client.apply(space).is_refusal
        yield client


@pytest.fixture(scope="session")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A newer server, of which pods and companions are asked too."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server")
    with running(build(go, RELEASES[1]), tmp_path_factory.mktemp("newer") / "log") as client:
        yield client


@pytest.fixture(scope="session")
def has_crds(client: Client, pytestconfig: pytest.Config) -> bool:
    """Whether the kinds that we render are known to the server."""
    folder: Path | None = pytestconfig.getoption("--crds")
    if folder is None:
        return False
    kinds = [
        item
        for path in sorted(folder.rglob("kuscia.*.yaml"))
        for item in yaml.safe_load_all(path.read_text("utf-8"))
    ]
    assert kinds, f"{folder} has no CRDs of Kuscia"
    for item in kinds:
        reply = client.apply(item)
        assert not reply.is_refusal, reply
    for item in kinds:
        group, names = item["spec"]["group"], item["spec"]["names"]
        version = item["spec"]["versions"][0]["name"]
        client.wait_until(f"/apis/{group}/{version}/{names['plural']}", _PATIENCE)
    return True
