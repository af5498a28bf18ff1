"""What API servers said to pods changed in each field: `validate` says the same of each.

A row is put into specs of the kinds that have whole pods. `make test` replays one row in ten, in
one of the kinds; `make test-long` all rows in all kinds.
`tests/observed/kubernetes/README.md` says how the answers came about.
"""

from fnmatch import fnmatchcase
from hashlib import sha256

import pytest

from tests.support.pod_rows import HOMES, everywhere, replay

#: Rows that we judge otherwise in some kinds, by a pattern of their names, and why.
OTHERWISE: dict[str, dict[str, str]] = {}
PARTS = 10


def reason_for(item):
    for pattern, reason in OTHERWISE.get(item.home.kind, {}).items():
        if fnmatchcase(item.name, pattern):
            return reason
    return ""


def one_in_ten(name):
    number = int(sha256(name.encode()).hexdigest(), 16)
    return [HOMES[number // PARTS % len(HOMES)]] if number % PARTS == 0 else []


def disagreements(choice):
    return [str(item) for item in replay(choice) if not item.agrees and not reason_for(item)]


def test_one_row_in_ten():
    wrong = disagreements(one_in_ten)
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_all_rows():
    wrong = disagreements(everywhere)
    assert not wrong, "\n".join(wrong)
