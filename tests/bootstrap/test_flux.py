"""What Flux is given; that it understands it is for `conformance/flux` to prove."""

import pytest
import yaml

from renderer.bootstrap.flux import PREREQUISITES, FluxWishes, flux_files
from renderer.bootstrap.sources import RepositorySource, source_of
from renderer.errors import RendererError, UsageError
from tests.bootstrap.places import SOURCE, places

FAR = {"name": "far", "kubeconfig_secret": "far-kubeconfig"}
KUSCIA = {"name": "m", "platform": "kuscia", "domains": ["alice"], "kubeconfig_secret": "m"}


def far(name, secret, **more):
    return {"name": name, "kubeconfig_secret": secret, **more}


def made(kind="git", source=SOURCE, **environments):
    files = flux_files(places(**environments), source, kind)
    return {name: list(yaml.safe_load_all(text)) for name, text in files.items()}


def kustomizations(**options):
    return {
        item["metadata"]["name"]: item["spec"] for item in made(**options)["kustomizations.yaml"]
    }


def test_two_for_each_destination_one_after_the_other():
    found = kustomizations(dev=["a"], prod=[far("a", "x"), far("b", "y")])
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


def test_only_what_others_need_is_awaited_if_asked():
    """A Kustomization that waits keeps the next commit back until its timeout."""
    wishes = FluxWishes("30m", PREREQUISITES)
    places_there = {"dev": {"destinations": ["a"], "companions": {}}}
    text = flux_files(places(**places_there), SOURCE, wishes=wishes)["kustomizations.yaml"]
    specs = [item["spec"] for item in yaml.safe_load_all(text)]
    assert [spec["wait"] for spec in specs] == [True, False, False]
    assert {spec["timeout"] for spec in specs} == {"30m"}
    assert ["healthCheckExprs" in spec for spec in specs] == [True, False, False]


def test_a_job_counts_when_it_is_applied_if_asked():
    """Other kinds are judged as ever."""
    checks = {}
    for awaited in (True, False):
        wishes = FluxWishes(awaits_jobs=awaited)
        text = flux_files(places(dev=["a"]), SOURCE, wishes=wishes)["kustomizations.yaml"]
        spec = next(
            item["spec"] for item in yaml.safe_load_all(text) if item["metadata"]["name"] == "dev-a"
        )
        checks[awaited] = {item.pop("kind"): item for item in spec["healthCheckExprs"]}
    changed = {kind for kind, item in checks[True].items() if item != checks[False][kind]}
    assert changed == {"RayJob"}
    assert checks[False]["RayJob"] == {"apiVersion": "ray.io/v1", "current": "true"}


@pytest.mark.parametrize("timeout", ["", "5", "5 m", "0s", "-5m", "1d", "5m\n"])
def test_a_timeout_that_flux_does_not_take(timeout):
    with pytest.raises(UsageError, match="is no duration"):
        flux_files(places(dev=["a"]), SOURCE, wishes=FluxWishes(timeout))


def team(name, **more):
    return {"name": name, "cluster": "east", "namespace": name, "project": name, **more}


@pytest.mark.parametrize(
    ("destinations", "allow", "why"),
    [
        ([team("a", namespace="")], ["ConfigMap"], "dev/a has a project and no namespace"),
        ([team("servingctl")], ["ConfigMap"], "is that of destinations without a team"),
        ([team("a")], None, "no role can say that; list those of the team in companions.allow"),
    ],
)
def test_teams_that_cannot_be_kept_apart(destinations, allow, why):
    settings = {"destinations": destinations}
    if allow:
        settings["companions"] = {"allow": allow}
    for item in destinations:
        if not item["namespace"]:
            del item["namespace"]
    with pytest.raises(RendererError, match=why):
        flux_files(places(dev=settings), SOURCE, wishes=FluxWishes(has_teams=True))


def test_what_a_cluster_needs_may_be_in_another_of_its_destinations():
    east = [far("one", "x", cluster="east"), far("two", "x", cluster="east"), "other"]
    found = kustomizations(dev=east, prod=[far("one", "x", cluster="east")])
    both = [{"name": "dev-one-prerequisites"}, {"name": "dev-two-prerequisites"}]
    assert found["dev-one"]["dependsOn"] == found["dev-two"]["dependsOn"] == both
    assert found["prod-one"]["dependsOn"] == [{"name": "prod-one-prerequisites"}]
    assert found["dev-other"]["dependsOn"] == [{"name": "dev-other-prerequisites"}]


