"""Files that are added: all of them or none."""

from pathlib import Path

import pytest

from renderer.errors import RendererError
from renderer.io.edits import add_files

FILES = {"a/b/one": "1", "a/two": "2", "three": "3", "zebra": "4", "marker": "5"}


def everything(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_folders_are_made(tmp_path):
    add_files(tmp_path / "x/y", FILES, "init")
    assert {path: (tmp_path / "x/y" / path).read_text() for path in FILES} == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize(("folder", "stop"), [("", 1), ("", 4), ("", 6), ("new", 6)], ids=str)
def test_a_failure_leaves_nothing_behind(tmp_path, monkeypatch, folder, stop):
    """Whichever renaming fails."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/ours").write_text("")
    before = everything(tmp_path)
    rename, calls = Path.replace, iter(range(100))

    def failing(source, target):
        if next(calls) == stop:
            raise OSError(28, "No space left on device", str(source))
        return rename(source, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(RendererError, match="no space left on device; nothing was written"):
        add_files(tmp_path / folder, FILES, "init")
    assert everything(tmp_path) == before


def test_the_last_file_comes_last(tmp_path, monkeypatch):
    moved = []
    rename = Path.replace
    monkeypatch.setattr(
        Path, "replace", lambda source, target: moved.append(target.name) or rename(source, target)
    )
    add_files(tmp_path, FILES, "init")
    assert [name for name in moved if name in ("one", "two", "three", "zebra", "marker")] == [
        *("one", "two", "three", "zebra", "marker")
    ]
