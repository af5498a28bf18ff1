"""Where objects go: control planes, partners, clusters, registries, names by content, waves."""

import pytest
import yaml

from renderer import load, render
from renderer.text.digests import digest
from tests.support.repositories import HEADER, SERVING, SMALL, texts

DESCRIPTION = "environments/dev/environment.yaml"
RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"


def plane(name, *domains, **keys):
    return {"name": name, "platform": "kuscia", "domains": list(domains), **keys}


def files(repository, *destinations, changes=None, **kuscia):
    described = {"destinations": list(destinations), **({"kuscia": kuscia} if kuscia else {})}
    text = HEADER.format("Environment") + yaml.safe_dump(described)
    rendering = render(load(repository({DESCRIPTION: text, **(changes or {})})))
    assert rendering.is_sound, rendering.diagnostics
    return {path.removeprefix("dev/"): text for path, text in texts(rendering).items()}


def objects(made):
    return sorted(path for path in made if not path.endswith("kustomization.yaml"))


def test_centralised(repository):
    made = files(repository, plane("master", "alice", "bob"))
    assert objects(made) == [
        "master/appimages/pair.yaml",
        "master/appimages/scorer.yaml",
        "master/kusciadeployments/risk.yaml",
    ]


def test_peer_to_peer(repository):
    made = files(repository, plane("a", "alice"), plane("b", "bob"), plane("c", "carol"))
    assert objects(made) == [
        "a/appimages/pair.yaml",
        "a/appimages/scorer.yaml",
        "a/kusciadeployments/risk.yaml",
        "b/appimages/pair.yaml",
        "b/appimages/scorer.yaml",
    ]


def test_a_partners_repository_has_images_and_no_deployment(repository):
    made = files(repository, plane("b", "bob"), external_domains=["alice"])
    assert objects(made) == ["b/appimages/pair.yaml", "b/appimages/scorer.yaml"]


def test_nothing_is_made_for_a_partner(repository):
    made = files(repository, plane("a", "alice"), external_domains=["bob"])
    assert {path.split("/")[0] for path in made} == {"a"}


def test_one_cluster_gets_an_image_once(repository):
    made = files(repository, plane("a", "alice", cluster="k3s"), plane("b", "bob", cluster="k3s"))
    assert objects(made) == [
        "a/appimages/pair.yaml",
        "a/appimages/scorer.yaml",
        "a/kusciadeployments/risk.yaml",
    ]


@pytest.mark.parametrize(
    ("registry", "expected"),
    [
        ({"example": "mirror.local:5000/x"}, "mirror.local:5000/x/scorer"),
        ({"example/scorer": "other/thing"}, "other/thing"),
        ({"exam": "no"}, "example/scorer"),
        ({"example": "short", "example/scorer": "long"}, "long"),
    ],
)
def test_registries(repository, registry, expected):
    made = files(repository, plane("a", "alice"), plane("b", "bob", image_registry=registry))
    image = yaml.safe_load(made["b/appimages/scorer.yaml"])["spec"]["image"]["name"]
    untouched = yaml.safe_load(made["a/appimages/scorer.yaml"])["spec"]["image"]["name"]
    assert (image, untouched) == (expected, "example/scorer")


class TestPlainNames:
    def test_the_deployment_changes_with_its_images(self, repository):
        def annotation(**changes):
            made = files(repository, plane("m", "alice", "bob"), changes=changes)
            deployment = yaml.safe_load(made["m/kusciadeployments/risk.yaml"])
            return deployment["metadata"]["annotations"]["serving.gitops/appimage-digest"], made

        before, made = annotation()
        images = {
            name: yaml.safe_load(made[f"m/appimages/{name}.yaml"])["spec"]
            for name in ("pair", "scorer")
        }
        assert before == f"sha256:{digest(images)}"
        after, _ = annotation(**{IMAGE: SMALL[IMAGE].replace("tag: v1", "tag: v2")})
        assert after != before
        other = "environments/dev/appimages/other.yaml"
        unrelated, _ = annotation(**{IMAGE: SMALL[IMAGE], other: SMALL[IMAGE]})
        assert unrelated == before


class TestNamesByContent:
    PLANES = (plane("a", "alice"), plane("b", "bob", image_registry={"example": "mirror/x"}))

    def made(self, repository, image=SMALL[IMAGE]):
        return files(repository, *self.PLANES, changes={IMAGE: image}, appimage_naming="hashed")

    def test_references_follow_and_control_planes_agree(self, repository):
        made = self.made(repository)
        names = {path.split("/")[-1].removesuffix(".yaml") for path in made if "appimages" in path}
        deployment = yaml.safe_load(made["a/kusciadeployments/risk.yaml"])
        used = {party["appImageRef"] for party in deployment["spec"]["parties"]}
        assert used == names
        assert len(names) == 2
        assert "serving.gitops/appimage-digest" not in deployment["metadata"]["annotations"]

    def test_the_name_changes_with_the_content_only(self, repository):
        before = objects(self.made(repository))
        assert objects(self.made(repository)) == before
        after = objects(self.made(repository, SMALL[IMAGE].replace("tag: v1", "tag: v2")))
        assert len(set(before) - set(after)) == 2  # the scorer, in both control planes
        assert [p for p in before if "pair" in p] == [p for p in after if "pair" in p]

    def test_names_stay_within_limits(self, repository):
        long = "environments/dev/appimages/" + "x" * 60 + ".yaml"
        serving = SERVING.replace("app_image: scorer", "app_image: " + "x" * 60)
        changes = {long: SMALL[IMAGE], IMAGE: None, RISK: serving}
        made = files(repository, *self.PLANES, changes=changes, appimage_naming="hashed")
        names = [path.split("/")[-1].removesuffix(".yaml") for path in objects(made)]
        assert max(map(len, names)) == 63

    def test_superseded_ones_are_pruned_last(self, repository):
        made = self.made(repository)
        image = next(text for path, text in made.items() if "a/appimages/scorer" in path)
        annotations = yaml.safe_load(image)["metadata"]["annotations"]
        assert annotations["argocd.argoproj.io/sync-options"] == "PruneLast=true"


def test_prerequisites_come_first_and_flux_keeps_off(repository):
    image = SMALL[IMAGE].replace("workingDir: /work", "workingDir: '/${HOME}'", 1)
    made = files(repository, plane("m", "alice", "bob"), changes={IMAGE: image})
    scorer = yaml.safe_load(made["m/appimages/scorer.yaml"])["metadata"]["annotations"]
    pair = yaml.safe_load(made["m/appimages/pair.yaml"])["metadata"]["annotations"]
    deployment = yaml.safe_load(made["m/kusciadeployments/risk.yaml"])["metadata"]["annotations"]
    assert int(scorer["argocd.argoproj.io/sync-wave"]) < 0
    assert "argocd.argoproj.io/sync-wave" not in deployment
    assert scorer["kustomize.toolkit.fluxcd.io/substitute"] == "disabled"
    assert "kustomize.toolkit.fluxcd.io/substitute" not in {**pair, **deployment}


def test_kustomization_lists_what_is_there(repository):
    made = files(repository, plane("m", "alice", "bob"))
    listing = yaml.safe_load(made["m/kustomization.yaml"])["resources"]
    assert listing == sorted(listing)
    assert [f"m/{path}" for path in listing] == objects(made)
