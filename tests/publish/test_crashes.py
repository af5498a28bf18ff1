"""Whichever file system call is the last one, the tree is the old one or the new one."""

import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.support.counting import count
from tests.support.places import ROOT
from tests.support.samples import sample

TRIALS = [
    ("everything", "exchange", "kill"),
    ("everything", "journal", "kill"),
    ("one", "exchange", "kill"),
    ("one", "exchange", "any"),
    ("one", "journal", "any"),
    ("one", "exchange", "full"),
    ("one", "journal", "full"),
    ("one", "refused", "kill"),
    ("one", "journal", "twice"),
    ("first", "exchange", "any"),
    ("first", "journal", "kill"),
    ("shard", "journal", "kill"),
    ("former", "exchange", "kill"),
    ("former", "journal", "kill"),
    ("edits", "journal", "kill"),
]
EXHAUSTIVE = [
    (scenario, method, failure)
    for scenario in ("everything", "one", "first", "shard", "former")
    for method in ("exchange", "journal", "refused")
    for failure in ("kill", "once", "any", "full", "twice")
    if (scenario, method, failure) not in TRIALS and (scenario, failure) != ("everything", "twice")
]
EXHAUSTIVE += [("edits", "journal", failure) for failure in ("once", "any", "full", "twice")]


@pytest.fixture
def memory():
    """A folder in memory where the system has one: thousands of trees come and go."""
    shared = Path("/dev/shm")
    where = shared if os.access(shared, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        yield folder


def crash(base, *trial):
    command = [sys.executable, "-m", "tests.publish.crashing", str(base), *trial]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def pytest_generate_tests(metafunc):
    """The long list only for who asks for it: `pytest -m slow tests/publish`."""
    if "trial" in metafunc.fixturenames:
        asked = metafunc.config.option.markexpr == "slow"
        some = sample(TRIALS, ("one", "journal", "full"))
        more = [pytest.param(trial, marks=pytest.mark.slow) for trial in EXHAUSTIVE if asked]
        metafunc.parametrize("trial", [*some, *more], ids="-".join)


@pytest.mark.process
def test_old_tree_or_new_one(trial, memory):
    report = crash(memory, *trial)
    assert report["problems"] == []
    count("faults injected into the publisher", report["calls"])
    assert report["calls"] > 30
    # Both ends were met, so the trial reached across the moment of commit.
    assert report["new"] > 0
    assert report["old"] > 0 or report["lines"]


def test_every_call_is_in_the_module_that_the_trials_fail():
    """Otherwise the trials above would miss some."""
    touching = {"mkdir", "rmdir", "unlink", "rename", "replace", "write_bytes", "write_text"}
    touching |= {"open", "touch", "symlink_to", "hardlink_to", "chmod", "lstat", "read_bytes"}
    for path in (ROOT / "renderer/publish").glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        if path.name != "filesystem.py":
            assert not imported & {"shutil", "tempfile", "fcntl"}, path
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and node.attr in touching:
                    owner = getattr(node.value, "id", "")
                    assert owner in ("filesystem", "stat"), f"{path.name}:{node.lineno}"
