"""ConfigMaps that rendering named by their content are imported under their own names."""

import pytest
import yaml

from renderer.text.digests import name_by_content
from tests.support.adoption import imported

ENVIRONMENT = {
    "apiVersion": "serving.gitops/v1",
    "kind": "Environment",
    "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "models"}],
    "companions": {"allow": ["ConfigMap", "Deployment"]},
}
OPTIONS = "argocd.argoproj.io/sync-options"
MAP = "environments/dev/configmaps/levels.yaml"


def config_map(level, name=""):
    data = {"level": level}
    own = name or name_by_content("levels", {"data": data})
    metadata = {"name": own, "namespace": "models", "annotations": {OPTIONS: "PruneLast=true"}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def user(of):
    variables = [{"configMapRef": {"name": of["metadata"]["name"]}}]
    container = {"name": "a", "image": "registry.example/a:v1", "envFrom": variables}
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [container]}}
    spec = {"selector": {"matchLabels": {"app": "a"}}, "template": template}
    metadata = {"name": "web", "namespace": "models"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def specs(*objects):
    """What is written for objects, by path, and why others are skipped."""
    given = {f"{number}.yaml": yaml.safe_dump(item) for number, item in enumerate(objects)}
    found = imported({"environments/dev/environment.yaml": ENVIRONMENT}, given, "dev")
    assert not found.errors, found.errors
    assert not found.differences
    trees = {file.path: yaml.safe_load(file.text) for file in found.files}
    return trees, [item.why for item in found.skipped]


def test_the_name_and_what_refers_to_it():
    trees, _ = specs(config_map("info"), user(config_map("info")))
    assert trees[MAP]["$naming"] == "hashed"
    [container] = trees["environments/dev/deployments/web.yaml"]["spec"]["template"]["spec"][
        "containers"
    ]
    assert container["envFrom"] == [{"configMapRef": {"name": "levels"}}]


def test_a_name_that_only_looks_so():
    trees, _ = specs(config_map("info", "levels-0123456789"))
    assert [*trees] == ["environments/dev/configmaps/levels-0123456789.yaml"]
    assert "$naming" not in str(trees)


def test_the_generation_that_is_used_becomes_the_spec():
    trees, skipped = specs(config_map("debug"), config_map("info"), user(config_map("info")))
    assert trees[MAP]["data"] == {"level": "info"}
    assert skipped == ["it is a former generation of ConfigMap/levels, to which nothing refers"]


def test_generations_of_which_none_is_used_keep_their_names():
    both = [config_map("debug"), config_map("info")]
    trees, skipped = specs(*both)
    names = [item["metadata"]["name"] for item in both]
    assert [*trees] == [f"environments/dev/configmaps/{name}.yaml" for name in names]
    assert "$naming" not in str(trees)
    assert not skipped


@pytest.mark.parametrize("given", ["", "Validate=false"])
def test_the_mark_that_rendering_gives_is_undone(given):
    made = config_map("info")
    made["metadata"]["annotations"][OPTIONS] = f"{given},PruneLast=true".lstrip(",")
    left = {"metadata": {"annotations": {OPTIONS: given}}} if given else {}
    head = {"apiVersion": "v1", "kind": "ConfigMap", "$naming": "hashed"}
    assert specs(made)[0][MAP] == {**head, **left, "data": {"level": "info"}}
