"""An API server with KServe's program for language models."""

import shutil
from collections.abc import Iterator

import pytest

from conformance.kserve.llm.installation import installed
from conformance.kubernetes.client import Client
from conformance.kubernetes.server import build, running


@pytest.fixture(scope="package")
def llm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server and KServe")
    logs = tmp_path_factory.mktemp("llm")
    with running(build(go), logs / "server") as client, installed(client, go, logs / "controller"):
        yield client
