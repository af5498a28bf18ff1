"""The rules that `init --policies` writes: sound, and each finds what it should."""

import pytest

from renderer import check
from renderer.backends import BACKENDS
from renderer.scaffold.starter import Choice, starter_files
from renderer.values.diagnostics import Severity
from tests.support.memory import project

pytestmark = pytest.mark.process
BEGUN = starter_files(Choice(tuple(item for item in BACKENDS if item.starter), policies=True))
RULES = {path: text for path, text in BEGUN.items() if path.startswith("policies/")}


def test_there_are_more_than_a_dozen():
    assert len(RULES) == 13
    assert all(text.startswith("# ") for text in RULES.values())


def test_a_new_repository_passes_them_strictly():
    found = check(project(BEGUN))
    assert [i for i in found if i.severity > Severity.INFO or i.file in RULES] == []


def test_without_the_option_there_are_none():
    plain = starter_files(Choice(tuple(item for item in BACKENDS if item.starter)))
    assert not [path for path in plain if path.startswith("policies/")]
