"""What the API server says of objects that we render, under policies of a cluster."""

import shutil
from collections.abc import Iterator

import pytest

from conformance.conftest import Report
from conformance.kubernetes.admission import asked, prepare, read, trials, write
from conformance.kubernetes.client import Client
from conformance.kubernetes.server import RELEASES, build, running


@pytest.fixture
def own_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server of its own: its kinds have no schemas, and its policies would be asked of others."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds the API server")
    with running(build(go), tmp_path_factory.mktemp("admission") / "log") as client:
        yield client


def test_policies_say_what_was_recorded(
    own_client: Client, pytestconfig: pytest.Config, report: Report
) -> None:
    rows = trials()
    prepare(own_client, rows)
    found = [asked(own_client, row) for row in rows]
    denied = sum(bool(row["denied"]) for row in found)
    warned = sum(bool(row["warnings"]) for row in found)
    report(f"{len(found)} policies: {denied} deny, {warned} warn")
    if pytestconfig.getoption("--update-observed"):
        write(found, RELEASES[0].version.removeprefix("v"))
    assert found == read()
