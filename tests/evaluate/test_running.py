"""What runs by specs is known to what selects it: cold as warm, in parts as in one run."""

import shutil

import pytest

from renderer import check, load
from renderer.evaluate import evaluation
from renderer.evaluate.project import open_project
from renderer.evaluate.question import Question, Shard
from renderer.evaluate.run import run
from renderer.evaluate.shards import run_shard
from renderer.io.store import Store, program
from renderer.io.worktree import Worktree
from renderer.values.diagnostics import merge_findings
from tests.support.places import ROOT

TEAM = ROOT / "tests/golden/companions/team-argocd"
CHAT, BUDGET = "environments/base/chat.yaml", "environments/base/beside/budget.yaml"
SELECTING = ("budget", "monitor", "walls", "route")
OTHER_LABEL = "kind: InferenceService\nlabels: {team: words}\n"
BY_TEAM = ("{app: isvc.chat-predictor}", "{team: words}")


@pytest.fixture
def team(tmp_path):
    root = tmp_path / "team"
    for name in ("servingctl.yaml", "environments"):
        copy = shutil.copytree if (TEAM / name).is_dir() else shutil.copy
        root.mkdir(exist_ok=True)
        copy(TEAM / name, root / name)
    return root


def change(root, path, old, new):
    text = (root / path).read_text("utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new), "utf-8")


def codes(root, cache):
    """The codes that are found with what is remembered, which are those that are found without."""
    memo = Store(cache, root, program())
    found = run(open_project(Worktree(root)), Question(), memo).diagnostics
    assert found == check(load(root))
    return {item.code for item in found}


def test_an_edit_of_a_spec_changes_what_is_selected(team, tmp_path):
    cache = tmp_path / "cache"
    change(team, BUDGET, *BY_TEAM)
    assert codes(team, cache) == {"REF007"}
    assert codes(team, cache) == {"REF007"}  # all of it remembered
    change(team, CHAT, "kind: InferenceService\n", OTHER_LABEL)
    assert codes(team, cache) == set()
    change(team, CHAT, OTHER_LABEL, "kind: InferenceService\n")
    assert codes(team, cache) == {"REF007"}


def test_what_is_selected_depends_on_the_specs_that_run_there(team):
    """So that `validate PATH` says it of either side."""
    change(team, BUDGET, *BY_TEAM)
    (found,) = (item for item in check(load(team)) if item.code == "REF007")
    assert found.file == BUDGET
    assert CHAT in found.related


def test_an_edit_of_what_selects(team, tmp_path):
    """The spec itself is remembered, and with it what runs."""
    cache = tmp_path / "cache"
    assert codes(team, cache) == set()
    change(team, BUDGET, *BY_TEAM)
    assert codes(team, cache) == {"REF007"}


def test_the_first_that_selects(team, tmp_path, monkeypatch):
    """Nothing was derived before; what is remembered says so."""
    cache = tmp_path / "cache"
    texts = {name: team / f"environments/base/beside/{name}.yaml" for name in SELECTING}
    budget = texts["budget"].read_text("utf-8")
    for file in texts.values():
        file.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(evaluation, "made_prerequisites", None)  # it would be called
        codes(team, cache)
    texts["budget"].write_text(budget.replace(*BY_TEAM), "utf-8")
    assert "REF007" in codes(team, cache)


def test_parts(team):
    change(team, BUDGET, *BY_TEAM)
    project = load(team)
    parts = [run_shard(project, Question(), Shard(number, 3)) for number in (1, 2, 3)]
    found = merge_findings(item for part in parts for item in part.diagnostics)
    assert found == check(project)
    assert [item.code for item in found] == ["REF007"]
