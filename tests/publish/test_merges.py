"""Output that Git could not merge: the next render makes it what it should be."""

import pytest

from renderer.publish.inventory import Scope
from renderer.publish.publisher import compare, publish
from tests.publish.trees import outputs
from tests.support.git import try_git as git

ALL = Scope()
BASE = {"dev/east/a.yaml": "a", "dev/east/gone.yaml": "x"}
OURS = {"dev/east/a.yaml": "ours", "dev/east/ours.yaml": "o"}
THEIRS = {"dev/east/a.yaml": "theirs", "dev/east/theirs.yaml": "t"}
MERGED = {"dev/east/a.yaml": "both", "dev/east/ours.yaml": "o", "dev/east/new.yaml": "n"}
INVENTORY = "dev/.inventory/east"


@pytest.fixture
def conflicted(tmp_path):
    """A rendered tree in which two branches were merged."""

    def made(style):
        root = tmp_path / "rendered"
        git("init", "--initial-branch", "main", cwd=tmp_path)
        git("config", "merge.conflictStyle", style, cwd=tmp_path)
        committed(tmp_path, root, BASE)
        git("checkout", "-b", "topic", cwd=tmp_path)
        committed(tmp_path, root, THEIRS)
        git("checkout", "main", cwd=tmp_path)
        committed(tmp_path, root, OURS)
        assert git("merge", "topic", cwd=tmp_path).returncode == 1
        return root

    return made


def committed(repository, root, files):
    publish(root, outputs(**files), ALL)
    git("add", "--all", cwd=repository)
    assert git("commit", "--message", "change", cwd=repository).returncode == 0


@pytest.mark.process
@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_a_conflict_is_mended_by_the_next_render(conflicted, style):
    root = conflicted(style)
    assert "<<<<<<<" in (root / INVENTORY).read_text()
    assert "<<<<<<<" in (root / "dev/east/a.yaml").read_text()
    found = compare(root, outputs(**MERGED), ALL)
    assert INVENTORY in found.changed
    assert found.stale == ("dev/east/theirs.yaml",)
    done = publish(root, outputs(**MERGED), ALL)
    assert (done.written, done.pruned) == (2, 1)
    assert compare(root, outputs(**MERGED), ALL) == ((), (), (), ())
    assert not (root / "dev/east/theirs.yaml").exists()


@pytest.mark.process
def test_what_is_not_ours_on_either_side_stays(conflicted):
    root = conflicted("merge")
    (root / "dev/east/theirs-not.yaml").write_text("mine")
    publish(root, outputs(**MERGED), ALL)
    assert (root / "dev/east/theirs-not.yaml").read_text() == "mine"
