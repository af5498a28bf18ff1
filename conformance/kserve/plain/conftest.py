"""An API server with KServe's controllers of graphs, trained models and caches."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from conformance.kserve.plain.installation import installed
from conformance.kubernetes.client import Client
from conformance.kubernetes.server import build, running


class Place(NamedTuple):
    """Who is asked, and the folder in which a node keeps its models."""

    client: Client
    models: Path


@pytest.fixture(scope="package")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server and KServe")
    logs = tmp_path_factory.mktemp("plain")
    models = logs / "models"
    with (
        running(build(go), logs / "server") as client,
        installed(client, go, logs / "controller", models),
    ):
        yield Place(client, models)
