"""What Argo CD is given; that it understands it is for `conformance/argocd` to prove."""

import re

import pytest
import yaml

from renderer.bootstrap.argocd import argocd_files
from renderer.bootstrap.sources import RepositorySource, source_of
from renderer.errors import RendererError
from tests.bootstrap.places import SOURCE, places

KUSCIA = {"name": "m", "platform": "kuscia", "domains": ["alice"]}
KEPT = {"name": "b", "server": "https://b.example:6443", "project": "theirs"}
EXAMPLE = {"dev": [KUSCIA, "a"], "prod": ["d", KEPT, {"name": "c", "cluster": "east"}]}


def made(style="applicationset", image="", source=SOURCE, **environments):
    files = argocd_files(places(**(environments or EXAMPLE)), source, style, image)
    return {name: list(yaml.safe_load_all(text)) for name, text in files.items()}


def application_set(**options):
    (found,) = made(**options)["applicationset.yaml"]
    return found["spec"]


def test_the_files():
    assert [*made()] == [
        "project.yaml", "applicationset.yaml", "argocd-cm.yaml", "kustomization.yaml",
    ]  # fmt: skip
    assert [*made(style="applications")][1] == "applications.yaml"
    assert [*made(image="i")][3:5] == ["plugin/plugin.yaml", "plugin/repo-server.yaml"]


def test_a_project_has_its_clusters_and_our_kinds():
    (project,) = made()["project.yaml"]
    spec = project["spec"]
    assert spec["sourceRepos"] == [SOURCE.url]
    assert [item.get("name") for item in spec["destinations"]] == ["m", "a", "d", "east"]
    assert {"group": "kuscia.secretflow", "kind": "AppImage"} in spec["clusterResourceWhitelist"]
    assert spec["namespaceResourceWhitelist"] == [{"group": "*", "kind": "*"}]
    assert {"group": "batch", "kind": "Job"} in spec["namespaceResourceBlacklist"]


def test_a_project_of_others_is_left_to_them():
    assert "project.yaml" not in made(prod=[KEPT])


def test_all_folders_by_one_rule_and_some_by_themselves():
    every, b, c = (item["git"] for item in application_set()["generators"])
    assert every["directories"] == [
        {"path": "rendered/*/*"},
        {"path": "rendered/*/.*", "exclude": True},
        {"path": "rendered/prod/b", "exclude": True},
        {"path": "rendered/prod/c", "exclude": True},
    ]
    assert b["directories"] == [{"path": "rendered/prod/b"}]
    assert (b["values"]["server"], b["values"]["cluster"]) == ("https://b.example:6443", "")
    assert b["values"]["project"] == "theirs"
    assert (c["values"]["server"], c["values"]["cluster"]) == ("", "east")


def test_specs_below_the_top_of_their_repository():
    source = RepositorySource("https://git.example/all", "main").located(
        "teams/models/", "./out/rendered/"
    )
    spec = application_set(source=source)
    (first, *_) = spec["generators"]
    assert first["git"]["directories"][0]["path"] == "teams/models/out/rendered/*/*"
    assert first["git"]["values"]["environment"] == "{{ index .path.segments 4 }}"
    path = "teams/models/out/rendered/{{ .values.environment }}/{{ .values.destination }}"
    assert spec["template"]["spec"]["source"]["path"] == path
    plugin = application_set(source=source, image="i")["template"]["spec"]["source"]
    assert plugin["path"] == "teams/models"


def test_nothing_is_deleted_in_the_foreground_or_replaced():
    for text in argocd_files(places(**EXAMPLE), SOURCE).values():
        assert not re.search(r"- (Replace|RespectIgnoreDifferences|Force)=true", text)
    template = application_set()["template"]
    options = template["spec"]["syncPolicy"]["syncOptions"]
    assert "PrunePropagationPolicy=background" in options
    assert "ServerSideApply=true" in options
    finalizers = ["resources-finalizer.argocd.argoproj.io/background"]
    assert template["metadata"]["finalizers"] == finalizers
    for item in made(style="applications")["applications.yaml"]:
        assert item["metadata"]["finalizers"] == finalizers


