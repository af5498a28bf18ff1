"""The command line in a process of its own, and what it leaves behind."""

import os
import subprocess
import sys


def run(*arguments, cwd, **environment):
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
