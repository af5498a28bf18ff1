"""Processes under strace: the system calls they make, and one of them that is the last."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

CALLS = (
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat,openat,write,mkdir,mkdirat,rmdir,"
    "fsync,flock,chmod,fchmodat,utimensat,close"
)


@cache
def can_trace() -> bool:
    tried = ["strace", "-o", "/dev/null", "true"]
    return (
        bool(shutil.which("strace"))
        and not subprocess.run(tried, capture_output=True, check=False).returncode
    )


def traced(log: Path, what: str, *command: str, **options) -> subprocess.CompletedProcess[str]:
    """A process whose calls are traced or tampered with, as `what` says."""
    words = ["strace", "-f", "-o", str(log), "-e", what, *command]
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def points(log: Path, first: str) -> Iterator[tuple[str, int]]:
    """Every traced call from the first that names something on, as name and number."""
    seen, begun = Counter(), False
    for line in log.read_text().splitlines():
        found = re.match(r"\d+ +(\w+)\(", line)
        if found:
            seen[found[1]] += 1
            begun = begun or first in line
            if begun and not (found[1] == "openat" and ".py" in line):
                yield found[1], seen[found[1]]
