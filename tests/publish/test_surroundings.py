"""Two runs at once, folders that cannot be written, limits and owners."""

import errno
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from renderer.errors import RendererError
from renderer.publish import WORK, filesystem, folder_lock, journal
from renderer.publish.folder_lock import lock_folder
from renderer.publish.inventory import Scope
from renderer.publish.journal import FileStep, Record
from renderer.publish.publisher import compare, publish
from tests.publish.scenarios import EVERYTHING, FIRST, ONE
from tests.publish.trees import look, outputs
from tests.support.places import ROOT

pytestmark = pytest.mark.process

NOBODY = 65534
A = "dev/east/things/a.yaml"


def command(*args):
    return [sys.executable, "-B", "-m", "tests.publish.rendering", *map(str, args)]


def run(*args, **options):
    return subprocess.run(command(*args), cwd=ROOT, capture_output=True, text=True, **options)


@pytest.mark.parametrize("name", ["one", "first"])
def test_the_second_of_two_runs_says_so_and_the_tree_is_whole(name, tmp_path, monkeypatch):
    monkeypatch.setattr(folder_lock, "TRIES", 2)
    scenario, folder = {"one": ONE, "first": FIRST}[name], tmp_path / "rendered"
    scenario.build(folder)
    options = {"cwd": ROOT, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command("slowly", folder, name), **options) as first:
        assert first.stdout.readline() == "working\n"
        for action in (publish, compare):
            with pytest.raises(RendererError) as caught:
                action(folder, scenario.after, scenario.scope)
            message = f"{folder}: another servingctl is at work here; run again when it is done"
            assert str(caught.value) == message
        first.communicate("go on\n")
    assert first.returncode == 0
    assert compare(folder, scenario.after, scenario.scope)[:3] == ((), (), ())
    assert not [entry for entry in os.listdir(folder) if entry.startswith(".")]


def test_many_runs_at_once_wait_for_each_other(tmp_path):
    folder = tmp_path / "above/rendered"
    options = {"cwd": ROOT, "stderr": subprocess.PIPE, "text": True}
    runs = [
        subprocess.Popen(command("publish", folder, "everything", method), **options)
        for method in ("exchange", "journal") * 3
    ]
    ended = [(process.communicate()[1], process.returncode) for process in runs]
    assert ended == [("", 0)] * 6
    assert compare(folder, EVERYTHING.after, Scope())[:3] == ((), (), ())


def test_two_comparisons_at_once(tmp_path):
    ONE.build(tmp_path)
    with lock_folder(tmp_path, exclusive=False):
        assert compare(tmp_path, ONE.before, Scope())[:3] == ((), (), ())
        assert compare(tmp_path, ONE.after, Scope())[:3] != ((), (), ())


@pytest.fixture
def public_folder():
    """A folder that other users can reach; pytest's own cannot be."""
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o755)
        yield Path(base, "rendered")


def as_nobody(action, folder, name="one", method="exchange"):
    """Root may write anywhere, so root becomes somebody else."""
    return run(action, folder, name, method, *([NOBODY] if os.geteuid() == 0 else []))


def closed(folder):
    for above, _, _ in os.walk(folder):
        os.chmod(above, 0o555)


def opened(folder):
    for above, _, _ in os.walk(folder):
        os.chmod(above, 0o755)


@pytest.mark.parametrize("method", ["exchange", "journal"])
def test_a_folder_that_cannot_be_written(method, public_folder):
    ONE.build(public_folder)
    closed(public_folder)
    before = look(public_folder, times=True)
    ended = as_nobody("publish", public_folder, "one", method)
    assert (ended.returncode, ended.stderr) == (
        3,
        f"nothing was rendered: {public_folder}: permission denied; "
        "make it accessible or choose another --output\n",
    )
    ended = as_nobody("compare", public_folder)
    assert json.loads(ended.stdout)["missing"] == ["dev/east/d/w.yaml"]
    assert look(public_folder, times=True) == before
    opened(public_folder)


def test_reading_despite_leftovers_that_cannot_be_removed(public_folder):
    ONE.build(public_folder)
    journal.begin(public_folder)
    closed(public_folder)
    ended = as_nobody("compare", public_folder)
    assert json.loads(ended.stdout)["missing"] == ["dev/east/d/w.yaml"]
    opened(public_folder)
    journal.note(public_folder, Record(steps=(FileStep("dev/x", placed=False, existed=True),)))
    closed(public_folder)
    ended = as_nobody("compare", public_folder)
    assert ended.returncode == 3, "half done, so there is nothing to compare with"
    opened(public_folder)


def test_foreign_folders_without_permission_to_write(public_folder):
    """A user who is not root cannot empty a closed folder without opening it."""
    public_folder.mkdir(mode=0o777)
    os.chmod(public_folder, 0o777)
    assert as_nobody("build", public_folder, "everything").stderr == ""
    ended = as_nobody("publish", public_folder, "everything")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (public_folder / "dev/notes/deep").stat().st_mode & 0o777 == 0o500
    assert not (public_folder / WORK).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has files of other users")
def test_owners_are_kept(tmp_path):
    ONE.build(tmp_path)
    for path in ("dev", "dev/east", "dev/east/c", "dev/east/c/z.txt"):
        os.chown(tmp_path / path, 1234, 4321)
    ONE.run(tmp_path)
    for path in ("dev", "dev/east", "dev/east/c", "dev/east/c/z.txt"):
        status = (tmp_path / path).stat()
        assert (status.st_uid, status.st_gid) == (1234, 4321), path


@pytest.mark.parametrize("method", ["exchange", "journal"])
def test_a_limit_to_the_size_of_files(method, tmp_path):
    ONE.build(tmp_path / "rendered")
    before = look(tmp_path)

    def limit():
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    ended = run("publish", tmp_path / "rendered", "one", method, preexec_fn=limit)
    assert ended.returncode == 3
    assert "file too large" in ended.stderr
    assert look(tmp_path) == before


def test_a_failed_first_run_leaves_no_folder(tmp_path, monkeypatch):
    def write(path, *args, **options):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(filesystem, "write", write)
    with pytest.raises(RendererError, match="no space left on device; free some room"):
        publish(tmp_path / "a/rendered", outputs(**{A: "a"}), Scope())
    assert os.listdir(tmp_path) == []


def test_a_system_without_locks(folder, monkeypatch):
    """Such as Windows, which has no `fcntl`."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    assert filesystem.lock(folder.parent, exclusive=True) is None
    assert publish(folder, outputs(**{"dev/east/things/a.yaml": "a"}), Scope()).written == 1
