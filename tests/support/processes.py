"""The command line in a process of its own, and what it leaves behind."""

import os
import subprocess
import sys

from tests.support import forking

#: What an interpreter reads when it starts.
_OF_PYTHON = ("PYTHON", "LC_", "LANG")


def run(*arguments, cwd, **environment):
    """A command to its end; forked, as a fresh start costs ten times as much."""
    if any(name.startswith(_OF_PYTHON) for name in environment):
        return start(*arguments, cwd=cwd, **environment)
    code, *texts = forking.run(arguments, cwd, environment)
    out, err = (text.replace("\r\n", "\n").replace("\r", "\n") for text in texts)
    return subprocess.CompletedProcess(arguments, code, out, err)


def start(*arguments, cwd, **environment):
    """The same by an interpreter that is started for it, as users do."""
    return subprocess.run(
        [sys.executable, "-m", "renderer", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def snapshot(folder):
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
