"""One version everywhere, and rules that say since which version they are there."""

import re

from renderer import __version__
from renderer.backends.kinds import retired_codes
from renderer.cli.rules import rulebook
from renderer.values.diagnostics import is_newer, release
from tests.support.places import ROOT
from tests.support.released import FOLDER, codes_of

CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_changelog_begins_with_what_is_unreleased_and_this_version():
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]
    assert headings[1:] == sorted(headings[1:], key=release, reverse=True)


def test_pages_name_the_files_and_images_of_this_version():
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "renderer/cli/bootstrap.py"]
    named = [
        (page.name, version)
        for page in pages
        for version in re.findall(r"servingctl[-:](\d+\.\d+\.\d+)", page.read_text("utf-8"))
    ]
    assert len(named) > 5
    assert [item for item in named if item[1] != __version__] == []


def test_a_rule_that_came_after_a_release_says_so():
    versions = [path.stem for path in FOLDER.glob("*.txt")]
    assert versions
    for version in versions:
        released = set(codes_of(version))
        late = [
            f"{rule.code} came after {version}: give it `since` the next version"
            for rule in rulebook().rules
            if not is_newer(rule.since, version) and rule.code not in released
        ]
        assert late == []


def test_released_rules_are_there_or_retired():
    known = {rule.code for rule in rulebook().rules} | set(retired_codes())
    for path in FOLDER.glob("*.txt"):
        assert set(codes_of(path.stem)) <= known
