"""Options, and lines for the end of a run."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.operators.generation import ALL_TENTHS

_FIGURES = pytest.StashKey[list[str]]()
Report = Callable[[str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--crds", type=Path, help="a folder with the CRDs of the platforms")
    parser.addoption("--update-observed", action="store_true", help="write down what is answered")
    parser.addoption("--all-rows", action="store_true", help="ask all generated rows, not a tenth")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_FIGURES] = []


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """What was tried, even if all went well."""
    for line in config.stash[_FIGURES]:
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def tenths(pytestconfig: pytest.Config) -> int:
    """How many tenths of the generated rows are asked: all, if they are to be written down."""
    is_all = pytestconfig.getoption("--all-rows") or pytestconfig.getoption("--update-observed")
    return ALL_TENTHS if is_all else 1


@pytest.fixture(scope="session")
def report(pytestconfig: pytest.Config) -> Report:
    """Takes a line for the end of the run."""
    return pytestconfig.stash[_FIGURES].append
