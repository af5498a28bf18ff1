"""An edit of a rule evaluates what it matches, before it or after it, and nothing is stale."""

import pytest

from renderer.evaluate import run as runs
from renderer.evaluate.question import Question
from renderer.evaluate.run import check, run
from renderer.io.repository import open_project
from renderer.io.store import Store, program
from renderer.io.worktree import Worktree
from tests.support.policies import RULE, changed
from tests.support.repositories import SERVING, SMALL

pytestmark = pytest.mark.process
EXPRESSION = "has(spec.labels) && 'owner' in spec.labels"
SERVINGS = "environments/dev/servings"
OWNED = f"{SERVING}labels: {{owner: me, tier: gold}}\n"


def rule(code, match):
    return changed({"ACME012": code, "[Serving]": f"[Serving], {match}"})


#: Two specs of which nothing is found, one that is, and a rule for each of the first two.
FILES = {
    **SMALL,
    f"{SERVINGS}/risk.yaml": OWNED,
    f"{SERVINGS}/spare.yaml": OWNED.replace("tier: gold", "tier: tin"),
    f"{SERVINGS}/wanted.yaml": SERVING,
    "policies/owner.yaml": RULE,
    "policies/gold.yaml": rule("GOLD01", "labels: {tier: gold}"),
    "policies/spare.yaml": rule("SPARE01", "names: [spare]"),
    "policies/other.yaml": rule("PROD01", "production: true"),
}
#: A file, what is changed in it, and the stems that are evaluated for that.
STEPS = [
    ("owner", "title: specs", "title: all specs", {"risk", "spare", "wanted"}),
    ("gold", "title: specs", "title: gold", {"risk"}),
    ("spare", "title: specs", "title: spare", {"spare"}),
    ("other", "title: specs", "title: others", set()),
    ("gold", "tier: gold", "tier: tin", {"risk", "spare"}),
    ("spare", "[spare]", "['*']", {"risk", "wanted", "spare"}),
    ("other", "production: true", "production: false", {"risk", "spare", "wanted"}),
    ("other", "code: PROD01", "code: PROD02", {"risk", "spare", "wanted"}),
    ("owner", EXPRESSION, "'false'", {"risk", "spare", "wanted"}),
]


@pytest.fixture
def evaluated(monkeypatch):
    """The stems of the groups that are evaluated."""
    seen = set()
    real = runs.evaluate_some

    def note(groups, *rest):
        seen.update(group.stem for group in groups)
        return real(groups, *rest)

    monkeypatch.setattr(runs, "evaluate_some", note)
    return seen


def write(root, files):
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def look(root):
    memo = Store(root / ".memo", root, program(), None)
    return run(open_project(Worktree(root)), Question(), memo).diagnostics


def test_an_edit_evaluates_what_the_rule_matches(tmp_path, evaluated):
    write(tmp_path, FILES)
    look(tmp_path)
    assert evaluated == {"risk", "spare", "wanted"}
    for name, old, new, stems in STEPS:
        place = tmp_path / f"policies/{name}.yaml"
        assert old in place.read_text()
        place.write_text(place.read_text().replace(old, new))
        evaluated.clear()
        found = look(tmp_path)
        assert evaluated == stems, (name, new)
        assert found == check(open_project(Worktree(tmp_path))), (name, new)
        evaluated.clear()
        assert look(tmp_path) == found
        assert evaluated == set()


def test_a_rule_that_comes_or_goes_is_not_overlooked(tmp_path):
    write(tmp_path, {path: text for path, text in FILES.items() if "/gold" not in path})
    before = look(tmp_path)
    place = tmp_path / "policies/gold.yaml"
    write(tmp_path, {"policies/gold.yaml": FILES["policies/gold.yaml"].replace(EXPRESSION, "'no'")})
    assert look(tmp_path) == check(open_project(Worktree(tmp_path))) != before
    place.unlink()
    assert look(tmp_path) == before


def test_labels_and_names_are_looked_at_as_they_are_now(tmp_path, evaluated):
    write(tmp_path, FILES)
    look(tmp_path)
    place = tmp_path / SERVINGS / "risk.yaml"
    place.write_text(place.read_text().replace("tier: gold", "tier: tin"))
    look(tmp_path)
    gold = tmp_path / "policies/gold.yaml"
    gold.write_text(gold.read_text().replace("title: specs", "title: gold"))
    evaluated.clear()
    look(tmp_path)
    assert evaluated == set()
