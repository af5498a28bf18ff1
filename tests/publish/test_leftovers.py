"""What a dead run, or somebody else, left in the work folder."""

import os
import shutil
import subprocess

import pytest

from renderer.errors import RendererError
from renderer.publish import WORK, journal
from renderer.publish.inventory import Scope
from renderer.publish.journal import FileStep, Record, Swap
from renderer.publish.publisher import compare, publish
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
