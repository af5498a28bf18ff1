"""AppImages and configurations come before the servings that need them, in every form of output."""

from posixpath import normpath

import pytest
import yaml

from renderer import compare, render
from renderer.cli.render_request import RenderRequest
from renderer.cli.render_request import render as render_request
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.repositories import DESCRIPTION, ENVIRONMENT, IMAGE, SCORER, SMALL

EXAMPLE = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in [ROOT / "servingctl.yaml", *sorted((ROOT / "environments").rglob("*.yaml"))]
}
#: Two destinations of one cluster; AppImages go to the one that is written first.
ONE_CLUSTER = ENVIRONMENT.replace(
    "  - name: east\n    platform: kuscia\n    domains: [alice, bob]\n",
    "  - {name: zone, platform: kuscia, cluster: c, domains: [bob]}\n"
    "  - {name: area, platform: kuscia, cluster: c, domains: [alice]}\n",
)
REPOSITORIES = {"small": SMALL, "example": EXAMPLE, "cluster": {**SMALL, DESCRIPTION: ONE_CLUSTER}}
FIRST, LATER = "AppImage", "KusciaDeployment"
#: What others refer to, by kind and, where file names have the order, by folder.
EARLY = (FIRST, "LLMInferenceServiceConfig", "appimages")
LIST = "kustomization.yaml"
WAVE = "argocd.argoproj.io/sync-wave"


def is_in_order(kinds):
    """Whether what others refer to comes before all else, and there are some servings too."""
    kinds = list(kinds)
    assert {*kinds} >= {FIRST, LATER}
    return kinds == sorted(kinds, key=is_later)


def is_later(kind):
    return kind not in EARLY


def listed(listing):
    return yaml.safe_load(listing.text)["resources"]


def kind_of(item):
    return item.tree.get("kind").value


@pytest.fixture(params=REPOSITORIES)
def rendering(request):
    made = render(project(REPOSITORIES[request.param]))
    assert made.is_sound
    return made


def test_the_order_to_apply_them_in(rendering):
    assert is_in_order(kind_of(item) for item in rendering.apply_order)


def test_lists_for_kustomize(rendering):
    by_path = {item.path: kind_of(item) for item in rendering.manifests}
    listings = [item for item in rendering.files() if item.path.endswith("/kustomization.yaml")]
    assert listings
    for listing in listings:
        folder = listing.path.removesuffix("kustomization.yaml")
        kinds = [by_path[normpath(folder + path)] for path in listed(listing)]
        assert kinds == sorted(kinds, key=is_later)


def test_lists_for_flux(rendering):
    """What is applied first in one, all else in the other, together just what kustomize has."""
    listings = {item.path: listed(item) for item in rendering.files() if not item.identity}
    for folder in rendering.destinations:
        first, then = (
            [
                path.removeprefix("../../")
                for path in listings[f"{folder}/{name}/kustomization.yaml"]
            ]
            for name in ("flux/prerequisites", "flux/workloads")
        )
        assert first + then == listings[f"{folder}/kustomization.yaml"]
        kinds = {item.path: kind_of(item) for item in rendering.manifests}
        assert not any(is_later(kinds[f"{folder}/{path}"]) for path in first)
        assert all(is_later(kinds[f"{folder}/{path}"]) for path in then)


def test_files_by_name(rendering):
    """As `kubectl apply --recursive` walks the folder of a destination."""
    folders = {item.path.rsplit("/", 2)[0] for item in rendering.manifests}
    for folder in folders:
        below = sorted(item.path.split("/") for item in rendering.manifests)
        kinds = [path[2] for path in below if "/".join(path[:2]) == folder]
        assert kinds == sorted(kinds, key=is_later)


def test_sync_waves(rendering):
    waves = {True: set(), False: set()}
    for item in rendering.manifests:
        node = item.tree.get("metadata", "annotations", WAVE)
        waves[is_later(kind_of(item))].add(int(node.value) if node else 0)
    assert max(waves[False]) < min(waves[True])


@pytest.mark.parametrize("name", REPOSITORIES)
def test_standard_output(name, repository, capfd):
    root = repository(REPOSITORIES[name])
    assert render_request(root, RenderRequest(to_stdout=True, no_cache=True, jobs=1)) == 0
    objects = yaml.safe_load_all(capfd.readouterr().out)
    assert is_in_order(item["kind"] for item in objects)


def test_a_comparison():
    after = {**SMALL, IMAGE: SCORER.replace("tag: v1", "tag: v2")}
    found = compare(project(SMALL), project(after)).objects
    assert is_in_order(kind_of(item.change.manifest) for item in found)


GRAPH = """\
apiVersion: serving.gitops/v1
kind: InferenceGraph
nodes: {root: {routerType: Sequence, steps: [{name: a, serviceUrl: "http://a.example.com"}]}}
"""
CLUSTER = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: east, platform: kubernetes, namespace: models}]
"""
SERVICE = """\
apiVersion: serving.gitops/v1
kind: InferenceService
predictor: {model: {modelFormat: {name: sklearn}, storageUri: "s3://models/z/1"}}
"""
LISTS = {
    "": {"workloads": ["inferenceservices/z", "inferencegraphs/a"]},
    "companions: {}": {"workloads": ["inferenceservices/z"], "dependents": ["inferencegraphs/a"]},
}


@pytest.mark.parametrize("settings", LISTS)
def test_what_comes_last_is_in_a_list_that_flux_applies(settings):
    """The third one is bootstrapped where there are settings of companions."""
    specs = {"environment": CLUSTER, "a": GRAPH, "z": SERVICE}
    files = {f"environments/dev/{stem}.yaml": text for stem, text in specs.items()}
    made = render(project({"servingctl.yaml": settings, **files}))
    lists = {item.path: listed(item) for item in made.files() if "/flux/" in item.path}
    named = {path.split("/")[3]: paths for path, paths in lists.items()}
    found = {
        name: [path.removeprefix("../../").removesuffix(".yaml") for path in paths]
        for name, paths in named.items()
    }
    assert found == {"prerequisites": [], **LISTS[settings]}
