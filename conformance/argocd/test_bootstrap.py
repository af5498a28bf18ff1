"""What we write for Argo CD, given to a real API server and to Argo CD's own project rules."""

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
import yaml

from conformance.argocd.applications import generated
from conformance.argocd.bootstrap import bootstrapped, copy_example, of_kind
from conformance.argocd.cluster import shipped
from conformance.argocd.program import Answer, Judge
from conformance.argocd.refusals import add_empty_destination
from conformance.conftest import Report
from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.test_conformance import objects_in
from conformance.operators.installation import add_namespace

STYLES = ("applicationset", "applications")
PLUGIN = ((), ("--plugin", "--image", "registry.example/servingctl:1"))
VARIANTS = [(style, *plugin) for style, plugin in product(STYLES, PLUGIN)]
#: A file for the plugin server, and a patch; neither is an object for the API server.
_NO_OBJECTS = ("ConfigManagementPlugin", "Deployment")
_NAMESPACE = "argocd"
_ALL = {"source": True, "destination": True, "kind": True, "object": True}


@pytest.mark.parametrize("variant", VARIANTS, ids=" ".join)
def test_the_server_takes_every_object(
    variant: tuple[str, ...], cluster: Client, example: Path, tmp_path: Path, report: Report
) -> None:
    found = bootstrapped(example, tmp_path / "argocd", "--style", *variant)
    objects = {k: item for k, item in found.items() if item["kind"] not in _NO_OBJECTS}
    add_namespace(cluster, _NAMESPACE)
    replies = {name: cluster.apply(item, dry=True) for name, item in objects.items()}
    assert {name: reply.body for name, reply in replies.items() if reply.is_refusal} == {}
    report(f"bootstrap {' '.join(variant)}: {len(objects)} objects, strict")


@pytest.fixture(scope="module", params=["as it is", "in a base"])
def installed(
    request: pytest.FixtureRequest,
    go: str,
    example: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[tuple[str, str], Object]:
    """Argo CD's own installation with our component, as kustomize joins them."""
    folder = tmp_path_factory.mktemp("installation")
    bootstrapped(example, folder / "ours", "--style", "applications", *PLUGIN[1])
    base = {"namespace": _NAMESPACE, "resources": ["install.yaml"]}
    manifests = (shipped(go) / "manifests/install.yaml").read_text("utf-8")
    if request.param == "as it is":
        write_kustomization(folder, {**base, "components": ["ours"]}, manifests)
    else:
        write_kustomization(folder / "base", base, manifests)
        write_kustomization(folder, {"resources": ["base"], "components": ["ours"]})
    return built(folder)


def write_kustomization(folder: Path, content: Object, manifests: str = "") -> None:
    folder.mkdir(exist_ok=True)
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(content), "utf-8")
    if manifests:
        (folder / "install.yaml").write_text(manifests, "utf-8")


