"""`servingctl diff` of Ray objects, as people run it."""

import json
import shutil

import pytest

from tests.support.git import commit, git
from tests.support.kuberay_edits import SPECS, edited, write
from tests.support.processes import run

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not shutil.which("git"), reason="git is not installed"),
]
JOB = {("RayJob", "train"): SPECS["RayJob", "message"]}
EVERY = {
    ("RayCluster", "lab"): SPECS["RayCluster", "message"],
    ("RayService", "fruit"): SPECS["RayService", "message"],
    **JOB,
}


def committed(root, specs, **environment):
    write(root, specs, **environment)
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root)
    return root


def told(root, *options):
    done = run("diff", *options, cwd=root)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_an_edit_of_a_template(tmp_path):
    single = {"production": True, "rules": {"POL004": "ignore"}}
    root = committed(tmp_path, EVERY, **single)
    write(root, EVERY, template={"cpu": 2, "memory": 8}, **single)
    text = told(root)
    assert "~ memory: 4 → 8 environments/dev/computetemplates/small.yaml:4" in text
    assert (
        "3 specs in dev (production) · replace: 2 units · ignored: 2 units · runs: 3 units" in text
    )
    assert "[ignored] RayCluster/lab: head, small in dev/east (production)" in text
    assert "[replace] RayService/fruit: head, small in dev/east (production)" in text
    assert "[runs] RayJob/train: head, small, submitter in dev/east (production)" in text
    assert "What pods are made of changed" in text
    assert "dev east small memory 8Gi 16Gi +8Gi 24Gi" in text


@pytest.mark.parametrize("source", ["HEAD", "rendered"])
def test_a_job_with_another_content_runs(tmp_path, source):
    root = committed(tmp_path, JOB)
    assert run("render", cwd=root).returncode == 0
    write(root, {("RayJob", "train"): edited(JOB["RayJob", "train"], {"entrypoint": "python b"})})
    text = told(root, "--from", source)
    assert "[runs] RayJob/train: head, small, submitter in dev/east" in text
    assert "[create]" not in text
    assert "[delete]" not in text
    assert "metadata.name" not in text
    report = json.loads(run("diff", "--from", source, "--format", "json", cwd=root).stdout)
    [item] = report["objects"]
    assert item["how"] == "renamed"


def test_the_same_data_in_another_form(tmp_path):
    config = "applications: [{name: app, import_path: 'fruit:app'}]\n"
    one = edited(SPECS["RayService", "message"], {"serveConfigV2": config})
    root = committed(tmp_path, {("RayService", "fruit"): one})
    write(root, {("RayService", "fruit"): edited(one, {"serveConfigV2": f"# apps\n{config}"})})
    text = told(root)
    assert "[in-place] RayService/fruit: head, small in dev/east" in text
    assert "KubeRay sends it once more, and Ray Serve finds nothing to do." in text
