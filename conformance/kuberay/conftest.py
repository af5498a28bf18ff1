"""The one API server with KubeRay that all of it is asked of."""

import shutil
from collections.abc import Iterator

import pytest

from conformance.kuberay.installation import KubeRay, installed
from conformance.kubernetes.server import build, running


@pytest.fixture(scope="package")
def kuberay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KubeRay]:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server and KubeRay")
    logs = tmp_path_factory.mktemp("kuberay")
    with running(build(go), logs / "server") as client, installed(client, go, logs) as found:
        yield found