def built(folder: Path) -> dict[tuple[str, str], Object]:
    if not shutil.which("kubectl"):
        pytest.skip("kubectl is not installed, which has kustomize in it")
    command = ["kubectl", "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [item for item in yaml.load_all(done.stdout, yaml.CSafeLoader) if item]
    return {(item["kind"], item["metadata"]["name"]): item for item in found}


def test_the_component_joins_argo_cds_installation(
    installed: dict[tuple[str, str], Object], cluster: Client
) -> None:
    server = installed["Deployment", "argocd-repo-server"]
    names = [item["name"] for item in server["spec"]["template"]["spec"]["containers"]]
    assert sorted(names) == ["argocd-repo-server", "servingctl"]
    add_namespace(cluster, _NAMESPACE)
    reply = cluster.apply(server, dry=True)
    assert not reply.is_refusal, reply
    data = installed["ConfigMap", "argocd-cm"]["data"]
    checks = [key for key in data if key.startswith("resource.customizations.health.")]
    assert len(checks) > 1
    assert {("AppProject", "servingctl"), ("Application", "dev-master")} <= installed.keys()


def test_the_sidecar_has_the_configuration(installed: dict[tuple[str, str], Object]) -> None:
    """The ConfigMap that kustomize makes of the plugin's file is the one that is mounted."""
    pod = installed["Deployment", "argocd-repo-server"]["spec"]["template"]["spec"]
    mounted = {item["configMap"]["name"] for item in pod["volumes"] if "configMap" in item}
    (made,) = (name for kind, name in installed if name.startswith("servingctl-plugin"))
    assert made in mounted
    assert "plugin.yaml" in installed["ConfigMap", made]["data"]
    (sidecar,) = (item for item in pod["containers"] if item["name"] == "servingctl")
    known = {item["name"] for item in pod["volumes"]}
    assert {item["name"] for item in sidecar["volumeMounts"]} <= known


def permissions(
    judge: Judge, project: Object, application: Object, things: list[Object]
) -> list[Answer]:
    requests = [
        {"project": project, "application": application, "object": thing} for thing in things
    ]
    return judge.ask("permissions", requests)


def test_the_project_permits_what_is_rendered(
    judge: Judge, objects: dict[str, Object], example: Path, report: Report
) -> None:
    (project,) = of_kind(objects, "AppProject")
    number = 0
    for application in generated(judge, objects, example).values():
        things = objects_in(example / application["spec"]["source"]["path"])
        answers = permissions(judge, project, application, things)
        assert answers == [_ALL] * len(things)
        number += len(things)
    report(f"{number} rendered objects permitted by the project")


FOREIGN = {
    "a Deployment": ("apps/v1", "Deployment", "models"),
    "a Secret": ("v1", "Secret", "models"),
    "a Role": ("rbac.authorization.k8s.io/v1", "Role", "models"),
    "an Application": ("argoproj.io/v1alpha1", "Application", "argocd"),
    "a Domain": ("kuscia.secretflow/v1alpha1", "Domain", ""),
    "a Namespace": ("v1", "Namespace", ""),
    "a ClusterRole": ("rbac.authorization.k8s.io/v1", "ClusterRole", ""),
    "an AppImage in a namespace": ("kuscia.secretflow/v1alpha1", "AppImage", "models"),
    "a RayCluster of another group": ("example.com/v1", "RayCluster", "models"),
}


#: Those that may not be beside a serving unless a list allows them.
REFUSED = (
    "a Deployment", "a Role", "an Application", "a Domain", "a Namespace", "a ClusterRole",
)  # fmt: skip


def is_permitted(judge: Judge, objects: dict[str, Object], example: Path, name: str) -> set[bool]:
    """What Argo CD says to a foreign object, for each of the Applications."""
    (project,) = of_kind(objects, "AppProject")
    version, kind, space = FOREIGN[name]
    about = {"name": "x", **({"namespace": space} if space else {})}
    thing = {"apiVersion": version, "kind": kind, "metadata": about}
    return {
        bool(answer["object"])
        for application in generated(judge, objects, example).values()
        for answer in permissions(judge, project, application, [thing])
    }


@pytest.mark.parametrize("name", FOREIGN)
def test_the_project_permits_what_may_be_beside_a_serving(
    name: str, judge: Judge, objects: dict[str, Object], example: Path
) -> None:
    assert is_permitted(judge, objects, example, name) == {name not in REFUSED}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_project_of_listed_kinds_permits_nothing_else(
    name: str, judge: Judge, listed_objects: dict[str, Object], example: Path
) -> None:
    assert is_permitted(judge, listed_objects, example, name) == {False}


def test_another_repository_or_cluster_is_not_permitted(
    judge: Judge, objects: dict[str, Object], example: Path
) -> None:
    (project,) = of_kind(objects, "AppProject")
    application = generated(judge, objects, example)["dev-master"]
    (thing, *_) = objects_in(example / "rendered/dev/master")
    application["spec"]["source"]["repoURL"] += "-of-another"
    application["spec"]["destination"] = {"name": "another"}
    (answer,) = permissions(judge, project, application, [thing])
    assert not answer["source"]
    assert not answer["destination"]


def test_a_new_destination_needs_a_new_project(
    judge: Judge, objects: dict[str, Object], tmp_path: Path
) -> None:
    """The set finds its folder; Argo CD then says that its project does not permit the cluster."""
    repository = copy_example(tmp_path / "repository")
    add_empty_destination(repository)
    (repository / "rendered/dev/spare").mkdir()
    application = generated(judge, objects, repository)["dev-spare"]
    (before,) = of_kind(objects, "AppProject")
    (after,) = of_kind(bootstrapped(repository, tmp_path / "new"), "AppProject")
    things = objects_in(repository / "rendered/dev/master")[:1]
    told = [permissions(judge, item, application, things)[0] for item in (before, after)]
    assert [answer["destination"] for answer in told] == [False, True]
