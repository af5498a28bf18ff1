"""What Flux is given; that it understands it is for `conformance/flux` to prove."""

import pytest
import yaml

from renderer.bootstrap.flux import flux_files
from renderer.bootstrap.places import Source
from renderer.errors import RendererError
from tests.bootstrap.places import SOURCE, places

FAR = {"name": "far", "kubeconfig_secret": "far-kubeconfig"}
KUSCIA = {"name": "m", "platform": "kuscia", "domains": ["alice"]}


def made(kind="git", source=SOURCE, **environments):
    files = flux_files(places(**environments), source, kind)
    return {name: list(yaml.safe_load_all(text)) for name, text in files.items()}


def kustomizations(**options):
    return {
        item["metadata"]["name"]: item["spec"] for item in made(**options)["kustomizations.yaml"]
    }


def test_two_for_each_destination_one_after_the_other():
    found = kustomizations(dev=["a"], prod=["a", "b"])
    assert [*found] == [
        "dev-a-prerequisites", "dev-a", "prod-a-prerequisites", "prod-a",
        "prod-b-prerequisites", "prod-b",
    ]  # fmt: skip
    assert found["prod-b"]["dependsOn"] == [{"name": "prod-b-prerequisites"}]
    assert "dependsOn" not in found["prod-b-prerequisites"]
    assert found["prod-b"]["path"] == "./rendered/prod/b/flux/workloads"
    assert found["prod-b-prerequisites"]["path"] == "./rendered/prod/b/flux/prerequisites"


def test_both_prune_and_wait_and_substitute_nothing():
    for spec in kustomizations(dev=["a"]).values():
        assert (spec["prune"], spec["wait"]) == (True, True)
        assert not {"postBuild", "targetNamespace", "force", "namePrefix"} & spec.keys()


def test_what_a_cluster_needs_may_be_in_another_of_its_destinations():
    east = [{"name": "one", "cluster": "east"}, {"name": "two", "cluster": "east"}, "other"]
    found = kustomizations(dev=east, prod=[{"name": "one", "cluster": "east"}])
    both = [{"name": "dev-one-prerequisites"}, {"name": "dev-two-prerequisites"}]
    assert found["dev-one"]["dependsOn"] == found["dev-two"]["dependsOn"] == both
    assert found["prod-one"]["dependsOn"] == [{"name": "prod-one-prerequisites"}]
    assert found["dev-other"]["dependsOn"] == [{"name": "dev-other-prerequisites"}]


def test_a_far_cluster_is_reached_by_its_secret():
    found = kustomizations(dev=["a", FAR])
    for name in ("dev-far", "dev-far-prerequisites"):
        assert found[name]["kubeConfig"] == {"secretRef": {"name": "far-kubeconfig"}}
    assert "kubeConfig" not in found["dev-a"]


def test_checks_are_those_of_the_platform():
    found = kustomizations(dev=["a", KUSCIA])
    assert [check["kind"] for check in found["dev-m"]["healthCheckExprs"]] == ["KusciaDeployment"]
    for check in found["dev-a"]["healthCheckExprs"]:
        assert check.keys() <= {"apiVersion", "kind", "current", "failed", "inProgress"}
        assert check["current"]


def test_git():
    (source,) = made(dev=["a"])["source.yaml"]
    assert source["spec"]["url"] == SOURCE.url
    assert source["spec"]["ref"] == {"branch": "main"}


def test_an_artifact_for_each_environment():
    source = Source("oci://registry.example/models", "latest")
    files = made(kind="oci", source=source, dev=["a"], prod=["a", "b"])
    assert [(item["kind"], item["spec"]["url"]) for item in files["source.yaml"]] == [
        ("OCIRepository", "oci://registry.example/models/dev"),
        ("OCIRepository", "oci://registry.example/models/prod"),
    ]
    last = files["kustomizations.yaml"][-1]["spec"]
    assert last["sourceRef"] == {"kind": "OCIRepository", "name": "servingctl-prod"}
    assert last["path"] == "./b/flux/workloads"


def test_a_name_that_fits_no_label():
    with pytest.raises(RendererError, match="more than 63 characters"):
        made(**{"e" * 40: ["d" * 20]})
