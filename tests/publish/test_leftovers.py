"""What a dead run, or somebody else, left in the work folder."""

import errno
import os
import shutil
import subprocess

import pytest

from renderer.errors import RendererError
from renderer.publish import WORK, file_replacement, filesystem, journal
from renderer.publish.inventory import Scope
from renderer.publish.journal import FileStep, Record, Swap
from renderer.publish.plan import Plan
from renderer.publish.publisher import compare, publish
from renderer.publish.snapshot import walk
from renderer.publish.transaction import Recovery, settle
from tests.publish.scenarios import ONE
from tests.publish.trees import look, outputs, put, texts

NOBODY = 65534
A = "dev/east/things/a.yaml"


def test_leftovers_are_no_environment(tmp_path):
    ONE.build(tmp_path)
    journal.begin(tmp_path)
    put(tmp_path, f"{WORK}/new/prod/.inventory/east", "{}")
    ONE.run(tmp_path)
    assert os.listdir(tmp_path) == ["dev"]


@pytest.mark.parametrize(
    "record",
    [
        Record(steps=(FileStep("../victim", placed=True, existed=False),)),
        Record(steps=(FileStep(".git/hooks/post-checkout", placed=False, existed=True),)),
        Record(steps=(FileStep("a/GIT~1/hooks/post-checkout", placed=False, existed=True),)),
        Record(steps=(FileStep(".git. /hooks/post-checkout", placed=False, existed=True),)),
        Record(steps=(FileStep("dev/link/victim", placed=True, existed=False),)),
        Record(made=("dev/link/empty",)),
        Record(made=("dev/other", "../empty")),
        Record(swaps=(Swap("../other", existed=True, inode=0),)),
        Record(swaps=(Swap("dev/east", existed=True, inode=0),)),
        Record(swaps=(Swap(".github", existed=True, inode=0),)),
        Record(swaps=(Swap("dev", existed=True, inode=1),)),
    ],
    ids=[
        "outside",
        "hook",
        "hook-of-windows",
        "hook-behind-a-dot",
        "through-a-link",
        "folder-through-a-link",
        "second-folder-outside",
        "swap-outside",
        "swap-below",
        "swap-hidden",
        "unknown-folder",
    ],
)
def test_a_journal_of_unknown_origin_does_no_harm(record, tmp_path):
    """It may have come with somebody's pull request."""
    folder = tmp_path / "rendered"
    ONE.build(folder)
    put(tmp_path, "victim", "precious")
    (tmp_path / "empty").mkdir()
    os.symlink(tmp_path, folder / "dev/link")
    journal.begin(folder)
    put(folder, f"{WORK}/old/0", "#!/bin/sh")
    journal.note(folder, record)
    before = look(tmp_path)
    with pytest.raises(RendererError, match=r"cannot be undone; restore from Git"):
        compare(folder, ONE.after, Scope())
    assert look(tmp_path) == before


@pytest.mark.parametrize(
    ("path", "text"),
    [(f"{WORK}/journal", "{"), (f"{WORK}/journal", "[]"), (f"{WORK}/journal/x", ""), (WORK, "")],
    ids=["cut off", "a list", "a folder", "no work folder"],
)
def test_a_broken_journal_is_named(path, text, tmp_path):
    ONE.build(tmp_path)
    put(tmp_path, path, text)
    with pytest.raises(RendererError, match="interrupted run"):
        ONE.run(tmp_path)
    assert (tmp_path / path).exists()


@pytest.mark.process
def test_git_does_not_see_leftovers(tmp_path):
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    publish(tmp_path / "rendered", outputs(**{A: "a"}), Scope())
    journal.begin(tmp_path / "rendered")
    put(tmp_path / "rendered", f"{WORK}/new/dev/x.yaml")
    status = ["git", "-C", tmp_path, "status", "--porcelain", "-uall"]
    listed = subprocess.run(status, capture_output=True, text=True, check=True).stdout
    assert sorted(line[3:] for line in listed.splitlines()) == [
        "rendered/dev/.inventory/east",
        f"rendered/{A}",
    ]
    assert texts(tmp_path / "rendered").keys() >= {A}


NOTED = Record(emptied=("dev/empty",), action="promote")


@pytest.mark.parametrize(
    ("record", "committed", "recovery", "is_left"),
    [
        (None, False, Recovery(), True),
        (NOTED, False, Recovery("promote", is_undone=True), True),
        (NOTED, True, Recovery("promote"), False),
    ],
    ids=["prepared", "begun", "committed"],
)
def test_how_a_run_that_ended_early_is_settled(record, committed, recovery, is_left, tmp_path):
    """Only after the commit do folders go that it empties."""
    (tmp_path / "dev/empty").mkdir(parents=True)
    journal.begin(tmp_path)
    if record:
        journal.note(tmp_path, record)
    if committed:
        journal.commit(tmp_path)
    assert settle(tmp_path) == recovery
    assert os.listdir(tmp_path / "dev") == ["empty"] * is_left
    assert settle(tmp_path) is None


