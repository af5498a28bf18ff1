"""Without the extra `cel`: a repository with rules fails with one error, and no other one does."""

import os
import site
import subprocess
import sys

import pytest

from tests.support.places import ROOT
from tests.support.policies import RULE
from tests.support.repositories import SMALL
from tests.support.scalers import scaler_files

pytestmark = pytest.mark.process
EXTRA = "cel_expr_python"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Everything that is installed here but the extra."""
    folder = tmp_path_factory.mktemp("packages")
    for place in site.getsitepackages():
        for entry in sorted(os.listdir(place)):
            if not entry.startswith(EXTRA) and not entry.endswith(".pth"):
                (folder / entry).symlink_to(os.path.join(place, entry))
    return folder


def run(packages, root, files, *words):
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return subprocess.run(
        [sys.executable, "-S", "-m", "renderer", *words],
        cwd=root,
        env={"PYTHONPATH": f"{ROOT}:{packages}", "HOME": str(root), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_extra_is_missing_here(packages, tmp_path):
    done = run(packages, tmp_path, {}, "--version")
    assert done.returncode == 0
    command = [sys.executable, "-S", "-c", f"import yaml, {EXTRA}"]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(packages)}, capture_output=True, text=True
    )
    assert f"No module named '{EXTRA}'" in done.stderr


@pytest.mark.parametrize("command", ["validate", "render", "diff"])
def test_a_repository_with_rules_fails_with_one_error(packages, tmp_path, command):
    words = [command, *(["--from", str(tmp_path)] if command == "diff" else [])]
    done = run(packages, tmp_path, {**SMALL, "policies/owner.yaml": RULE}, *words)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "servingctl: this repository has rules of its own, which are evaluated by the extra "
        "'cel': pip install 'servingctl[cel]', or delete the rules\n"
    )


def test_a_repository_without_rules_needs_no_extra(packages, tmp_path):
    done = run(packages, tmp_path, SMALL, "validate")
    assert (done.returncode, "cel" in done.stderr) == (0, False)


def test_rules_of_crds_are_said_to_be_unevaluated(packages, tmp_path):
    done = run(packages, tmp_path, scaler_files("{rule: self.least < 3}", "{least: 4}"), "validate")
    assert done.returncode == 0
    assert "[MAN020]" in done.stdout
    assert "servingctl[cel]" in done.stdout
