"""Where objects go: control planes, partners, clusters, registries, names by content, waves."""

import json

import pytest
import yaml

from renderer import load, render
from renderer.render.placement import placements, route, unrouted
from renderer.text.digests import digest
from renderer.values.diagnostics import Origin
from renderer.values.model import Destination, Environment, Kind, Placement, Reference, Spec
from renderer.values.tree import Node
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


class Toy:
    """A platform whose specs do not route themselves."""

    KINDS = (Kind("Job", ""), Kind("Tool", "", prerequisite=True))

    @staticmethod
    def references(spec):
        yield Reference("Tool", "hammer", ())

    @staticmethod
    def place(spec, environment):
        found = route(spec, environment, "toy")
        return Placement(found, found)


class TestGenericRouting:
    def environment(self, repository, *names):
        here = Origin("x")
        spots = tuple(Destination(n, "toy", n, Node({}, here)) for n in names)
        tool = Spec(Toy.KINDS[1], "hammer", "dev", ("t",), Node({}, here))
        named = {("Tool", "hammer"): tool}
        return Environment("dev", ("e",), Node({}, here), spots, (tool,), named), tool

    def job(self, **keys):
        tree = Node({k: Node(v, Origin("j", 3, 14)) for k, v in keys.items()}, Origin("j"))
        return Spec(Toy.KINDS[0], "job", "dev", ("j",), tree)

    def placed(self, environment, *specs):
        found = placements(environment, specs, {"Job": Toy, "Tool": Toy})
        return {key[1]: [item.name for item in value] for key, value in found.items()}

    def test_the_only_destination(self, repository):
        environment, tool = self.environment(repository, "one")
        assert self.placed(environment, self.job(), tool) == {"job": ["one"], "hammer": ["one"]}

    def test_a_named_destination_and_its_prerequisites(self, repository):
        environment, tool = self.environment(repository, "one", "two")
        job = self.job(destination="two")
        assert self.placed(environment, job, tool) == {"job": ["two"], "hammer": ["two"]}
        assert not list(unrouted(job, environment, "toy"))

    @pytest.mark.parametrize(
        ("names", "keys", "part"),
        [
            (["one", "two"], {}, "not clear which of one and two"),
            ([], {}, "no destination of toy"),
            (["east"], {"destination": "est"}, "no destination 'est'"),
        ],
    )
    def test_no_destination_is_an_error(self, repository, names, keys, part):
        environment, _ = self.environment(repository, *names)
        (item,) = unrouted(self.job(**keys), environment, "toy")
        assert item.code == "ENV007"
        assert part in item.message
        assert json.dumps(item.fix)
