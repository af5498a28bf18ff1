"""Our hooks in real commits: what is broken is refused, a deletion included."""

import shutil
import subprocess
import sys

import pytest
import yaml

from tests.support.git import try_git as git
from tests.support.places import ROOT
from tests.support.processes import run
from tests.support.repositories import SERVING, SMALL

pytestmark = [pytest.mark.process]

RISK = "environments/dev/servings/risk.yaml"


def offered():
    """The hooks that others get, run by this interpreter instead of an environment of their own."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    for hook in hooks:
        command = hook["entry"].removeprefix("servingctl ")
        yield {**hook, "entry": f"{sys.executable} -m renderer {command}", "language": "system"}


@pytest.fixture(scope="module")
def first_commit(tmp_path_factory):
    """A repository whose first commit went through the hooks."""
    root = tmp_path_factory.mktemp("committed")
    for path, text in SMALL.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    install(root, "servingctl-validate", "servingctl-render-check")
    assert run("render", cwd=root).returncode == 0
    git("init", cwd=root)
    hook = f"#!/bin/sh\nexec {sys.executable} -m pre_commit run --color never\n"
    (root / ".git/hooks").mkdir(exist_ok=True)
    (root / ".git/hooks/pre-commit").write_text(hook)
    (root / ".git/hooks/pre-commit").chmod(0o755)
    assert commit(root).returncode == 0
    return root


def install(root, *names, args=()):
    hooks = [{**hook, "args": list(args)} for hook in offered() if hook["id"] in names]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (root / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))


@pytest.fixture
def committed(first_commit, tmp_path):
    """A copy of it, to be changed."""
    return shutil.copytree(first_commit, tmp_path / "committed", symlinks=True)


def commit(root):
    git("add", "--all", cwd=root)
    return git("commit", "--message", "change", cwd=root)


def test_the_hooks_are_well_formed():
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"]
    assert subprocess.run(command, cwd=ROOT).returncode == 0


def test_a_good_commit_passes(committed):
    (committed / RISK).write_text(SERVING + "labels: {team: risk}\n")
    assert run("render", cwd=committed).returncode == 0
    assert commit(committed).returncode == 0


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda root: (root / RISK).write_text(SERVING + "extra: 1\n"), "[SPC010]"),
        (lambda root: (root / RISK).write_text(SERVING + "labels: {a: b}\n"), "changed: dev/east"),
        (lambda root: (root / "environments/dev/appimages/pair.yaml").unlink(), "[KUS104]"),
        (lambda root: (root / "rendered/dev/east/appimages/pair.yaml").unlink(), "missing: dev/"),
    ],
    ids=["a broken spec", "not rendered", "a deleted image", "deleted output"],
)
def test_a_bad_commit_is_refused(committed, change, part):
    change(committed)
    done = commit(committed)
    assert done.returncode == 1
    assert part in done.stdout + done.stderr


def test_a_hook_that_writes(committed):
    install(committed, "servingctl-render")
    (committed / RISK).write_text(SERVING + "labels: {team: risk}\n")
    done = commit(committed)
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout + done.stderr
    assert commit(committed).returncode == 0
    assert run("render", "--check", cwd=committed).returncode == 0


def test_a_repository_in_a_folder_of_another(committed):
    (committed / "team").mkdir()
    for name in ("servingctl.yaml", "environments", "rendered"):
        (committed / name).rename(committed / "team" / name)
    install(committed, "servingctl-validate", "servingctl-render-check", args=["--root", "team"])
    assert commit(committed).returncode == 0
    (committed / "team" / RISK).write_text(SERVING + "extra: 1\n")
    done = commit(committed)
    assert done.returncode == 1
    assert "[SPC010]" in done.stdout + done.stderr
