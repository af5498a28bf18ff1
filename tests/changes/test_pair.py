"""Two states evaluated only as far as they can differ: the same comparison as with all of both."""

import pytest

from benchmarks.repositories import edit, write
from renderer import check, compare, load
from renderer.changes import pair
from renderer.changes.pair import evaluate_pair
from renderer.evaluate.parallel import Workers
from renderer.values.diagnostics import has_errors
from tests.support.edits import OF_FLEETS
from tests.support.samples import sample

pytestmark = pytest.mark.slow
SERVING = "environments/dev/servings/own-00002.yaml"
IMAGE = "environments/base/appimages/image-1.yaml"


def replaced(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


class Everything(pair._Pair):
    """Every group differs, as far as anyone knows."""

    def __init__(self, *given):
        super().__init__(*given)
        self.different |= self.same
        self.same = set()


@pytest.mark.parametrize("name", sample(OF_FLEETS, "labels"))
def test_as_much_as_can_differ_is_enough(tmp_path, name, monkeypatch):
    change, expected = OF_FLEETS[name]
    before, after = tmp_path / "before", tmp_path / "after"
    for root in (before, after):
        write(root, 20)
    change(after)
    states = load(before), load(after)
    narrow = compare(*states)
    assert len(evaluate_pair(*states, (), Workers())[1].results) == expected
    monkeypatch.setattr(pair, "_Pair", Everything)
    assert len(evaluate_pair(*states, (), Workers())[1].results) >= 18
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


OTHER = "environments/dev/servings/own-00000.yaml"
UNSOUND = ("initiator: alice", "initiator: dave")


def both(*changes):
    """Edits of both states."""
    return lambda before, after: [change(root) for root in (before, after) for change in changes]


def appended(file, text):
    def change(root):
        path = root / file
        path.write_text(path.read_text("utf-8") + text, "utf-8")

    return change


SAME_NAME = (appended(SERVING, "serving_id: one\n"), appended(OTHER, "serving_id: one\n"))
TOGETHER = {
    "a clash that is not new": (both(*SAME_NAME), lambda root: edit(root / SERVING, 1)),
    "a clash that comes with an image": (
        both(appended(OTHER, "serving_id: one\n")),
        lambda root: [
            appended(SERVING, "serving_id: one\n")(root),
            appended(IMAGE, "# a comment\n")(root),
        ],
    ),
    "the name of a file": (
        lambda *_: None,
        appended(SERVING, "serving_id: own-00000\n"),
    ),
    "a user that is not sound": (
        both(lambda root: replaced(root / OTHER, *UNSOUND)),
        lambda root: replaced(root / SERVING, "image-0", "image-1"),
    ),
    "a file with a wrong name": (
        lambda *_: None,
        lambda root: (root / "environments/dev/servings/shared-0000.yaml").write_text(
            "apiVersion: serving.gitops/v1\nkind: Serving\nlabels: {a: b}\n"
        ),
    ),
}


@pytest.mark.parametrize("name", TOGETHER)
def test_groups_that_matter_to_changed_ones(tmp_path, name, monkeypatch):
    """What others say decides what becomes of a changed group, though they did not change."""
    prepare, change = TOGETHER[name]
    before, after = tmp_path / "before", tmp_path / "after"
    for root in (before, after):
        write(root, 20)
    prepare(before, after)
    change(after)
    states = load(before), load(after)
    narrow = compare(*states)
    monkeypatch.setattr(pair, "_Pair", Everything)
    assert narrow == compare(*states)


@pytest.mark.parametrize(
    "folder", ["environments/new/servings", "environments/dev/more", "templates/a", "schemas/crds"]
)
def test_an_empty_folder_makes_no_difference(tmp_path, folder):
    """Git has none, so every work tree that has one would be compared as a whole."""
    write(tmp_path / "before", 20)
    write(tmp_path / "after", 20)
    (tmp_path / "after" / folder).mkdir(parents=True)
    states = load(tmp_path / "before"), load(tmp_path / "after")
    first, second = evaluate_pair(*states, (), Workers())
    assert not (*first.results, *second.results)
