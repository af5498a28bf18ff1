"""How much was tried: counts of all workers, added up and printed at the end of a run."""

from collections import Counter
from typing import Any

import pytest

COUNTS: Counter[str] = Counter()
_KEY = "robust"


def count(what: str, number: int = 1) -> None:
    COUNTS[what] += number


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker hands its counts over; the others keep theirs."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_KEY] = dict(COUNTS)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    COUNTS.update(getattr(node, "workeroutput", {}).get(_KEY, {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if COUNTS:
        terminalreporter.section("robustness")
    for what, number in sorted(COUNTS.items()):
        terminalreporter.write_line(f"{number:>8,} {what}")
