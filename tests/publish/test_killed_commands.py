"""Commands that write specs, ended by the kernel at a system call, and the command after that."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from renderer.errors import RendererError
from renderer.io.repository import load
from renderer.io.states import named_state
from renderer.publish import WORK, folder_lock
from renderer.publish.folder_lock import lock_folder
from renderer.publish.transaction import settle
from tests.publish.crashing import in_child
from tests.publish.failing import KILLED, Failing
from tests.publish.scenarios import EDITS
from tests.publish.tracing import CALLS, can_trace, points, traced
from tests.publish.trees import look
from tests.support.counting import count
from tests.support.processes import run

pytestmark = pytest.mark.process

UNDONE = "an interrupted promote was undone; all files are as they were before it"
SWEPT = "leftovers of an interrupted command are removed; no file of yours was half written"
FINISHED = "an interrupted promote had written all its files; its leftovers are removed"


def killed(folder: Path, at: int) -> None:
    """The edits, in a process that ends at one of its calls."""

    def work():
        Failing("kill", at).install()
        EDITS.run(folder)

    assert in_child(work)[0] == KILLED


@pytest.fixture
def edited(tmp_path):
    root = tmp_path / "repository"
    EDITS.build(root)
    return root


#: Where the process ends, what the next command says, and whether files are new after it.
ENDS = {8: (SWEPT, False), 36: (UNDONE, False), 40: (FINISHED, True)}


@pytest.mark.parametrize(("at", "command"), [(8, "list"), (36, "validate"), (40, "render --check")])
def test_the_next_command_says_what_it_did(edited, at, command):
    before = look(edited)
    killed(edited, at)
    done = run(*command.split(), cwd=edited)
    told, is_new = ENDS[at]
    assert told in done.stderr
    assert (look(edited) == before) is not is_new
    assert not (edited / WORK).exists()
    assert "interrupted" not in run(*command.split(), cwd=edited).stderr


def test_what_people_changed_after_the_crash_is_not_undone(edited):
    """Their file stays, the others go back, and nothing is lost of what was there before."""
    killed(edited, 36)
    assert (edited / "base/a.yaml").read_bytes() == b"22"
    (edited / "base/a.yaml").write_bytes(b"mine")
    with pytest.raises(RendererError) as caught:
        settle(edited)
    said = str(caught.value)
    assert "base/a.yaml was changed after an interrupted promote had replaced it" in said
    assert Path(re.search(r"is in (\S+):", said)[1]).read_bytes() == b"1"
    assert (edited / "base/a.yaml").read_bytes() == b"mine"
    assert (edited / "dev/b.yaml").read_bytes() == b"1"


def test_who_only_reads_another_repository_is_told(edited):
    killed(edited, 36)
    before = look(edited)
    for read in (lambda: load(edited), lambda: named_state(edited, str(edited))):
        with pytest.raises(RendererError, match="a run is writing files here, or was interrupted"):
            read()
    assert look(edited) == before


def test_a_record_that_came_with_a_clone_is_not_believed(edited, tmp_path):
    killed(edited, 36)
    shutil.copytree(edited, tmp_path / "clone")
    before = look(tmp_path / "clone")
    with pytest.raises(RendererError, match="cannot be undone; restore from Git"):
        settle(tmp_path / "clone")
    assert look(tmp_path / "clone") == before


def test_two_commands_at_once(edited, monkeypatch):
    monkeypatch.setattr(folder_lock, "TRIES", 2)
    before = look(edited)
    with (
        lock_folder(edited, exclusive=True),
        pytest.raises(RendererError, match="another servingctl is at work here"),
    ):
        EDITS.run(edited)
    assert look(edited) == before


def test_git_takes_nothing_of_ours(edited):
    """Also not the file that tells it so, while that is half written."""
    subprocess.run(["git", "init", "-q", edited], check=True)
    subprocess.run(["git", "-C", edited, "add", "-A"], check=True)
    for at in (8, 9, 20):
        killed(edited, at)
        assert (edited / WORK).exists()
        listed = ["git", "-C", edited, "status", "--porcelain", "-uall"]
        shown = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
        assert {line[0] for line in shown.splitlines()} == {"A"}, at
        settle(edited)


LABELS = "apiVersion: serving.gitops/v1\nkind: {kind}\nannotations: {{example.org/team: blue}}\n"


def _promotion(folder: Path) -> tuple[str, ...]:
    for place, kind in (
        ("inferenceservices/iris", "InferenceService"),
        ("rayservices/fruit", "RayService"),
    ):
        path = folder / f"environments/dev/{place}.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(LABELS.format(kind=kind))
    return "promote", "iris", "fruit", "--from", "dev", "--to", "prod", "--write"


def _import(folder: Path) -> tuple[str, ...]:
    assert run("render", cwd=folder).returncode == 0
    (folder / "rendered").rename(folder / "live")
    for environment in ("base", "dev", "prod"):
        for path in (folder / "environments" / environment).iterdir():
            if path.is_dir():
                shutil.rmtree(path)
    return "import", "live/dev", "--env", "dev"


def _beginning(folder: Path) -> tuple[str, ...]:
    shutil.rmtree(folder)
    folder.mkdir()
    return "init", ".", "--github"


PREPARED = (_promotion, _import, _beginning)


def pytest_generate_tests(metafunc):
    """Minutes, so only for who asks: `pytest -m slow tests/publish`."""
    if "prepare" in metafunc.fixturenames:
        asked = metafunc.config.option.markexpr == "slow"
        metafunc.parametrize("prepare", PREPARED if asked else [])


@pytest.mark.slow
def test_killed_by_the_kernel(prepare, tmp_path):
    """From the first call that makes the work folder on; the next command clears up."""
    if not can_trace():
        pytest.skip("strace is not installed or may not trace here")
    template, folder, log = tmp_path / "template", tmp_path / "folder", tmp_path / "log"
    assert run("init", str(template), cwd=tmp_path).returncode == 0
    command = (sys.executable, "-B", "-m", "renderer", *prepare(template))
    old = look(template)
    shutil.copytree(template, folder)
    done = traced(log, CALLS, *command, cwd=folder)
    assert done.returncode == 0, done.stderr
    new, ends = look(folder), []
    assert new != old
    reached = list(points(log, f"/{WORK}"))
    for call, number in reached:
        shutil.rmtree(folder)
        shutil.copytree(template, folder)
        traced(log, f"inject={call}:signal=SIGKILL:when={number}", *command, cwd=folder)
        is_left = (folder / WORK).exists()
        said = run("list", cwd=folder).stderr
        assert ("interrupted" in said) == is_left
        assert look(folder) in (old, new), (call, number)
        ends.append(look(folder) == new)
        count("system calls of commands killed by the kernel")
    assert set(ends) == {True, False}
