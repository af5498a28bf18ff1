"""Fixtures: a small repository to change, no network, no process unless it is said, and options."""

import gc
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.offline.sitecustomize import EXEMPT, LOG
from tests.support.places import ROOT
from tests.support.repositories import SMALL

pytest_plugins = ["tests.support.counting"]
#: Hundreds of interpreters are started: each would compile the program, and pytest all tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
#: Who starts the suite in the background of a script has it ignore interrupts, which programs
#: that it starts would then ignore as well.
signal.signal(signal.SIGINT, signal.default_int_handler)
OFFLINE = str(ROOT / "tests/offline")
#: The long form of the robustness suite: `make test-robust`.
settings.register_profile("robust", max_examples=1500, deadline=None, print_blob=True)
#: A busy machine is no bug: what must be quick is measured where it matters, in CPU time.
settings.register_profile("short", parent=settings(), deadline=None)
settings.load_profile("short")

Repository = Callable[..., Path]
COLLECTED = pytest.StashKey[dict[str, bool]]()
#: What Python itself reports when it starts a process.
_STARTS = {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}
_STARTED: list[str] = []


def _note(event: str, _arguments: tuple[object, ...]) -> None:
    if event in _STARTS:
        _STARTED.append(event)


sys.addaudithook(_note)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected output")
    parser.addoption("--row", default="", metavar="TEXT", help="only rows whose names have it")


@pytest.hookimpl(tryfirst=True)  # before `-m` takes anything away
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what was collected, each with whether it is long, for `test_guards.py`."""
    config.stash[COLLECTED] = {
        item.nodeid: item.get_closest_marker("long") is not None for item in items
    }


def pytest_collection_finish() -> None:
    """What was imported stays to the end: the collector of garbage need not look at it again.

    Trees have no cycles, so that it finds little; looking as often as Python does by itself took
    a tenth of the time of an evaluation.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


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


@pytest.fixture(autouse=True)
def _no_process(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that starts a process says so, so that `make test-quick` can leave it out."""
    _STARTED.clear()
    yield
    if _STARTED and not request.node.get_closest_marker("process"):
        pytest.fail(f"mark it `process`: {sorted(set(_STARTED))}", pytrace=False)


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