def test_what_goes_with_others_waits_for_all_destinations_of_their_cluster():
    """Destinations of one cluster may share a namespace, and a budget goes once to a cluster."""
    items = [far("one", "x", cluster="east"), far("two", "x", cluster="east"), "other"]
    found = kustomizations(dev={"destinations": items, "companions": {}})
    both = [{"name": "dev-one"}, {"name": "dev-two"}]
    assert found["dev-one-dependents"]["dependsOn"] == both
    assert found["dev-two-dependents"]["dependsOn"] == both
    assert found["dev-other-dependents"]["dependsOn"] == [{"name": "dev-other"}]


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


def test_a_check_is_where_objects_of_its_kind_are():
    """Caches come before the services that they are for, graphs and their models after them."""
    found = kustomizations(dev={"destinations": ["a"], "companions": {}})
    kinds = {
        name: {check["kind"] for check in spec["healthCheckExprs"]} for name, spec in found.items()
    }
    last = {"InferenceGraph", "TrainedModel"}
    assert kinds["dev-a-prerequisites"] == {"LocalModelCache"}
    assert kinds["dev-a-dependents"] == last
    assert kinds["dev-a"] > last
    assert kinds["dev-a"] == {*kinds["dev-a"]} - {"LocalModelCache"} >= {"LLMInferenceService"}


def test_git():
    (source,) = made(dev=["a"])["source.yaml"]
    assert source["spec"]["url"] == SOURCE.url
    assert source["spec"]["ref"] == {"branch": "main"}


def test_an_artifact_for_each_environment():
    source = RepositorySource("oci://registry.example/models", "latest")
    files = made(kind="oci", source=source, dev=["a"], prod=[far("a", "x"), far("b", "y")])
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


@pytest.mark.parametrize(
    ("others", "where"),
    [
        (["a", "b"], "the cluster that it runs in"),
        ([far("a", "x"), far("b", "x")], "the cluster of the Secret 'x'"),
    ],
)
def test_different_clusters_that_are_one_to_flux(others, where):
    what = f"dev/a and dev/b are different clusters, and Flux would apply both to {where}; give"
    with pytest.raises(RendererError, match=what):
        made(dev=others)


def test_two_kustomizations_of_one_name():
    with pytest.raises(RendererError, match="both be called 'dev-a-prerequisites'; rename"):
        made(dev=["a", far("a-prerequisites", "x")])


def test_repositories_that_share_a_controller():
    found = made(source=source_of("git", name="team"), dev=["a"])
    assert found["source.yaml"][0]["metadata"]["name"] == "team"
    names = [item["metadata"]["name"] for item in found["kustomizations.yaml"]]
    assert names == ["team-dev-a-prerequisites", "team-dev-a"]
    assert found["kustomizations.yaml"][1]["spec"]["sourceRef"]["name"] == "team"


def role(**environments):
    """The names of objects that a role is written for, by group; nothing if there is no role."""
    files = made(**environments)
    if "role.yaml" not in files:
        return None
    (found,) = files["role.yaml"]
    return {rule["apiGroups"][0]: rule["resources"] for rule in found["rules"]}


def test_a_role_has_the_kinds_that_are_allowed():
    allowed = {"allow": ["ConfigMap", "NetworkPolicy", "Namespace"]}
    found = role(dev={"destinations": ["a"], "companions": allowed})
    assert found[""] == ["configmaps", "namespaces"]
    assert found["networking.k8s.io"] == ["networkpolicies"]
    assert "inferenceservices" in found["serving.kserve.io"]


@pytest.mark.parametrize(
    "environments",
    [
        {"dev": ["a"]},
        {"dev": {"destinations": ["a"], "companions": {}}},
        {"dev": [KUSCIA]},
        {"dev": {"destinations": ["a"], "companions": {"allow": ["ConfigMap"]}}, "prod": [FAR]},
    ],
    ids=["no settings", "the usual kinds", "no Kubernetes", "usual kinds in another"],
)
def test_all_kinds_but_some_are_no_role(environments):
    assert role(**environments) is None


def test_flux_decrypts_where_the_destination_says_so():
    found = kustomizations(dev=[far("a", "x", decryption="flux")])
    for spec in found.values():
        assert spec["decryption"] == {"provider": "sops", "secretRef": {"name": "sops-age"}}
    others = kustomizations(dev=["a", far("b", "x", decryption="plugin")])
    assert not any("decryption" in spec for spec in others.values())