@pytest.mark.parametrize(
    ("number", "record", "is_refused"),
    [
        (errno.EACCES, None, False),
        (errno.EACCES, NOTED, True),
        (errno.ENOSPC, None, True),
    ],
    ids=["not allowed", "half done", "another trouble"],
)
def test_leftovers_that_a_reader_cannot_clear_away(
    number, record, is_refused, tmp_path, monkeypatch
):
    """The tree is whole unless a run was about to change it."""
    ONE.build(tmp_path)
    journal.begin(tmp_path)
    if record:
        journal.note(tmp_path, record)

    def discard(_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(journal, "discard", discard)
    if is_refused:
        with pytest.raises(RendererError, match=os.strerror(number).lower()):
            compare(tmp_path, ONE.before, Scope())
    else:
        assert compare(tmp_path, ONE.before, Scope()).missing == ()


@pytest.mark.parametrize("name", ["recover", "discard"])
def test_what_cannot_be_undone_is_said(name, tmp_path, monkeypatch):
    """Of a tree that is half new; where only rubbish is left, the first trouble is named."""
    ONE.build(tmp_path)
    monkeypatch.setattr(filesystem, "can_exchange", lambda: False)
    step = "apply" if name == "recover" else "prepare"
    for owner, one, words in (
        (file_replacement, step, "No space left on device"),
        (journal, "discard", "Input/output error"),
    ):
        error = OSError(errno.ENOSPC if one == step else errno.EIO, words)
        monkeypatch.setattr(owner, one, raiser(error))
    with pytest.raises(RendererError) as caught:
        ONE.run(tmp_path)
    undone = "the render failed and could not be undone (input/output error)"
    assert (undone in str(caught.value)) == (name == "recover")
    assert ("no space left on device" in str(caught.value)) == (name == "discard")


def raiser(error):
    def call(*_):
        raise error

    return call


FILES = ("a.yaml", "b.yaml")


@pytest.mark.parametrize(
    ("action", "edited", "words"),
    [
        ("promote", FILES[:1], "a.yaml was changed after an interrupted promote"),
        ("promote", FILES, r"a.yaml \(and 1 more\) was changed after an interrupted promote"),
        ("promote", (), None),
        ("render", FILES, None),
    ],
    ids=["one", "two", "none", "rendered"],
)
def test_files_that_people_changed_after_the_crash(action, edited, words, tmp_path):
    """What can be rendered again is theirs now; of their own files the former text is kept."""
    for name in FILES:
        put(tmp_path, name, "old")
    journal.begin(tmp_path)
    entries = dict(found for name in FILES for found in walk(tmp_path, name))
    plan = Plan(entries, dict.fromkeys(FILES, b"new"), (), ("more",), action=action)
    record = file_replacement.prepare(tmp_path, plan)
    journal.note(tmp_path, record)
    file_replacement.apply(tmp_path, plan, record)
    for name in edited:
        put(tmp_path, name, "mine")
    if words:
        with pytest.raises(RendererError, match=words):
            settle(tmp_path)
        assert (tmp_path / WORK / "old/0").read_text() == "old"
    else:
        settle(tmp_path)
    found = {name: "mine" if name in edited else "old" for name in FILES}
    assert {name: (tmp_path / name).read_text() for name in FILES} == found
    assert not (tmp_path / "more").exists()


def test_git_sees_nothing_while_leftovers_go(tmp_path, monkeypatch):
    """A file tells it to look away, and is the last one to go."""
    removed = []
    remove = filesystem.remove_tree

    def note(path):
        removed.append(os.path.relpath(path, tmp_path / WORK))
        remove(path)

    journal.begin(tmp_path)
    monkeypatch.setattr(filesystem, "remove_tree", note)
    journal.discard(tmp_path)
    assert [name for name in removed if name == "." or "/" not in name][-2:] == [".gitignore", "."]


def test_undoing_leaves_alone_what_the_run_did_not_reach(tmp_path):
    """After a crash somebody puts a file where the run would have put one."""
    ONE.build(tmp_path)
    journal.begin(tmp_path)
    put(tmp_path, f"{WORK}/new/0", "ours")
    journal.note(tmp_path, Record(steps=(FileStep("dev/late.txt", placed=True, existed=False),)))
    put(tmp_path, "dev/late.txt", "theirs")
    compare(tmp_path, ONE.after, Scope())
    assert texts(tmp_path)["dev/late.txt"] == "theirs"
    assert not (tmp_path / WORK).exists()
