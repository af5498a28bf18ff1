"""Commands in processes of their own, many a second, with faults on demand.

`python -m tests.robust.stage` imports the program once and forks for every command, so that none
sees what another did. It is a process without threads, which is what makes forking safe. A line of
standard input is a JSON list: folder, arguments, failure, at which call, and way to publish.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from typing import NamedTuple

from renderer.evaluate.run import render
from tests.publish.failing import KILLED, Failing, choose
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.repositories import SMALL

TIMEOUT = 60


class Ended(NamedTuple):
    """How a command ended, what it printed, and how many calls it made that could fail."""

    code: int
    out: str
    err: str

    @property
    def killed(self) -> bool:
        return self.code == KILLED


class Stage:
    """The process that forks; it lives as long as the tests that use it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-m", "tests.robust.stage"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, folder, *arguments, failure="", at=0, method="exchange") -> Ended:
        request = [str(folder), [str(word) for word in arguments], failure, at, method]
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        ended = Ended(*json.loads(self.process.stdout.readline()))
        assert ended.code in (0, 1, 2, 3, KILLED), ended
        assert "Traceback" not in ended.err, ended
        assert "unexpected" not in ended.err, ended
        return ended

    def close(self) -> None:
        self.process.communicate()


def _answer(folder, arguments, failure, at, method) -> Ended:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            _play(folder, arguments, failure, at, method)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "surrogateescape"))
        return Ended(code, *texts)


def _play(folder, arguments, failure, at, method) -> None:
    """The child: one command to its end, which may be sudden."""
    from renderer.cli import main

    signal.alarm(TIMEOUT)
    os.chdir(folder)
    sys.argv = ["servingctl", *arguments]
    choose(method, "")
    if failure:
        Failing(failure, at).install()
    code = 70
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    for name in ("diff", "graph", "preview", "render", "trace", "validate"):
        __import__(f"renderer.cli.{name}")
    render(project(SMALL))  # what is imported and compiled on demand
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(*json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
