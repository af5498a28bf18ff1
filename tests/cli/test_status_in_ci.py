"""The jobs that docs/gitops.md shows, run with engines that say that all is well.

Kubectl answers with the objects that real control planes had in `tests/observed/kuscia/status`.
"""

import json
import os
import re
import subprocess
import sys

import pytest
import yaml

from tests.support.places import ROOT
from tests.support.replacements import edited, files_below

pytestmark = pytest.mark.process

STATUSES = ROOT / "tests/observed/kuscia/status"
GITOPS = (ROOT / "docs/gitops.md").read_text("utf-8")
SECTION = GITOPS.partition("## Status after a sync")[2].partition("\n## ")[0]
KUBECTL = """#!{python}
import json, sys
words = sys.argv[1:]
context, kind = words[1], words[3].partition(".")[0]
space = words[words.index("--namespace") + 1] if "--namespace" in words else None
with open({data!r}) as file:
    items = json.load(file)[context]
found = [i for i in items if i["kind"].lower() == kind
         and space in (None, i["metadata"].get("namespace"))]
print(json.dumps({{"kind": "List", "items": found}}))
"""
SERVINGCTL = """#!/bin/sh
exec {python} -m renderer "$@"
"""
ENGINE = "#!/bin/sh\n"
#: Both control planes say Available in each; in the second, the pod of one of them crashes.
MOMENTS = {"50-peer-to-peer-starts/4": 0, "58-peer-to-peer-partner-away/1": 1}


def jobs():
    """The shell lines of each job, those left out that set a machine up."""
    (shell,) = re.findall(r"```sh\n(.*?)```", SECTION, re.S)
    github, gitlab = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", SECTION, re.S))
    steps = [step["run"] for step in github["jobs"]["status"]["steps"] if "run" in step]
    lines = {"GitHub": steps, "GitLab": gitlab["status"]["script"]}
    found = {"sh": shell, **{name: "\n".join(listed) for name, listed in lines.items()}}
    return {name: re.sub(r"(?m)^pip install .*$", "", text) for name, text in found.items()}


def cluster_objects(case, step):
    """What there is at each control plane, by the name of its cluster."""
    says = yaml.load((STATUSES / case / "case.yaml").read_text("utf-8"), yaml.CSafeLoader)
    (wanted,) = (item for item in says["steps"] if item["step"] == step)
    found = {}
    for destination, names in wanted["files"].items():
        for name in names:
            document = yaml.load((STATUSES / case / name).read_text("utf-8"), yaml.CSafeLoader)
            items = document["items"] if document["kind"] == "List" else [document]
            found.setdefault({"ann": "a", "ben": "b"}[destination], []).extend(items)
    return found


def write_repository(folder, case, step):
    """The specs of that moment, in an environment that is called as in the documentation."""
    says = yaml.load((STATUSES / case / "case.yaml").read_text("utf-8"), yaml.CSafeLoader)
    files = files_below(STATUSES / case / "repo")
    for item in says["steps"][:step]:
        files = edited(files, item.get("edit", ()))
    for path, text in files.items():
        target = folder / path.replace("environments/e/", "environments/prod/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def write_programs(folder, objects):
    """Engines that find everything healthy, and a kubectl that has the objects."""
    data = folder / "objects.json"
    data.write_text(json.dumps(objects, default=str))
    programs = {
        "argocd": ENGINE,
        "flux": ENGINE,
        "kubectl": KUBECTL.format(python=sys.executable, data=str(data)),
        "servingctl": SERVINGCTL.format(python=sys.executable),
    }
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)


@pytest.mark.parametrize("moment", MOMENTS)
def test_jobs_fail_where_an_engine_says_that_all_is_well(moment, tmp_path):
    case, _, step = moment.partition("/")
    repository, programs = tmp_path / "repository", tmp_path / "bin"
    programs.mkdir()
    write_repository(repository, case, int(step))
    write_programs(programs, cluster_objects(case, int(step)))
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    modules = os.pathsep.join(sys.path)
    ended = {
        name: subprocess.run(
            ["/bin/sh", "-e", "-c", text],
            cwd=repository,
            env={**os.environ, "PATH": path, "PYTHONPATH": modules},
            capture_output=True,
            text=True,
            timeout=60,
        )
        for name, text in jobs().items()
    }
    assert ended.keys() == {"sh", "GitHub", "GitLab"}
    for name, done in ended.items():
        assert done.returncode == MOMENTS[moment], (name, done.stdout, done.stderr)
        assert ("ben has 0 of 1 pods" in done.stdout) is bool(MOMENTS[moment]), name
