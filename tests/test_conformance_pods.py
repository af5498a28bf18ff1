"""What API servers said to pods changed in each field: `validate` says the same of each.

A row is put into specs of the kinds that have whole pods. `make test` replays one row in ten, in
one of the kinds; `make test-long` all rows in all kinds, and for the newer Kubernetes those that it
judges otherwise. `tests/observed/kubernetes/README.md` says how the answers came about.
"""

from fnmatch import fnmatchcase
from hashlib import sha256

import pytest

from conformance.kubernetes.pods.homes import HOMES
from conformance.kubernetes.pods.recordings import VERSIONS, area_of, count, read_rows
from tests.support.places import ROOT
from tests.support.pod_exceptions import NEVER_ARRIVES, NEWER, SAID_MORE
from tests.support.pod_rows import figures, replay

PARTS = 10
#: The least that must be judged as it was recorded, exceptions counting as judged otherwise.
ALIKE = 0.995
AREAS = sorted({area_of(name) for name in read_rows()})


def exceptions_for(item):
    """The patterns that say why a row is judged otherwise."""
    table = NEVER_ARRIVES if item.is_refused else SAID_MORE
    table = NEWER | table if item.version == VERSIONS[1] else table
    return {key for key in table if fnmatchcase(f"{item.home.kind}/{item.name}", key)}


def look_at(items):
    """Fail with a list of all that are judged otherwise without a reason."""
    wrong = [str(item) for item in items if not item.agrees and not exceptions_for(item)]
    assert not wrong, "\n".join(wrong)


def one_in_ten(row):
    number = int(sha256(row.mutation.name.encode()).hexdigest(), 16)
    return [HOMES[number // PARTS % len(HOMES)]] if number % PARTS == 0 else []


def test_one_row_in_ten():
    look_at(replay(one_in_ten))


@pytest.mark.long
def test_all_rows():
    """A file of rows at a time, and in the end how many are judged as they were recorded."""
    items = [item for area in AREAS for item in replay(everywhere_in(area))]
    look_at(items)
    needed = {key for item in items if not item.agrees for key in exceptions_for(item)}
    assert needed == SAID_MORE.keys() | NEVER_ARRIVES.keys()
    alike = sum(item.agrees for item in items) / len(items)
    assert alike >= ALIKE, "\n".join(figures(items))


def everywhere_in(area):
    return lambda row: HOMES if area_of(row.mutation.name) == area else ()


def differs(row):
    """Whether the newer Kubernetes says something else."""
    return any(
        row.is_refused(VERSIONS[0], home.shape) != row.is_refused(VERSIONS[1], home.shape)
        for home in HOMES
    )


@pytest.mark.long
def test_what_the_newer_one_judges_otherwise():
    items = replay(lambda row: HOMES if differs(row) else (), VERSIONS[1])
    look_at(items)


def test_the_documentation_counts_them():
    text = (ROOT / "docs/conformance.md").read_text("utf-8")
    assert [line for line in count(read_rows().values()) if line not in text] == []
