"""Real git in real repositories, whatever the user has configured."""

import os
import subprocess
import sys


def git(folder, *arguments):
    """What git says; it must not fail."""
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder, message="state"):
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", message)


def try_git(*arguments, cwd):
    """A finished git, which may have failed; its hooks find the program."""
    names = ("GIT_AUTHOR", "GIT_COMMITTER")
    who = {f"{n}_{part}": value for n in names for part, value in (("NAME", "n"), ("EMAIL", "e"))}
    return subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=cwd,
        env={**os.environ, **who, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
