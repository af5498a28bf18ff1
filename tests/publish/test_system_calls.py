"""The same promise, with the kernel ending the process at a system call (needs strace)."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.publish.scenarios import EVERY_SCENARIO
from tests.publish.tracing import CALLS, can_trace, points, traced
from tests.publish.trees import look
from tests.support.counting import count
from tests.support.places import ROOT

pytestmark = [pytest.mark.process, pytest.mark.long]

SAMPLE = 10


def publish(folder, name, method, what):
    words = ("tests.publish.rendering", "publish", str(folder), name, method)
    return traced(Path(f"{folder}.log"), what, sys.executable, "-B", "-m", *words, cwd=ROOT)


class Trial:
    def __init__(self, base, name, method):
        self.name, self.method, self.scenario = name, method, EVERY_SCENARIO[name]
        self.template, self.folder = base / "template", base / "rendered"
        self.scenario.build(self.template)
        self.old = look(self.template)
        self.reset()

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder, symlinks=True)

    def points(self):
        """Every system call from the first that names the folder on, as name and number."""
        assert publish(self.folder, self.name, self.method, CALLS).returncode == 0
        self.new = look(self.folder)
        return points(Path(f"{self.folder}.log"), f'"{self.folder}')

    def check(self, call, number, fault):
        self.reset()
        inject = f"inject={call}:{fault}:when={number}"
        ended = publish(self.folder, self.name, self.method, inject)
        if "error" in fault:
            assert ended.returncode in (0, 3), ended.stderr
            assert ended.returncode == 0 or look(self.folder) == self.old
            assert ended.stderr.count("\n") <= 1
        else:
            assert ended.returncode not in (0, 1, 3)
        self.scenario.next_command(self.folder)
        assert look(self.folder) in (self.old, self.new), (call, number)


def pytest_generate_tests(metafunc):
    """A tenth of the system calls, or all for who asks: `pytest -m slow tests/publish`."""
    if "offset" in metafunc.fixturenames:
        asked = metafunc.config.option.markexpr == "slow"
        more = [pytest.param(n, marks=pytest.mark.slow) for n in range(1, SAMPLE) if asked]
        metafunc.parametrize("offset", [0, *more])


@pytest.mark.parametrize("fault", ["signal=SIGKILL", "error=ENOSPC"])
@pytest.mark.parametrize("method", ["exchange", "journal"])
def test_killed_or_failed_by_the_kernel(method, fault, offset, tmp_path):
    if not can_trace():
        pytest.skip("strace is not installed or may not trace here")
    trial = Trial(tmp_path, "one", method)
    reached = list(trial.points())
    assert len(reached) > 40
    needs_room = ("openat", "write", "mkdir", "link", "linkat", "rename", "renameat2", "fsync")
    for call, number in reached[offset::SAMPLE]:
        if "SIGKILL" in fault or call in needs_room:
            trial.check(call, number, fault)
            count("system calls killed or failed by the kernel")
