"""Standard streams that are closed, full, unread or a terminal, and how a run then ends."""

import os
import pty
import select
import signal
import subprocess
import sys

import pytest

from renderer.cli import progress
from tests.support.places import ROOT
from tests.support.repositories import RISK, SERVING

pytestmark = pytest.mark.process

COMMAND = f"{sys.executable} -m renderer"


def shell(command, cwd):
    """A command line, and what it says to those who still listen."""
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        ["bash", "-c", command.replace("servingctl", COMMAND, 1)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_nobody_needs_to_hear_that_all_is_well(repository):
    assert shell("servingctl validate 2>&-", repository()) == (0, "", "")
    assert shell("servingctl validate <&- 2>&- | cat", repository()) == (0, "", "")
    for command in ("validate", "render --check", "diff --from . --to ."):
        root = repository()
        shell("servingctl render", root)
        assert shell(f"servingctl {command} 2>/dev/full", root)[0] == 0


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("validate --format json >/dev/full", "no space left on device"),
        ("render --stdout >/dev/full", "no space left on device"),
        ("rules >/dev/full", "no space left on device"),
        ("--version >/dev/full", "no space left on device"),
        ("validate --format json >&-", "bad file descriptor"),
    ],
)
def test_output_that_cannot_be_written(repository, command, reason):
    said = f"servingctl: standard output cannot be written: {reason}\n"
    assert shell(f"servingctl {command}", repository()) == (3, "", said)


@pytest.mark.parametrize("command", ["render --stdout", "schema Serving", "validate --format json"])
def test_a_reader_that_went_away(repository, command):
    ended = shell(f"servingctl {command} | true; exit ${{PIPESTATUS[0]}}", repository())
    assert ended == (141, "", "")


@pytest.mark.parametrize("command", ["validate", "render", "graph --env dev"])
def test_a_folder_that_went_away(tmp_path, command):
    gone = tmp_path / "gone"
    gone.mkdir()
    said = "servingctl: the current folder is not there any more\n"
    assert shell(f"rmdir {gone}; servingctl {command}", gone) == (3, "", said)


@pytest.fixture
def fleet(repository):
    """Enough for more than one part of the work."""
    return repository({RISK.replace("risk", f"m-{number:04}"): SERVING for number in range(250)})


#: Progress as after a second, in a test that does not take one.
AT_ONCE = "import renderer.cli.progress as p; p._AFTER = 0; from renderer.cli import main; main()"


def on_a_terminal(*arguments, cwd, interrupt_at="", **environment):
    """The exit code and what a terminal shows of standard error, interrupted there if asked."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", AT_ONCE, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = ""
    while select.select([ours], [], [], 30)[0]:
        try:
            shown += os.read(ours, 65536).decode()
        except OSError:  # the other end is closed
            break
        if interrupt_at and interrupt_at in shown:
            os.killpg(process.pid, signal.SIGINT)
            interrupt_at = ""
    os.close(ours)
    process.stdout.close()
    return process.wait(30), shown


class TestProgress:
    @pytest.mark.parametrize("command", ["validate", "render"])
    def test_a_terminal_sees_how_far_it_is(self, fleet, command):
        code, shown = on_a_terminal(command, "--no-cache", cwd=fleet)
        assert code == 0
        assert "100 of 246 specs " in shown
        assert shown.rpartition("\r\x1b[K")[2].strip().count("\n") == 0

    def test_of_a_diff_too(self, fleet):
        _, shown = on_a_terminal("diff", "--from", str(ROOT), cwd=fleet)
        assert "100 of 2" in shown

    @pytest.mark.parametrize("name", ["CI", "PRE_COMMIT", "GITHUB_ACTIONS"])
    def test_a_log_does_not(self, fleet, name):
        code, shown = on_a_terminal("validate", "--no-cache", cwd=fleet, **{name: "true"})
        assert code == 0
        assert " of " not in shown
        assert "\x1b" not in shown

    def test_nor_does_a_pipe(self, fleet):
        code, _, said = shell("servingctl validate --no-cache", fleet)
        assert code == 0
        assert " of " not in said

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_an_interruption_is_one_line(self, fleet, jobs):
        arguments = ("render", "--no-cache", "--stdout", "--jobs", jobs)
        code, shown = on_a_terminal(*arguments, cwd=fleet, interrupt_at=" of 246")
        assert code == 130
        assert shown.rpartition("\r\x1b[K")[2] == "servingctl: interrupted\r\n"

    @pytest.mark.parametrize(
        "work",
        ["atexit.register(stop); stop()", "os.fork() or stop(); os.wait(); stop()"],
        ids=["twice", "helpers too"],
    )
    def test_more_interruptions_say_nothing(self, work, tmp_path):
        code = (
            "import atexit, os, signal, renderer.cli as cli\n"
            "def stop(): os.kill(os.getpid(), signal.SIGINT)\n"
            f"def run(_):\n    {work}\n"
            "cli._run = run; cli.main()"
        )
        command = [sys.executable, "-c", code, "validate"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (130, "servingctl: interrupted\n")

    def test_short_work_shows_nothing(self):
        assert progress._AFTER == 1.0
