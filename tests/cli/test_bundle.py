"""`servingctl bundle`: an archive of what render writes."""

import io
import os
import subprocess
import sys
import tarfile

import pytest

from tests.support.processes import run, snapshot
from tests.support.repositories import BROKEN, DESCRIPTION, ENVIRONMENT, RISK

pytestmark = pytest.mark.process
BASE = "apiVersion: serving.gitops/v1\nkind: Environment\n"


def members(data):
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as tar:
        return {item.name: tar.extractfile(item).read().decode() for item in tar}


def bundle(root, *words, env="dev", to="x.tar.gz", expect=0):
    done = run("bundle", "--env", env, "--output", to, *words, cwd=root)
    assert done.returncode == expect, done.stderr
    return done


def test_it_holds_what_render_writes(repository):
    root = repository()
    told = bundle(root, to="new/x.tar.gz")
    assert (told.stdout, told.stderr) == ("", "6 files in new/x.tar.gz\n")
    assert run("render", cwd=root).returncode == 0
    folder = root / "rendered/dev"
    written = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.yaml")}
    assert members((root / "new/x.tar.gz").read_bytes()) == written


def test_built_twice_it_is_the_same(repository):
    root = repository()
    bundle(root)
    first = (root / "x.tar.gz").read_bytes()
    (root / RISK).write_text((root / RISK).read_text() + "# a comment\n")
    bundle(root, to="y.tgz")
    assert (root / "y.tgz").read_bytes() == first


def test_to_standard_output(repository):
    root = repository()
    bundle(root)
    command = [sys.executable, "-m", "renderer", "bundle", "--env", "dev", "--output", "-"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True)
    assert done.stdout == (root / "x.tar.gz").read_bytes()


def test_an_error_writes_nothing(repository):
    root = repository({RISK: BROKEN})
    before = snapshot(root)
    done = bundle(root, expect=1)
    assert f"{RISK}:3:12: error: " in done.stderr
    assert snapshot(root) == before


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"to": "x.zip"}, "x.zip would be a .tar.gz; call it so"),
        ({"env": "dve"}, "no environment 'dve'; did you mean 'dev'?"),
        ({"env": "base"}, "base has no destinations; it is only inherited from"),
    ],
)
def test_wrong_usage(repository, words, why):
    root = repository({"environments/base/environment.yaml": BASE, DESCRIPTION: ENVIRONMENT})
    assert why in bundle(root, **words, expect=2).stderr


def test_a_destination_without_objects_needs_a_word(repository):
    root = repository({RISK: None})
    told = bundle(root, expect=3).stderr
    assert "nothing goes to dev/east, and what is there would be deleted" in told
    assert not (root / "x.tar.gz").exists()
    bundle(root, "--allow-empty")
    assert "resources: []" in members((root / "x.tar.gz").read_bytes())["east/kustomization.yaml"]
