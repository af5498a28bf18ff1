"""Fixtures: a small repository to change, no network, and the switch that rewrites golden files."""

import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.offline.sitecustomize import EXEMPT, LOG

pytest_plugins = ["tests.robust.counting"]
ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
OFFLINE = str(ROOT / "tests/offline")
#: The long form of the robustness suite: `make test-robust`.
settings.register_profile("robust", max_examples=1500, deadline=None, print_blob=True)

#: What secretflow-serving needs, so that examples may be about it.
PORTS = "ports: [{name: service, scope: Domain}, {name: communication, scope: Cluster}]"
HEADER = "apiVersion: serving.gitops/v1\nkind: {}\n"
ENVIRONMENT = (
    HEADER.format("Environment")
    + """\
destinations:
  - name: east
    platform: kuscia
    domains: [alice, bob]
kuscia: {external_domains: [partner]}
"""
)
#: Its first template is for host, for single and for parties without a role.
SCORER = (
    HEADER.format("AppImage")
    + """\
image: {name: example/scorer, tag: v1}
deployTemplates:
  - name: host
    role: host,,single
    replicas: 2
    spec:
      containers:
        - {name: scorer, workingDir: /work, PORTS}
  - name: guest
    role: guest
    replicas: 2
    spec:
      containers:
        - {name: scorer, workingDir: /work, PORTS}
""".replace("PORTS", PORTS)
)
PAIR = (
    HEADER.format("AppImage")
    + """\
image: {name: example/pair, tag: v1}
deployTemplates:
  - name: both
    replicas: 2
    spec:
      containers:
        - {name: first, workingDir: /work, PORTS}
        - {name: second, workingDir: /work}
""".replace("PORTS", PORTS)
)
SERVING = (
    HEADER.format("Serving")
    + """\
initiator: alice
parties:
  - {domain_id: alice, app_image: scorer}
  - {domain_id: bob, app_image: pair}
"""
)
SMALL = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": ENVIRONMENT,
    "environments/dev/appimages/scorer.yaml": SCORER,
    "environments/dev/appimages/pair.yaml": PAIR,
    "environments/dev/servings/risk.yaml": SERVING,
}


def texts(rendering) -> dict[str, str]:
    """The files of a rendering by path."""
    return {file.path: file.data.decode() for file in rendering.files()}


Repository = Callable[..., Path]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected output")


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or writes the user's cache."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    os.environ.pop("CI", None)


@pytest.fixture(scope="session", autouse=True)
def _offline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every Python that a test starts is as offline as the tests; attempts are noted here."""
    others = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([OFFLINE, *([others] if others else [])])
    sys.path.insert(0, OFFLINE)  # many tests hand their own path on
    log = tmp_path_factory.mktemp("offline") / "attempts"
    os.environ[LOG] = str(log)
    return log


@pytest.fixture(autouse=True)
def _no_network(request: pytest.FixtureRequest, _offline: Path) -> Iterator[None]:
    """A test that asked for the network has failed, even if it did not notice."""
    if request.node.get_closest_marker("network"):
        os.environ[EXEMPT] = "1"
        yield
        del os.environ[EXEMPT]
        return
    yield
    if _offline.exists():
        attempts = _offline.read_text("utf-8")
        _offline.unlink()
        pytest.fail(f"the network was asked for:\n{attempts}", pytrace=False)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Writes the small repository with some files changed (or, set to None, left out)."""

    def write(changes: dict[str, str | bytes | None] | None = None, **only: str) -> Path:
        for path, content in {**(only or SMALL), **(changes or {})}.items():
            if content is None:
                continue
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, bytes) else textwrap.dedent(content).encode()
            target.write_bytes(data)
        return tmp_path

    return write
