"""Disks that are full or may not be written: exit 3 in one line, and nothing is lost."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.publish.trees import look
from tests.robust.bounded import run
from tests.robust.stage import Stage
from tests.support.counting import count
from tests.support.repositories import SERVING, SMALL
from tests.support.samples import sample

pytestmark = pytest.mark.process

RISK = "environments/dev/servings/risk.yaml"
CHANGED = SERVING + "labels: {team: risk}\n"


@pytest.fixture(scope="module")
def stage():
    stage = Stage()
    yield stage
    stage.close()


@pytest.mark.long
@pytest.mark.parametrize("failure", ["once", "full"])
@pytest.mark.parametrize("method", ["exchange", "journal"])
def test_a_full_disk_at_every_call_of_a_render(failure, method, stage, repository):
    """The command itself: what it says, what it returns, what is left."""
    root = repository()
    assert stage.run(root, "render").code == 0
    (root / RISK).write_text(CHANGED)
    before = look(root / "rendered")
    for at in range(1, 200):
        ended = stage.run(root, "render", "--no-cache", failure=failure, at=at, method=method)
        count("faults injected into renders")
        if ended.code == 0:
            break
        assert ended.code == 3, ended
        assert ended.err.count("\n") == 1, ended
        assert "no space left on device" in ended.err
        assert look(root / "rendered") == before, at
    assert at > 5
    assert stage.run(root, "render", "--check").code == 0


@pytest.fixture
def mount(tmp_path):
    """A file system of one mebibyte of its own, where we may make one."""
    if os.geteuid():
        pytest.skip("only root can mount")
    command = ["mount", "-t", "tmpfs", "-o", "size=64k,nr_inodes=400", "none", str(tmp_path)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def _fill(folder: Path):
    try:
        with open(folder / "filler", "wb", buffering=0) as stream:
            while stream.write(b"x" * 512):
                pass
    except OSError:
        return


@pytest.mark.long
def test_a_disk_that_is_really_full(mount, tmp_path_factory):
    for path, text in SMALL.items():
        (mount / path).parent.mkdir(parents=True, exist_ok=True)
        (mount / path).write_text(text)
    assert run("render", cwd=mount).code == 0
    (mount / RISK).write_text(CHANGED)
    before = look(mount / "rendered")
    _fill(mount)
    ended = run("render", cwd=mount)
    assert (ended.code, ended.err.count("\n")) == (3, 1), ended
    assert "no space left on device" in ended.err
    assert look(mount / "rendered") == before
    ended = run("validate", "--format", "json", "--output", "report.json", cwd=mount)
    assert (ended.code, ended.err.count("\n")) == (3, 1), ended
    (mount / "filler").unlink()
    assert run("render", cwd=mount).code == 0
    count("faults injected into renders", 2)


def test_a_full_device_for_what_is_printed(repository):
    """What cannot be written to standard output is not a success."""
    root = repository()
    command = [sys.executable, "-m", "renderer", "render", "--stdout"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, cwd=root, stdout=full, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
    assert done.returncode == 3, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr


COMMANDS = ["validate", "render", "diff --from rendered"]


@pytest.mark.parametrize("command", sample(COMMANDS, "render"))
def test_no_home_no_cache_and_no_temporary_folder(command, repository):
    """Nothing is written but the output."""
    root = repository()
    assert run("render", cwd=root).code == 0
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere", "TMPDIR": "/proc"}
    ended = run(*command.split(), cwd=root, **nowhere)
    assert ended.code == 0, ended


@pytest.mark.long
def test_a_read_only_repository(tmp_path_factory):
    """Everything but a render works, and a render says why it does not."""
    with tempfile.TemporaryDirectory() as base:
        root = Path(base, "work")
        for path, text in SMALL.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        assert run("render", cwd=root).code == 0
        (root / RISK).write_text(CHANGED)
        if subprocess.run(["mount", "--bind", root, root], capture_output=True).returncode:
            pytest.skip("mounting is not allowed here")
        try:
            subprocess.run(["mount", "-o", "remount,bind,ro", root], check=True)
            before = look(root)
            assert run("validate", cwd=root).code == 0
            assert run("render", "--check", cwd=root).code == 1
            ended = run("render", cwd=root)
            assert (ended.code, ended.err.count("\n")) == (3, 1), ended
            assert "read-only file system" in ended.err
            assert look(root) == before
        finally:
            subprocess.run(["umount", root], check=True)
