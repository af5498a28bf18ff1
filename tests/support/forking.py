"""Commands in processes of their own, many a second: a process that forks for each of them.

It imports the program once, so that a command costs no start, and none sees what another did. It
has no threads, which is what makes forking safe. A line of its standard input is a JSON list, with
which a function is called in the child; a line of its standard output tells how that ended.
`python -m tests.support.forking [BACKENDS]` runs commands; see `tests.robust.stage` for another.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from typing import NamedTuple

from tests.support.places import ROOT

TIMEOUT = 60


class Ended(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


class Server:
    """The process that forks, called as a module with some words."""

    def __init__(self, *words) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *request) -> Ended:
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return Ended(*json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        self.process.communicate()


@cache
def server(*backends) -> Server:
    """The one of this run of tests, with the program's own backends or with others."""
    made = Server("tests.support.forking", *backends)
    atexit.register(made.close)
    return made


def run(arguments, cwd, environment, backends=()) -> Ended:
    """One command; a test that calls this has started a process."""
    sys.audit("os.fork")
    words = [os.fspath(word) for word in arguments]
    return server(*backends).ask(os.fspath(cwd), words, {**os.environ, **environment})


def render_once() -> None:
    """What is imported and compiled on demand."""
    from renderer.evaluate.run import render
    from tests.support.memory import project
    from tests.support.repositories import SMALL

    render(project(SMALL))


def serve(play) -> None:
    from renderer.cli.app import COMMANDS

    for name in COMMANDS:
        import_module(f"renderer.cli.{name}")
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(play, json.loads(line))) + "\n")
        sys.stdout.flush()


def _answer(play, request) -> Ended:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            signal.alarm(TIMEOUT)
            _exit_after(play, request)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "surrogateescape"))
        return Ended(code, *texts)


def _exit_after(play, request) -> None:
    """The child: to its end, which may be sudden."""
    code = 70
    try:
        play(*request)
        code = 0
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def command(folder, arguments) -> None:
    from renderer.cli import main

    os.chdir(folder)
    sys.argv = ["servingctl", *arguments]
    main()


def _command_in(folder, arguments, environment) -> None:
    os.environ.clear()
    os.environ.update(environment)
    command(folder, arguments)


if __name__ == "__main__":
    if sys.argv[1:]:
        from tests.toys.choice import choose

        choose(sys.argv[1])
    else:
        render_once()
    serve(_command_in)
