"""API servers with KubeRay, each of a version; most is asked of the first."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conformance.kuberay.installation import RELEASES, KubeRay, Release, installed
from conformance.kubernetes.server import build, running


@pytest.fixture(scope="package")
def kuberay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KubeRay]:
    with _installed(tmp_path_factory, RELEASES[0]) as found:
        yield found


@pytest.fixture(scope="package")
def newer_kuberay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KubeRay]:
    with _installed(tmp_path_factory, RELEASES[1]) as found:
        yield found


@contextmanager
def _installed(places: pytest.TempPathFactory, release: Release) -> Iterator[KubeRay]:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server and KubeRay")
    logs = places.mktemp(f"kuberay-{release.version}")
    with (
        running(build(go), logs / "server") as client,
        installed(client, go, release, logs) as found,
    ):
        yield found
