"""Fixtures: a small repository to change, no network, no process unless it is said, and options."""

import gc
import os
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
OFFLINE = str(ROOT / "tests/offline")
#: The long form of the robustness suite: `make test-robust`.
settings.register_profile("robust", max_examples=1500, deadline=None, print_blob=True)
#: A busy machine is no bug: what must be quick is measured where it matters, in CPU time.
settings.register_profile("short", parent=settings(), deadline=None)
settings.load_profile("short")

Repository = Callable[..., Path]
#: What tries one thing in very many ways; `make test-long` runs it, and `make test` the rest.
LONG = (
    "adopt/test_hostile.py",
    "adopt/test_round_trip.py",
    "backends/kserve/test_observed_imports.py",
    "backends/kuberay/test_observed_imports.py",
    "backends/kuberay/test_ray_answers.py::test_every_row",
    "backends/kuscia/test_input_config.py::test_any_tree_is_checked",
    "backends/kuscia/test_insertion.py::test_hostile_templates_take_linear_time",
    "backends/test_toys.py::test_nothing_is_found",
    "bootstrap/test_health.py::test_values_of_any_type",
    "rules/test_mutations.py",
    "cli/test_add.py::test_a_new_spec_is_sound",
    "cli/test_secret_leaks.py::test_no_format_of_any_command_shows_a_secret",
    "cli/test_secret_leaks.py::test_nor_one_that_is_accepted",
    "cli/test_status.py::TestWatch::test_a_failure_may_heal",
    "changes/test_comparison.py::test_every_change_of_a_mutated_repository_is_reported",
    "changes/test_pair.py::test_as_much_as_can_differ_is_enough",
    "changes/test_shards.py",
    "changes/test_trees.py",
    "evaluate/test_run.py",
    "evaluate/test_shards.py",
    "evaluate/test_upgrade.py",
    "fuzz/",
    "outputs/test_fleets.py",
    "publish/test_crashes.py",
    "publish/test_properties.py",
    "publish/test_system_calls.py",
    "manifests/test_plain_templates.py::test_any_template",
    "robust/",
    "schema/test_bundle.py::test_is_a_schema_of_both_drafts",
    "schema/test_bundle.py::test_rendered_objects_fit_crds_by_plain_jsonschema",
    "schema/test_fit.py",
    "test_ci_recipes.py",
    "text/test_commented_yaml.py::test_data_is_never_lost",
    "text/test_secret_shapes.py::test_every_match_of_a_shape_contains_one_of_its_parts",
    "text/test_secrets.py::test_hostile_texts_take_linear_time",
)
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long."""
    starts = tuple(f"tests/{name}" for name in LONG)
    for item in items:
        if item.nodeid.startswith(starts):
            item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """What was imported stays to the end: the collector of garbage need not look at it again."""
    gc.freeze()


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
