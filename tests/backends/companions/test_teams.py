"""Two teams with a language model and all that it needs: what Argo CD and Flux are given."""

import pytest

from tests.support.places import ROOT
from tests.support.processes import run

GOLDEN = ROOT / "tests/golden/companions"
#: Health checks are those of every repository, and tested elsewhere.
OMITTED = {"argocd-cm.yaml"}


@pytest.mark.process
@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_what_the_engine_is_given(engine, request, tmp_path):
    root, given = GOLDEN / f"team-{engine}", GOLDEN / f"team-{engine}/gitops"
    folder = given if request.config.getoption("--update-golden") else tmp_path / "gitops"
    repository = "https://git.example/models/specs"
    done = run(
        "bootstrap", engine, "--repo", repository, "--output", str(folder), "--force", cwd=root
    )
    assert done.returncode == 0, done.stderr
    for name in OMITTED:
        (folder / name).unlink(missing_ok=True)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        path.name: path.read_text() for path in given.iterdir()
    }
