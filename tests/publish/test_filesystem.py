"""Calls that touch the disk, where the system refuses them or has them in another way."""

import errno
import fcntl
import os
from pathlib import Path

import pytest

from renderer.publish import file_replacement, filesystem, journal
from renderer.publish.journal import RENDER
from renderer.publish.plan import Plan
from tests.publish.trees import look, put


def refuse(monkeypatch, owner, name, number):
    def call(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(owner, name, call)


def test_a_file_is_copied_to_another_file_system(tmp_path, monkeypatch):
    source, target = put(tmp_path, "a", "new", 0o640), put(tmp_path, "b", "old")
    put(tmp_path, filesystem.draft_beside(target).name, "of a run that was killed")
    replace = Path.replace

    def rename(one, other):
        if one == source:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        replace(one, other)

    monkeypatch.setattr(Path, "replace", rename)
    filesystem.move(source, target)
    assert [(path, *entry[1:]) for path, entry in look(tmp_path).items()] == [("b", 0o640, b"new")]


def test_a_file_that_cannot_be_moved_stays(tmp_path, monkeypatch):
    source = put(tmp_path, "a")
    refuse(monkeypatch, Path, "replace", errno.EACCES)
    with pytest.raises(PermissionError):
        filesystem.move(source, tmp_path / "b")
    assert os.listdir(tmp_path) == ["a"]


def test_what_cannot_be_linked_for_want_of_room_is_not_copied(tmp_path, monkeypatch):
    refuse(monkeypatch, os, "link", errno.ENOSPC)
    with pytest.raises(OSError, match="No space left"):
        filesystem.link_or_copy(put(tmp_path, "a"), tmp_path / "b")
    assert os.listdir(tmp_path) == ["a"]


def test_a_system_that_cannot_link_links(tmp_path, monkeypatch):
    def link(*_, **__):
        raise NotImplementedError

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(OSError, match=os.strerror(errno.ENOTSUP)) as caught:
        filesystem.link(tmp_path / "a", tmp_path / "b")
    assert caught.value.errno in filesystem.NOT_HERE


def test_a_folder_that_may_not_be_removed(tmp_path, monkeypatch):
    refuse(monkeypatch, os, "rmdir", errno.EACCES)
    with pytest.raises(PermissionError):
        filesystem.remove_folder(tmp_path)


def test_folders_that_cannot_be_exchanged(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError):
        filesystem.exchange(tmp_path / "a", tmp_path / "b")
    monkeypatch.setattr(filesystem, "_exchange_call", lambda: None)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSYS)):
        filesystem.exchange(tmp_path / "a", tmp_path / "b")


def test_a_lock_that_is_refused_leaves_nothing_open(tmp_path, monkeypatch):
    closed = []
    monkeypatch.setattr(os, "close", lambda number, close=os.close: closed.append(close(number)))
    refuse(monkeypatch, fcntl, "flock", errno.ENOLCK)
    assert filesystem.lock(tmp_path, exclusive=True) is None
    refuse(monkeypatch, fcntl, "flock", errno.EIO)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        filesystem.lock(tmp_path, exclusive=True)
    assert len(closed) == 2


@pytest.mark.parametrize(("action", "synced"), [(RENDER, 2), ("promote", 3)])
def test_what_cannot_be_made_again_is_on_the_disk(action, synced, tmp_path, monkeypatch):
    """The record and the name of it are, and edits are; rendered files are not."""
    seen = []
    monkeypatch.setattr(os, "fsync", seen.append)
    journal.begin(tmp_path)
    plan = Plan({}, {"a.yaml": b"1"}, (), (), action=action)
    journal.note(tmp_path, file_replacement.prepare(tmp_path, plan))
    assert len(seen) == synced
