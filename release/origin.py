"""Which commit a release is built from, and the time that stands for it in place of a clock."""

import subprocess
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit


class Refusal(Exception):
    """Why no release is made, as the one line that its maker reads."""


class Origin(NamedTuple):
    """The commit, its time in seconds, and where the repository is kept, if Git knows that."""

    commit: str
    seconds: int
    address: str


def origin_of(folder: Path) -> Origin:
    """The commit that is checked out; with edits beside it, the statement would not be true."""
    if edited := _git(folder, "status", "--porcelain"):
        first = edited.splitlines()[0].strip()
        raise Refusal(f"uncommitted changes ({first}); a release is built from a commit")
    commit, seconds = _git(folder, "log", "-1", "--format=%H %ct").split()
    address = _git(folder, "config", "--default", "", "remote.origin.url")
    return Origin(commit, int(seconds), _public(address))


def _public(address: str) -> str:
    """An address that others can use, without the credentials that it may hold."""
    parts = urlsplit(address)
    if parts.scheme not in ("https", "ssh") or not parts.hostname:
        return ""
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Refusal("git is not installed, and a release is built from a commit") from error
    if done.returncode:
        raise Refusal(f"git says: {done.stderr.strip() or 'nothing'}")
    return done.stdout.strip()
