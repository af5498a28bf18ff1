"""The same promise, with the kernel ending the process at a system call (needs strace)."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from renderer.publish.publisher import compare
from tests.publish.scenarios import SCENARIOS
from tests.publish.trees import look
from tests.support.counting import count
from tests.support.places import ROOT

pytestmark = pytest.mark.process

CALLS = (
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat,openat,write,mkdir,mkdirat,rmdir,"
    "fsync,flock,chmod,fchmodat,utimensat,close"
)
SAMPLE = 10


@cache
def can_trace():
    return (
        bool(shutil.which("strace"))
        and not subprocess.run(
            ["strace", "-o", "/dev/null", "true"], capture_output=True
        ).returncode
    )


def traced(folder, name, method, *options):
    command = ["strace", "-f", "-o", f"{folder}.log", *options, sys.executable, "-B"]
    command += ["-m", "tests.publish.rendering", "publish", str(folder), name, method]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


class Trial:
    def __init__(self, base, name, method):
        self.name, self.method, self.scenario = name, method, SCENARIOS[name]
        self.template, self.folder = base / "template", base / "rendered"
        self.scenario.build(self.template)
        self.old = look(self.template)
        self.reset()

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder, symlinks=True)

    def points(self):
        """Every system call from the first that names the folder on, as name and number."""
        assert traced(self.folder, self.name, self.method, "-e", CALLS).returncode == 0
        self.new = look(self.folder)
        seen, begun = Counter(), False
        for line in Path(f"{self.folder}.log").read_text().splitlines():
            found = re.match(r"\d+ +(\w+)\(", line)
            if found:
                seen[found[1]] += 1
                begun = begun or f'"{self.folder}' in line
                if begun and not (found[1] == "openat" and ".py" in line):
                    yield found[1], seen[found[1]]

    def check(self, call, number, fault):
        self.reset()
        inject = f"inject={call}:{fault}:when={number}"
        ended = traced(self.folder, self.name, self.method, "-e", inject)
        if "error" in fault:
            assert ended.returncode in (0, 3), ended.stderr
            assert ended.returncode == 0 or look(self.folder) == self.old
            assert ended.stderr.count("\n") <= 1
        else:
            assert ended.returncode not in (0, 1, 3)
        compare(self.folder, self.scenario.after, self.scenario.scope)
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
    points = list(trial.points())
    assert len(points) > 40
    needs_room = ("openat", "write", "mkdir", "link", "linkat", "rename", "renameat2", "fsync")
    for call, number in points[offset::SAMPLE]:
        if "SIGKILL" in fault or call in needs_room:
            trial.check(call, number, fault)
            count("system calls killed or failed by the kernel")
