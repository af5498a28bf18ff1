"""Files that are written together: all of them or none, and nothing that others wrote is lost."""

import os
from pathlib import Path

import pytest

from renderer.errors import RendererError
from renderer.io.edits import Replacement, write_together
from renderer.publish import WORK
from tests.support.processes import snapshot

FILES = {"a/one.yaml": Replacement(b"1", b"one"), "b/c/two.yaml": Replacement(None, b"two")}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/one.yaml").write_bytes(b"1")
    (tmp_path / "a/one.yaml").chmod(0o640)
    return tmp_path


def contents(root):
    return {path: data for path, (data, _) in snapshot(root).items()}


def test_all_are_written(root):
    write_together(root, FILES, "promote")
    assert contents(root) == {"a/one.yaml": b"one", "b/c/two.yaml": b"two"}
    assert (root / "a/one.yaml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("number", range(5))
def test_a_failure_undoes_what_was_done(root, monkeypatch, number):
    """Each renaming in turn fails, of files and of the journal; nothing is left behind."""
    real, calls = Path.replace, []

    def replace(self, target):
        calls.append(target)
        if len(calls) == number + 1:
            raise OSError(28, "No space left on device", str(target))
        return real(self, target)

    before = snapshot(root)
    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(RendererError, match="no space left on device; nothing was written"):
        write_together(root, FILES, "promote")
    assert {path: data for path, (data, _) in before.items()} == contents(root)
    assert not (root / "b").exists()
    assert not (root / WORK).exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a/one.yaml").write_bytes(b"other"),
        lambda root: (root / "a/one.yaml").unlink(),
        lambda root: ((root / "b/c").mkdir(parents=True), (root / "b/c/two.yaml").touch()),
    ],
    ids=["changed", "gone", "come"],
)
def test_what_changed_meanwhile(root, change):
    change(root)
    before = snapshot(root)
    with pytest.raises(RendererError, match="was changed meanwhile"):
        write_together(root, FILES, "promote")
    assert snapshot(root) == before


@pytest.mark.parametrize("linked", ["a/one.yaml", "a"])
def test_links_are_refused(root, tmp_path_factory, linked):
    """What they lead to may be a file of another environment."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    target = elsewhere / "x"
    (root / linked).rename(target)
    (root / linked).symlink_to(target)
    with pytest.raises(RendererError, match="behind a link"):
        write_together(root, FILES, "promote")
    assert not list(root.rglob(".servingctl-*"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_folder_that_cannot_be_written(root):
    (root / "a").chmod(0o500)
    with pytest.raises(RendererError, match="permission denied"):
        write_together(root, FILES, "promote")
    (root / "a").chmod(0o700)
    assert contents(root) == {"a/one.yaml": b"1"}
