"""A command as a real process, with bounds on its time and its memory."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.support.counting import count

SECONDS, MEBIBYTES = 20, 512
_ADDRESS_SPACE = 2 << 30


class Ended(NamedTuple):
    """How a command ended, what it printed, and what it took."""

    code: int
    out: bytes
    err: str
    seconds: float
    mebibytes: float

    @property
    def said(self) -> str:
        return self.out.decode("utf-8", "surrogateescape") + self.err


def run(*arguments, cwd, **environment) -> Ended:
    """Run a command to its end; more time or memory than the bounds fails the test."""
    command = [sys.executable, "-B", "-m", "renderer", *map(str, arguments)]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**os.environ, **path, **environment},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            preexec_fn=_bound,  # noqa: PLW1509 - it only sets limits
        )
        usage, mebibytes = _waited(process)
        texts = [_text(out), _text(err)]
    seconds = usage.ru_utime + usage.ru_stime
    error = texts[1].decode("utf-8", "surrogateescape")
    ended = Ended(process.returncode, texts[0], error, seconds, mebibytes)
    _assert_civil(ended)
    return ended


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _waited(process: subprocess.Popen) -> tuple[resource.struct_rusage, float]:
    """What it used, and the most memory that it had at once."""
    end = time.monotonic() + 6 * SECONDS  # of the clock, for one that sleeps or waits
    most = 0.0
    while True:
        most = max(most, _mebibytes(process.pid))
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if done:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage, most
        if time.monotonic() > end:
            process.kill()
        time.sleep(0.005)


def _mebibytes(number: int) -> float:
    """The most that a process had since it began; `ru_maxrss` has that of its parent as well."""
    lines = Path(f"/proc/{number}/status").read_text("utf-8").splitlines()
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def _text(stream) -> bytes:
    stream.seek(0)
    return stream.read()


def _assert_civil(ended: Ended) -> None:
    assert ended.code in (0, 1, 2, 3), ended
    assert "Traceback" not in ended.err, ended
    assert "unexpected" not in ended.err, ended.err
    assert ended.seconds < SECONDS, ended.seconds
    assert ended.mebibytes < MEBIBYTES, ended.mebibytes
    count("hostile inputs tried")