def test_a_folder_that_has_gone_deletes_no_application():
    assert application_set()["syncPolicy"] == {"applicationsSync": "create-update"}


def test_an_application_for_each_place():
    found = {item["metadata"]["name"]: item["spec"]
             for item in made(style="applications")["applications.yaml"]}  # fmt: skip
    assert [*found] == ["dev-m", "dev-a", "prod-d", "prod-b", "prod-c"]
    assert found["prod-b"]["destination"] == {"server": "https://b.example:6443"}
    assert found["prod-c"]["destination"] == {"name": "east"}
    assert found["prod-b"]["project"] == "theirs"
    assert found["prod-c"]["source"]["path"] == "rendered/prod/c"
    assert "ignoreDifferences" not in found["dev-m"]
    assert [item["kind"] for item in found["dev-a"]["ignoreDifferences"]] == ["RayCluster"]


@pytest.mark.parametrize("style", ["applications", "applicationset"])
def test_with_the_plugin_each_says_what_it_wants(style):
    files = made(style=style, image="registry.example/servingctl:1")
    if style == "applications":
        sources = [item["spec"]["source"] for item in files["applications.yaml"]]
    else:
        (found,) = files["applicationset.yaml"]
        sources = [found["spec"]["template"]["spec"]["source"]]
        elements = found["spec"]["generators"][0]["list"]["elements"]
        assert [item["values"]["destination"] for item in elements] == ["m", "a", "d", "b", "c"]
    for source in sources:
        assert source["path"] == "."
        assert source["plugin"]["name"] == "servingctl"
        assert [p["name"] for p in source["plugin"]["parameters"]] == ["environment", "destination"]


def test_every_kind_with_a_check_has_its_script():
    (config,) = made()["argocd-cm.yaml"]
    assert [key.removeprefix("resource.customizations.health.") for key in config["data"]] == [
        "kuscia.secretflow_KusciaDeployment",
        "ray.io_RayCluster",
        "ray.io_RayJob",
        "ray.io_RayService",
        "serving.kserve.io_InferenceGraph",
        "serving.kserve.io_InferenceService",
        "serving.kserve.io_LLMInferenceService",
        "serving.kserve.io_LocalModelCache",
        "serving.kserve.io_TrainedModel",
    ]
    assert all("return" in script for script in config["data"].values())


def test_a_set_lets_go_of_its_applications():
    """Deleted by accident, it takes none of them along, and an emergency stop is not undone."""
    (found,) = made()["applicationset.yaml"]
    assert found["metadata"]["finalizers"] == ["resources-finalizer.argocd.argoproj.io"]
    ignored = [{"jsonPointers": ["/spec/syncPolicy/automated"]}]
    assert found["spec"]["ignoreApplicationDifferences"] == ignored


SERVER = {"server": "https://x.example:6443"}


@pytest.mark.parametrize(
    "environments",
    [
        {"dev": ["a"], "prod": ["a"]},
        {"dev": ["a"], "prod": [{"name": "b", "cluster": "a"}]},
        {"dev": [{"name": "a", **SERVER}], "prod": [{"name": "b", **SERVER}]},
    ],
    ids=["by their own names", "by a name", "by an address"],
)
def test_different_clusters_that_are_one_to_argo_cd(environments):
    with pytest.raises(
        RendererError, match=r"and Argo CD would apply both to '(a|https://x.*)'; say"
    ):
        made(**environments)


def test_one_cluster_of_two_environments():
    made(dev=[{"name": "a", "cluster": "c"}], prod=[{"name": "a", "cluster": "c"}])


def test_repositories_that_share_a_controller():
    source = source_of("git", name="team")
    files = made(source=source)
    assert files["project.yaml"][0]["metadata"]["name"] == "team"
    found = files["applicationset.yaml"][0]
    assert found["metadata"]["name"] == "team"
    name = found["spec"]["template"]["metadata"]["name"]
    assert name == "team-{{ .values.environment }}-{{ .values.destination }}"
    names = [
        i["metadata"]["name"] for i in made("applications", source=source)["applications.yaml"]
    ]
    assert names[0] == "team-dev-m"
