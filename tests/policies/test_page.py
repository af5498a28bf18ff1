"""The rules that the documentation shows are sound, and their examples hold."""

import re

import pytest

from tests.support.places import ROOT
from tests.support.policies import found_with
from tests.support.rows import each

pytestmark = pytest.mark.process
PAGE = (ROOT / "docs/policies.md").read_text("utf-8")
RULES = [text for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.S) if "kind: Rule" in text]


@each("text", RULES, name=lambda text: text.split("code: ")[1].split("\n")[0])
def test_rules_of_the_page_have_no_fault(text):
    assert [item for item in found_with(text) if item.file.startswith("policies/")] == []


def test_the_page_shows_rules():
    assert len(RULES) > 3
