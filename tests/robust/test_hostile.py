"""Hostile repositories: a finding or a line, soon, in little memory, and nothing else touched."""

import os

import pytest

from tests.robust.bounded import run
from tests.robust.form import rows
from tests.robust.hostile import cases, put
from tests.support.samples import sample

pytestmark = pytest.mark.process

CASES = cases()
ROWS = rows(CASES, one_in=8)


@pytest.mark.parametrize("name", sample(ROWS, *ROWS[:3]))
def test_a_hostile_repository(name, repository):
    case = CASES[name]
    root = repository()
    put(root, case.files)
    ended = run(*case.command.split(), cwd=root)
    codes = case.code if isinstance(case.code, tuple) else (case.code,)
    assert ended.code in codes, ended.said[:2000]
    assert all(word in ended.said for word in case.words), ended.said[:2000]
    assert ended.code in (0, 1) or ended.err.count("\n") == 1, ended.err
    assert "root:x:" not in ended.said, "a file outside was read"
    if ended.code:
        assert not (root / "rendered/dev/east").exists(), "nothing is written"
    assert len(ended.out) < 64 << 20
    assert not os.path.exists(root.parent / "out")
