"""Two states evaluated only as far as they can differ: the same comparison as with all of both."""

import pytest

from benchmarks.repositories import edit, write
from renderer import check, compare, load
from renderer.compare import pair
from renderer.compare.pair import evaluate_pair
from renderer.values.diagnostics import has_errors

pytestmark = pytest.mark.slow
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
class Everything(pair._Pair):
    """Every group differs, as far as anyone knows."""

    def __init__(self, *given):
        super().__init__(*given)
        self.different |= self.same
        self.same = set()


@pytest.mark.parametrize("name", EDITS)
def test_as_much_as_can_differ_is_enough(tmp_path, name, monkeypatch):
    change, is_narrow = EDITS[name]
    before, after = tmp_path / "before", tmp_path / "after"
    for root in (before, after):
        write(root, 20)
    change(after)
    states = load(before), load(after)
    narrow = compare(*states)
    looked_at = len(evaluate_pair(*states, (), 1)[1].results)
    assert looked_at < 19
    if is_narrow:
        assert looked_at <= 2
    monkeypatch.setattr(pair, "_Pair", Everything)
    assert len(evaluate_pair(*states, (), 1)[1].results) >= 18
    assert narrow == compare(*states)


def test_an_ignore_that_takes_something_away_elsewhere(tmp_path):
    """What uses it is not looked at, as it does not change; that does not make it useless."""
    before, after = tmp_path / "before", tmp_path / "after"
    for root in (before, after):
        write(root, 20)
        with (root / "environments/dev/environment.yaml").open("a", encoding="utf-8") as stream:
            stream.write("vars:\n  amount: 0  # servingctl: ignore[KUS308] it sleeps\n")
        asleep = 'domain_id: alice\n    replicas: "${vars.amount}"'
        replaced(root / "environments/dev/servings/own-00000.yaml", "domain_id: alice", asleep)
    assert not has_errors(check(load(after)))
    edit(after / SERVING, 1)
    comparison = compare(load(before), load(after))
    assert not has_errors(comparison.findings)
    assert not comparison.incomparable
    assert len(comparison.objects) == 1
