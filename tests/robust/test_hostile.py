"""Hostile repositories: a finding or a line, soon, in little memory, and nothing else touched."""

import os

import pytest
from hypothesis import settings

from tests.robust.bounded import run
from tests.robust.hostile import cases, put

pytestmark = pytest.mark.process

CASES = cases()


def _listed():
    """All in the long form, an eighth of them in the short one."""
    step = 1 if settings.default.max_examples > 100 else 8
    return list(CASES)[::step]


@pytest.mark.parametrize("name", _listed())
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
