"""Two states read only as far as they can differ: the same comparison as with all of both."""

import pytest
from renderer.evaluate.pairs import load_both

from benchmarks.repositories import edit, write
from renderer.compare.comparison import compare
from renderer.evaluate.run import check
from renderer.io.loading import load
from renderer.io.worktree import Worktree
from renderer.values.diagnostics import has_errors

SERVING = "environments/dev/servings/own-00002.yaml"
SHARED = "environments/base/servings/shared-00000.yaml"
IMAGE = "environments/base/appimages/image-1.yaml"


def replaced(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


EDITS = {
    "nothing": (lambda _: None, True),
    "labels": (lambda root: edit(root / SERVING, 1), True),
    "inherited": (lambda root: edit(root / SHARED, 1), True),
    "two specs": (lambda root: [edit(root / name, 1) for name in (SERVING, SHARED)], True),
    "initiator": (
        lambda root: replaced(root / SERVING, "initiator: alice", "initiator: bob"),
        False,
    ),
    "image of a spec": (lambda root: replaced(root / SERVING, "image-0", "image-1"), False),
    "an image": (lambda root: replaced(root / IMAGE, "cpu: 500m", "cpu: 600m"), False),
    "deleted": (lambda root: (root / SERVING).unlink(), False),
    "broken": (lambda root: (root / SERVING).write_text("kind: Serving\n{"), False),
    "variable": (lambda root: replaced(root / SERVING, "${vars.features}", "features"), None),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITS)
def test_as_much_as_can_differ_is_enough(tmp_path, name):
    change, is_narrow = EDITS[name]
    before, after = tmp_path / "before", tmp_path / "after"
    for root in (before, after):
        write(root, 20)
    change(after)
    pair = load_both(Worktree(before), Worktree(after))
    whole = load(before), load(after)
    assert compare(*pair) == compare(*whole)
    if is_narrow is not None:
        assert (len(pair[1].parts) < len(whole[1].parts)) is is_narrow


def test_an_ignore_that_takes_something_away_elsewhere(tmp_path):
    """What uses it is not read, as it does not change; that is no reason to call it useless."""
    before, after = tmp_path / "before", tmp_path / "after"
    for root in (before, after):
        write(root, 20)
        with (root / "environments/dev/environment.yaml").open("a", encoding="utf-8") as stream:
            stream.write("vars:\n  amount: 0  # servingctl: ignore[KUS308] it sleeps\n")
        asleep = 'domain_id: alice\n    replicas: "${vars.amount}"'
        replaced(root / "environments/dev/servings/own-00000.yaml", "domain_id: alice", asleep)
    assert not has_errors(check(load(after)))
    edit(after / SERVING, 1)
    for states in (load_both(Worktree(before), Worktree(after)), (load(before), load(after))):
        comparison = compare(*states)
        assert not has_errors(comparison.findings)
        assert not comparison.incomparable
        assert len(comparison.objects) == 1
