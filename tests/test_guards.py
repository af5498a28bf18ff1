"""What docs/architecture.md says is held by a test is held by `make test`."""

import re
from typing import NamedTuple

import pytest

from tests.conftest import COLLECTED
from tests.support.places import ROOT
from tests.support.rows import each

TESTS = ROOT / "tests"
#: A module of tests, and a class or function of it that is named before or after.
CITATION = re.compile(
    r"(?:`([Tt]est_?\w+)`\s+in\s+)?`(?:tests/)?([\w*/]*\btest_[\w*]+\.py)`(?:\s+\(`([Tt]est_?\w+)`)?"
)


class Guard(NamedTuple):
    """A module of tests as it is cited, or one thing in it."""

    file: str
    name: str

    def modules(self):
        """The cited file itself, or those that end so: `backends/*/test_status.py` are several."""
        itself = [TESTS / self.file] if (TESTS / self.file).is_file() else []
        return itself or sorted(TESTS.glob(f"**/{self.file}"))

    def starts(self):
        """How the ids of its tests begin, for each module."""
        for path in self.modules():
            yield f"{path.relative_to(ROOT).as_posix()}::{self.name}"


def cited(text):
    return sorted({Guard(file, before or after) for before, file, after in CITATION.findall(text)})


GUARDS = cited((ROOT / "docs/architecture.md").read_text("utf-8"))


def test_citations_are_found():
    text = (
        "`TestX` in `a/test_b.py`, `tests/test_c.py` (`test_d`: all), `a/*/test_*.py`; `test_e.py`"
    )
    assert cited(text) == [
        ("a/*/test_*.py", ""),
        ("a/test_b.py", "TestX"),
        ("test_c.py", "test_d"),
        ("test_e.py", ""),
    ]
    assert len(GUARDS) > 50


@each("guard", GUARDS, name="::".join)
def test_a_guard_is_there_and_is_one(guard):
    assert len(guard.modules()) == 1 or ("*" in guard.file and guard.modules())


@each("guard", GUARDS, name="::".join)
def test_a_guard_has_a_part_that_make_test_runs(guard, pytestconfig):
    """Of those whose modules were collected, which `make test` does with all of them."""
    collected = pytestconfig.stash[COLLECTED]
    for start in guard.starts():
        is_long = [long for name, long in collected.items() if name.startswith(start)]
        if not is_long and any(name.startswith(start.partition("::")[0]) for name in collected):
            pytest.fail(f"there is no {start}")
        assert not is_long or not all(is_long), f"all of {start} is long"
