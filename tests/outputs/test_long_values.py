"""A value of any size may stand in a spec; nobody wants to read it in a finding or a diff."""

import pytest

from renderer import check, compare
from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.report import build_report
from renderer.values.diagnostics import brief
from tests.support.memory import project
from tests.support.repositories import DESCRIPTION, IMAGE, PAIR, RISK, SMALL

LONG = "x" * 120_000
PAIR_FILE = "environments/dev/appimages/pair.yaml"
PLACES = [
    (RISK, "initiator: alice", f"initiator: {LONG}"),
    (RISK, "domain_id: bob", f"domain_id: {LONG}"),
    (RISK, "app_image: pair", f"app_image: {LONG}"),
    (RISK, "app_image: pair", f"app_image: pair, replicas: {LONG}"),
    (RISK, "initiator:", f"{LONG}: 1\ninitiator:"),
    (IMAGE, "name: example/scorer", f"name: 'EXAMPLE {LONG}'"),
    (IMAGE, "name: service", f"name: '{LONG}'"),
    (DESCRIPTION, "domains: [alice, bob]", f"domains: [alice, {LONG}]"),
    (DESCRIPTION, "platform: kuscia", f"platform: {LONG}"),
    (RISK, "initiator: alice", f"initiator: ${{vars.{LONG}}}"),
    (RISK, "initiator: alice", f"initiator: {'long words ' * 9_000}"),
]


@pytest.mark.parametrize(("file", "old", "new"), PLACES, ids=range(len(PLACES)))
def test_findings_do_not_repeat_it(file, old, new):
    found = check(project({**SMALL, file: SMALL[file].replace(old, new, 1)}))
    assert found
    assert max(len(item.message) + len(item.fix) for item in found) < 9_000


@pytest.mark.parametrize("form", FORMATS)
def test_a_diff_shows_where_a_long_line_differs(form):
    def text(word):
        line = f"{LONG[:3000]} {word} {LONG}"
        return PAIR + f"configTemplates:\n  a.conf: |\n    one\n    {line}\n    {LONG}\n"

    pair = (project({**SMALL, PAIR_FILE: text(word)}) for word in ("before", "after"))
    shown = FORMATS[form](build_report(compare(*pair, ()), ("one", "other"), {}))
    assert "before" in shown
    assert "after" in shown
    assert form == "json" or len(shown) < 40_000


def test_words_that_are_short_enough_stay():
    assert brief(text := "a " * 1_000) == text
    assert brief(f"the value '{LONG}' is long") == f"the value '{LONG[:99]}…' is long"
