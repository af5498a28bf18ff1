"""`servingctl bootstrap`: what is printed, what is written, and that it fits the rendered tree."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.support.git import git
from tests.support.places import ROOT
from tests.support.processes import run, snapshot
from tests.support.repositories import DESCRIPTION, ENVIRONMENT, IMAGE, RISK, SERVING

pytestmark = pytest.mark.process
needs_kubectl = pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
REPO = ("--repo", "https://git.example/specs")
TWO = ENVIRONMENT.replace("domains: [alice, bob]\n", "domains: [alice]\n").replace(
    "kuscia: ",
    "  - {name: west, platform: kuscia, domains: [bob], kubeconfig_secret: west}\nkuscia: ",
)
FLUX = ("flux/prerequisites", "flux/workloads")


def bootstrap(root, *words, expect=0):
    done = run("bootstrap", *words, cwd=root)
    assert done.returncode == expect, done.stderr
    return done


def documents(text):
    return [item for item in yaml.safe_load_all(text) if item]


def order(plane):
    """What is said of an environment with a partner: Kuscia does not try a copy again."""
    return (
        f"dev: AppImages must be at {plane} and partner before a KusciaDeployment uses them, "
        "and no controller waits for another: add one in one commit, use it in the next\n"
    )


def test_without_a_folder_it_is_printed(repository):
    root = repository()
    before = snapshot(root)
    done = bootstrap(root, "argocd", *REPO)
    kinds = [item["kind"] for item in documents(done.stdout)]
    assert kinds == ["AppProject", "ApplicationSet", "ConfigMap", "Component"]
    assert (done.stderr, snapshot(root)) == (order("east"), before)


def test_what_is_not_known_is_to_be_filled_in(repository):
    done = bootstrap(repository(), "argocd", "--plugin")
    assert "https://HOST/OWNER/REPOSITORY" in done.stdout
    assert "HOST/OWNER/servingctl:TAG" in done.stdout
    told = "fill in the words in capitals, or give --repo and --image\n"
    assert done.stderr == told + order("east")


def test_flux_says_where_it_would_apply_things(repository):
    root = repository()
    told = bootstrap(root, "flux", *REPO).stderr
    assert told == (
        "dev/east has no kubeconfig_secret: Flux applies to the cluster that it runs in; "
        "if that is another, set it\n"
    ) + order("east")
    text = ENVIRONMENT.replace("kuscia\n", "kuscia\n    kubeconfig_secret: east\n", 1)
    (root / DESCRIPTION).write_text(text)
    assert bootstrap(root, "flux", *REPO).stderr == order("east")


def test_files_are_written_once_and_replaced_by_force(repository):
    root = repository()
    to = ("--output", "gitops/flux")
    told = bootstrap(root, "flux", *REPO, *to).stderr
    assert told.startswith("2 files written to gitops/flux, 0 unchanged\n")
    told = bootstrap(root, "flux", *REPO, *to).stderr
    assert told.startswith("0 files written to gitops/flux, 2 unchanged\n")
    (root / DESCRIPTION).write_text(TWO)
    (root / "gitops/flux/mine.yaml").write_text("mine")
    before = snapshot(root)
    refused = bootstrap(root, "flux", *REPO, *to, expect=2).stderr
    assert "gitops/flux/kustomizations.yaml is there already and differs" in refused
    assert "--force replaces" in refused
    assert snapshot(root) == before
    told = bootstrap(root, "flux", *REPO, *to, "--force").stderr
    assert told.startswith("1 file written to gitops/flux, 1 unchanged\n")
    assert (root / "gitops/flux/mine.yaml").read_text() == "mine"


def test_no_link_is_followed(repository, tmp_path):
    root = repository()
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "gitops").mkdir()
    (root / "gitops/plugin").symlink_to(outside)
    words = ("argocd", *REPO, "--plugin", "--image", "i", "--output", "gitops")
    assert "behind a link" in bootstrap(root, *words, expect=3).stderr
    assert [*outside.iterdir()] == []
    assert [path.name for path in (root / "gitops").iterdir()] == ["plugin"]


@pytest.mark.parametrize("what", ["argocd", "flux"])
def test_a_broken_environment_is_told_and_nothing_is_written(repository, what):
    root = repository({DESCRIPTION: ENVIRONMENT.replace("platform: kuscia", "platfrm: kuscia")})
    done = bootstrap(root, what, *REPO, "--output", "gitops", expect=1)
    assert f"{DESCRIPTION}:5:5: error: " in done.stderr
    assert "nothing was written" in done.stderr
    assert not (root / "gitops").exists()


@pytest.mark.parametrize("path", [RISK, IMAGE])
def test_a_broken_spec_is_not_in_the_way(repository, path):
    bootstrap(repository({path: "kind: Serving\nparties: 3\n"}), "argocd", *REPO)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["argocd", "--image", "x"], "add --plugin"),
        (["argocd", "--repo", "https://me:pw@git.example/x"], "holds more than a place"),
        (["flux", "--source", "oci", *REPO], "begins with oci://"),
        (["flux", "--style", "applications"], "No such option"),
        (["argo"], "No such command 'argo'"),
    ],
)
def test_wrong_usage(repository, words, why):
    told = bootstrap(repository(), *words, expect=2).stderr
    assert why in told
    assert "pw" not in told


@pytest.mark.parametrize("server", ["https://me:pw@h", "http://h", "h:6443", "https://h/?token=x"])
def test_an_address_of_a_cluster_holds_no_secret(repository, server):
    text = ENVIRONMENT.replace("kuscia\n", f"kuscia\n    server: {server}\n", 1)
    root = repository({DESCRIPTION: text})
    done = run("validate", cwd=root)
    assert done.returncode == 1
    assert f"{DESCRIPTION}:6:13: error: destinations[0].server is " in done.stdout
    assert "https://host:6443, without user and password" in done.stdout


def test_specs_below_the_top_of_a_repository(tmp_path_factory, repository):
    top = tmp_path_factory.mktemp("top")
    git(top, "init", "-q")
    root = Path(shutil.copytree(repository(), top / "models/specs"))
    assert the_set(root)["generators"][0]["git"]["directories"][0]["path"] == (
        "models/specs/rendered/*/*"
    )


def the_set(root):
    printed = documents(bootstrap(root, "argocd", *REPO).stdout)
    (found,) = [item for item in printed if item["kind"] == "ApplicationSet"]
    return found["spec"]


def test_teams_and_what_flux_waits_for(repository):
    """The options reach what is written; without them no file is another one."""
    root = repository()
    usual = documents(bootstrap(root, "flux", *REPO).stdout)
    path = root / DESCRIPTION
    path.write_text(path.read_text().replace("name: east\n", "name: east\n    project: team\n"))
    assert documents(bootstrap(root, "flux", *REPO).stdout) == usual
    done = bootstrap(root, "flux", *REPO, "--timeout", "30m", "--wait", "prerequisites")
    specs = [item["spec"] for item in documents(done.stdout) if item["kind"] == "Kustomization"]
    assert {(spec["timeout"], spec["wait"]) for spec in specs} == {("30m", True), ("30m", False)}
    assert "is no duration" in bootstrap(root, "flux", "--timeout", "soon", expect=2).stderr
    for tool in ("argocd", "flux"):
        assert (
            "no namespace, which keeps teams apart"
            in bootstrap(root, tool, "--teams", expect=3).stderr
        )


def test_a_set_over_files_knows_where_they_are(repository):
    """In the repository, which may be above the specs; a file whose destination went is named."""
    root = repository()
    words = ("argocd", "--style", "files", *REPO)
    assert "add --output" in bootstrap(root, *words, expect=2).stderr
    assert (
        "outside of the repository" in bootstrap(root, *words, "--output", "../x", expect=2).stderr
    )
    bootstrap(root, *words, "--output", "gitops/argocd")
    (made,) = documents((root / "gitops/argocd/applicationset.yaml").read_text())
    (generator,) = made["spec"]["generators"]
    assert generator["git"]["files"] == [{"path": "gitops/argocd/destinations/*.yaml"}]
    (root / "gitops/argocd/destinations/gone.yaml").write_text("")
    left = bootstrap(root, *words, "--output", "gitops/argocd").stderr
    assert "destinations/gone.yaml is of an earlier run" in left


def test_files_of_another_style_are_named(repository):
    root = repository()
    words = ("argocd", *REPO, "--output", "gitops")
    bootstrap(root, *words, "--plugin", "--image", "i")
    told = bootstrap(root, *words, "--style", "applications", "--force").stderr
    left = ["applicationset.yaml", "plugin/plugin.yaml", "plugin/repo-server.yaml"]
    for name in left:
        assert f"gitops/{name}" in told
    assert "are of an earlier run with other options; delete what is not used" in told


def test_what_argo_cd_cannot_keep_in_order_is_told(repository):
    one = ENVIRONMENT.replace("domains: [alice, bob]\n", "cluster: c\n    domains: [alice]\n")
    two = "  - {name: west, platform: kuscia, cluster: c, domains: [bob]}\nkuscia: "
    root = repository({DESCRIPTION: one.replace("kuscia: ", two)})
    assert bootstrap(root, "argocd", *REPO).stderr == (
        "what dev/west needs may be in another destination of its cluster: "
        "Argo CD keeps no order between two applications\n"
    ) + order("c")


def test_nothing_is_said_of_an_order_within_one_control_plane(repository):
    root = repository({DESCRIPTION: ENVIRONMENT.replace("[partner]", "[]")})
    assert bootstrap(root, "argocd", *REPO).stderr == ""


def test_git_that_does_not_say_where_specs_are(repository):
    root = repository()
    (root / ".git").write_text("gitdir: /nowhere\n")
    assert "Git does not say where" in bootstrap(root, "argocd", *REPO, expect=3).stderr


@pytest.mark.parametrize(
    ("field", "value"), [("project", "A"), ("project", "-x"), ("kubeconfig_secret", "a_b")]
)
def test_names_for_controllers(repository, field, value):
    text = ENVIRONMENT.replace("kuscia\n", f"kuscia\n    {field}: {value}\n", 1)
    done = run("validate", cwd=repository({DESCRIPTION: text}))
    assert done.returncode == 1
    assert f"{DESCRIPTION}:6:" in done.stdout
    assert "lower-case letters" in done.stdout


class TestTheRenderedTree:
    """After every edit, the tree has what controllers were told to look for."""

    @pytest.fixture
    def root(self, repository):
        return repository({DESCRIPTION: TWO})

    @staticmethod
    def is_consistent(root):
        done = run("render", "--allow-empty", cwd=root)
        assert done.returncode == 0, done.stdout
        printed = documents(bootstrap(root, "flux", *REPO).stdout)
        specs = {
            item["metadata"]["name"]: item["spec"] for item in printed if "path" in item["spec"]
        }
        found = the_set(root)["generators"][0]["git"]["directories"]
        assert found[0]["path"] == "rendered/*/*"
        folders = {str(path.relative_to(root)) for path in root.glob("rendered/*/[!.]*")}
        lists = {spec["path"] for spec in specs.values()}
        assert lists == {f"./{folder}/{name}" for folder in folders for name in FLUX}
        held = {}
        for folder in folders:
            for name in ("", *FLUX):
                place = root / folder / name
                listed = yaml.safe_load((place / "kustomization.yaml").read_text())["resources"]
                held[folder, name] = {os.path.normpath(place / path) for path in listed}
            first, then = (held[folder, name] for name in FLUX)
            assert not first & then
            assert first | then == held[folder, ""]
            files = {str(path) for path in (root / folder).glob("*/*.yaml")}
            assert held[folder, ""] == files
        return {Path(path).relative_to(root / "rendered").as_posix()
                for paths in held.values() for path in paths}  # fmt: skip

    def test_a_spec_renamed_deleted_and_moved(self, root):
        start = self.is_consistent(root)
        assert "dev/east/kusciadeployments/risk.yaml" in start
        renamed = (root / RISK).with_name("other.yaml")
        (root / RISK).rename(renamed)
        found = self.is_consistent(root)
        assert start ^ found == {f"dev/east/kusciadeployments/{n}.yaml" for n in ("risk", "other")}
        renamed.write_text(SERVING.replace("initiator: alice", "initiator: bob"))
        found = self.is_consistent(root)
        assert "dev/west/kusciadeployments/other.yaml" in found
        assert "dev/east/kusciadeployments/other.yaml" not in found
        renamed.unlink()
        assert self.is_consistent(root) == set()
        assert (root / "rendered/dev/west/flux/workloads/kustomization.yaml").exists()

    def test_a_destination_that_comes_and_goes(self, root):
        self.is_consistent(root)
        (root / DESCRIPTION).write_text(ENVIRONMENT)
        found = self.is_consistent(root)
        assert {path.split("/")[1] for path in found} == {"east"}
        assert not (root / "rendered/dev/west").exists()


@needs_kubectl
@pytest.mark.parametrize(
    "folder", sorted(ROOT.glob("rendered/*/[!.]*")), ids=lambda p: f"{p.parent.name}/{p.name}"
)
def test_kustomize_makes_the_objects_of_the_example(folder):
    files = [path.read_text("utf-8") for path in folder.glob("*/*.yaml")]
    wanted = sorted(map(str, (yaml.safe_load(text) for text in files)))
    built = documents(kustomize(folder))
    assert sorted(map(str, map(in_order, built))) == sorted(
        str(in_order(yaml.safe_load(text))) for text in files
    )
    assert len(built) == len(wanted)
    # As Flux builds it: files beside the folder may be named.
    pairs = [documents(kustomize(folder / name, "--load-restrictor=LoadRestrictionsNone"))
             for name in FLUX]  # fmt: skip
    assert sorted(map(str, (*pairs[0], *pairs[1]))) == sorted(map(str, built))


@needs_kubectl
def test_kustomize_builds_what_the_page_says(tmp_path):
    """Every folder that is written, by `docs/gitops.md`."""
    for tool in ("argocd", "flux"):
        bootstrap(ROOT, tool, *REPO, "--output", str(tmp_path / tool))
    (place, *_) = sorted(ROOT.glob("rendered/*/[!.]*"))
    lists = sorted((place / "flux").iterdir())
    assert len(documents(kustomize(tmp_path / "argocd"))) == 2
    for folder in (*lists, tmp_path / "flux", place.parent, place.parent.parent):
        done = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, text=True)
        empty = (
            folder in lists
            and not yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
        )
        reason = "security; file" if folder in lists else "unable to find one of"
        assert empty or (done.returncode and reason in done.stderr), folder


def in_order(data):
    """The same data with the keys of mappings sorted."""
    if isinstance(data, dict):
        return {key: in_order(data[key]) for key in sorted(data)}
    return [in_order(item) for item in data] if isinstance(data, list) else data


def kustomize(folder, *options):
    command = ["kubectl", "kustomize", *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_kubectl
@pytest.mark.parametrize("namespace", ["", ", namespace: argocd"], ids=["without", "with"])
def test_the_component_joins_an_installation_of_argo_cd(repository, namespace):
    root = repository()
    bootstrap(root, "argocd", *REPO, "--plugin", "--image", "r.example/s:1", "--output", "a/ours")
    own = "" if namespace else "namespace: argocd\n"
    (root / "a/kustomization.yaml").write_text(
        f"resources: [install.yaml]\ncomponents: [ours]\n{own}"
    )
    (root / "a/install.yaml").write_text(INSTALLATION.replace(", NAMESPACE", namespace))
    found = {item["kind"]: item for item in documents(kustomize(root / "a"))
             if item["metadata"]["name"] != "argocd-cm"}  # fmt: skip
    pod = found["Deployment"]["spec"]["template"]["spec"]
    assert [item["name"] for item in pod["containers"]] == ["servingctl", "argocd-repo-server"]
    generated = found["ConfigMap"]
    assert yaml.safe_load(generated["data"]["plugin.yaml"])["kind"] == "ConfigManagementPlugin"
    mounted = [item["configMap"]["name"] for item in pod["volumes"] if "configMap" in item]
    assert mounted == [generated["metadata"]["name"]]
    (settings,) = [item for item in documents(kustomize(root / "a"))
                   if item["metadata"]["name"] == "argocd-cm"]  # fmt: skip
    assert settings["data"]["url"] == "https://argocd.example"
    assert len(settings["data"]) > 1
    assert {"AppProject", "ApplicationSet"} <= found.keys()


INSTALLATION = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, NAMESPACE}
data: {url: https://argocd.example}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: argocd-repo-server, NAMESPACE}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers: [{name: argocd-repo-server, image: argocd}]
      volumes: [{name: var-files, emptyDir: {}}, {name: plugins, emptyDir: {}}]
"""
