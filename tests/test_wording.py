"""Phrases that readers stumbled over, and that must not come back: docs/wording.md says why."""

import re

from tests.support.places import ROOT
from tests.support.rows import each

PHRASES = re.compile(
    r"the environment has nothing|speaks? (?:of|to) the|costs reviewers|ends with its head"
    r"|\bhow what|what few commands|\bfor ever\b|\bsomebody\b|\bis told (?:by|with|of)\b"
    r"|\bare told\b(?! apart| otherwise)|applied fares",
    re.IGNORECASE,
)
FILES = [
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "schemas/spec").rglob("*.json"),
    *(ROOT / "schemas/shared").rglob("*.json"),
    *(ROOT / "renderer/cli").glob("*.py"),
    ROOT / "README.md",
]


@each("path", FILES, name=lambda path: str(path.relative_to(ROOT)))
def test_no_phrase_comes_back(path):
    lines = path.read_text("utf-8").splitlines()
    if path.name == "wording.md":
        return
    found = [f"{n}: {line}" for n, line in enumerate(lines, 1) if PHRASES.search(line)]
    assert not found, found
