"""What `diff` says of edits of graphs, of models on shared servers, and of caches."""

from functools import cache

import yaml

from renderer import compare
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.rows import each


@cache
def files(name):
    return yaml.safe_load((ROOT / "tests/cases" / f"{name}.yaml").read_text("utf-8"))["files"]


EDITS = [
    ("kserve_models", "model", "256Mi", "300Mi", "refused"),
    ("kserve_models", "model", "iris/v1", "iris/v2", "in-place"),
    ("kserve_models", "chat", "acme/chat", "acme/talk", "refused"),
    ("kserve_models", "gpu", "path: /models", "path: /data", "deferred"),
    ("kserve_models", "fetch", "fetch:v1", "fetch:v2", "deferred"),
    ("kserve_graphs", "graph", "name: second", "name: last", "rolling"),
]


@each("edit", EDITS, name=lambda edit: f"{edit[1]}-{edit[3]}")
def test_edit(edit):
    case, stem, before, after, effect = edit
    path = f"environments/dev/{stem}.yaml"
    later = {**files(case), path: files(case)[path].replace(before, after, 1)}
    (found,) = compare(project(files(case)), project(later), ()).objects
    assert [str(impact.effect) for _, impact in found.impacts] == [effect]
