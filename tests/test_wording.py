"""Phrases that readers stumbled over, and that must not come back: docs/wording.md says why."""

import re

from tests.support.places import ROOT
from tests.support.rows import each

PHRASES = re.compile(
    r"the environment has nothing|speaks? (?:of|to) the|costs reviewers|ends with its head"
    r"|\bhow what|what few commands|\bfor ever\b|\bsomebody\b|\bis told (?:by|with|of)\b"
    r"|\bare told\b(?! apart| otherwise)|applied fares|in the clothes of|without a trace"
    r"|no time to wait|number of nobody|or more there|said by (?:a class|classes)|steers? nothing"
    r"|here is found by|is secret of it|of more than nothing|at least so bad"
    r"|back to where they began|pod go\b|that are let in|throws? \S+ away|as nothing is said"
    r"|no unit is said|fix: it has|is all that there is of|in the way goes|takes away a finding"
    r"|what is said (?:of an inherited|for Windows)|of nobody\b|sensible amount|no percentage",
    re.IGNORECASE,
)
#: Help, and the messages and reasons of rules.
READ = re.compile(r"/renderer/cli/|rules(?:/|\.py$)|/forms/")
FILES = [
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "schemas/spec").rglob("*.json"),
    *(ROOT / "schemas/shared").rglob("*.json"),
    *(path for path in (ROOT / "renderer").rglob("*.py") if READ.search(str(path))),
    ROOT / "README.md",
]


@each("path", FILES, name=lambda path: str(path.relative_to(ROOT)))
def test_no_phrase_comes_back(path):
    lines = path.read_text("utf-8").splitlines()
    if path.name == "wording.md":
        return
    found = [f"{n}: {line}" for n, line in enumerate(lines, 1) if PHRASES.search(line)]
    assert not found, found
