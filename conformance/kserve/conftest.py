"""API servers with KServe, each of a version; most is asked of the first."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conformance.kserve.installation import RELEASES, Release, installed
from conformance.kubernetes.client import Client
from conformance.kubernetes.server import build, running


@pytest.fixture(scope="package")
def kserve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with _installed(tmp_path_factory, RELEASES[0]) as client:
        yield client


@pytest.fixture(scope="package")
def older_kserve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with _installed(tmp_path_factory, RELEASES[1]) as client:
        yield client


@contextmanager
def _installed(places: pytest.TempPathFactory, release: Release) -> Iterator[Client]:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server and KServe")
    logs = places.mktemp(f"kserve-{release.version}")
    with (
        running(build(go), logs / "server") as client,
        installed(client, go, logs / "controller", release),
    ):
        yield client
