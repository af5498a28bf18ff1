"""Two runs at once, step by step: one always wins, and the other waits for it."""

import errno
import fcntl
import os

import pytest

from renderer.errors import RendererError
from renderer.publish import filesystem, folder_lock, journal, publisher
from renderer.publish.folder_lock import made_and_locked
from renderer.publish.inventory import Scope
from renderer.publish.publisher import compare, publish
from tests.publish.trees import outputs, texts

A = "dev/east/things/a.yaml"
ALL = Scope()


@pytest.fixture
def deep(tmp_path):
    """An output folder that is not there, nor the one above it."""
    return tmp_path / "above/rendered"


def first(monkeypatch, module, name, event):
    """Something happens just before the first call of a function."""
    original = getattr(module, name)

    def call(*args, **options):
        monkeypatch.setattr(module, name, original)
        event()
        return original(*args, **options)

    monkeypatch.setattr(module, name, call)


def vanish(folder):
    folder.rmdir()
    folder.parent.rmdir()


@pytest.mark.parametrize(
    ("module", "name"), [(filesystem, "lock"), (fcntl, "flock")], ids=["opened", "locked"]
)
def test_the_folder_vanishes_before_it_is(module, name, deep, monkeypatch):
    first(monkeypatch, module, name, lambda: vanish(deep))
    assert publish(deep, outputs(**{A: "a"}), ALL).written == 1
    assert texts(deep) == {A: "a"}


def test_a_folder_above_vanishes_before_the_inner_one_is_made(deep, monkeypatch):
    make, seen = os.mkdir, []

    def mkdir(path, *args):
        seen.append(path)
        if len(seen) == 2:
            deep.parent.rmdir()
        make(path, *args)

    monkeypatch.setattr(os, "mkdir", mkdir)
    assert publish(deep, outputs(**{A: "a"}), ALL).written == 1


def test_both_find_the_folder_missing_and_the_one_that_waits_in_vain_leaves_it(deep, monkeypatch):
    """The folder is empty at that moment, and would go from under the other one."""
    monkeypatch.setattr(folder_lock, "TRIES", 2)
    winner = made_and_locked(deep)
    first(monkeypatch, filesystem, "make_folders", winner.__enter__)
    with pytest.raises(RendererError, match="another servingctl is at work here; run again"):
        publish(deep, outputs(**{A: "a"}), ALL)
    assert deep.is_dir()
    winner.__exit__(None, None, None)


def test_who_waits_goes_on_when_the_other_is_done(deep, monkeypatch):
    winner = made_and_locked(deep)
    winner.__enter__()
    first(monkeypatch, folder_lock.time, "sleep", lambda: winner.__exit__(None, None, None))
    assert publish(deep, outputs(**{A: "a"}), ALL).written == 1


def test_who_waits_goes_on_when_the_other_failed_and_took_the_folder_away(deep, monkeypatch):
    winner = made_and_locked(deep)
    winner.__enter__()

    def fail():
        winner.__exit__(OSError, OSError(errno.ENOSPC, "No space left on device"), None)
        assert not deep.parent.exists()

    first(monkeypatch, folder_lock.time, "sleep", fail)
    assert publish(deep, outputs(**{A: "a"}), ALL).written == 1


def test_a_comparison_finds_the_folder_gone(deep, monkeypatch):
    deep.mkdir(parents=True)
    first(monkeypatch, fcntl, "flock", lambda: vanish(deep))
    assert compare(deep, outputs(**{A: "a"}), ALL).missing[-1] == A


def test_folders_that_cannot_all_be_made_go_again(deep, monkeypatch):
    make = os.mkdir

    def mkdir(path, *args):
        if os.fspath(path) == os.fspath(deep):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        make(path, *args)

    monkeypatch.setattr(os, "mkdir", mkdir)
    with pytest.raises(RendererError, match="no space left on device; free some room"):
        publish(deep, outputs(**{A: "a"}), ALL)
    assert not deep.parent.exists()


@pytest.mark.parametrize("place", ["above", "above/rendered"])
def test_a_file_or_a_lost_link_where_a_folder_belongs(place, deep, monkeypatch):
    root = deep.parent.parent
    (root / place).parent.mkdir(exist_ok=True)
    for put in (lambda: (root / place).symlink_to("nowhere"), (root / place).touch):
        put()
        with pytest.raises(RendererError, match=r"file exists|not a directory"):
            publish(deep, outputs(**{A: "a"}), ALL)
        (root / place).unlink()


def test_an_empty_folder_of_the_user_stays(deep, monkeypatch):
    def begin(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    deep.mkdir(parents=True)
    monkeypatch.setattr(journal, "begin", begin)
    with pytest.raises(RendererError, match="no space left"):
        publish(deep, outputs(**{A: "a"}), ALL)
    assert deep.is_dir()


def test_a_file_that_goes_while_trees_are_compared(deep, monkeypatch):
    """Only a folder that is gone as a whole is like one without files."""

    def look(*_):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", A)

    deep.mkdir(parents=True)
    monkeypatch.setattr(publisher, "take_snapshot", look)
    with pytest.raises(RendererError, match=f"nothing was compared: {A}: no such file"):
        compare(deep, outputs(**{A: "a"}), ALL)
