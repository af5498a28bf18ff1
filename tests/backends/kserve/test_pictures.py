"""Pictures of services: components, runtimes and traffic; many services are counted."""

import time
from xml.etree import ElementTree

import pytest

from renderer.evaluate.run import render
from renderer.io.repository import load
from renderer.outputs import picture as pictures
from renderer.values.picture import Exposure, LinkKind
from tests.support.pictures import draw_environment, draw_spec
from tests.support.repositories import HEADER

ENVIRONMENT = HEADER.format("Environment") + (
    "destinations: [{name: lab, platform: kubernetes, namespace: models}]\n"
    "kserve: {version: 0.20.0, default_mode: Standard}\n"
)
SERVICE = HEADER.format("InferenceService")
MODEL = "  model: {modelFormat: {name: sklearn}, storageUri: 'gs://models/iris/v1'}\n"
WHOLE = f"""predictor:
  minReplicas: 4
  maxReplicas: 8
{MODEL}transformer:
  containers: [{{name: prepare, image: 'example/prepare:1'}}]
canary:
  - {{trafficPercent: 10, predictor: {{name: green, model: {{storageUri: 'gs://models/iris/v2'}}}}}}
"""
SERVERLESS = """annotations: {serving.kserve.io/deploymentMode: Knative}
predictor:
  minReplicas: 0
  canaryTrafficPercent: 20
"""
HOSTILE = 'a\\"]--><script>alert(1)</script>'


@pytest.fixture
def environment(repository):
    def make(services, described=ENVIRONMENT):
        files = {f"environments/dev/{name}.yaml": SERVICE + text for name, text in services.items()}
        root = repository(
            {"servingctl.yaml": "", "environments/dev/environment.yaml": described, **files}
        )
        for other in ("servings", "appimages"):
            for path in (root / f"environments/dev/{other}").glob("*.yaml"):
                path.unlink()
        return load(root)

    return make


@pytest.mark.parametrize(
    ("kind", "numbers", "words"),
    [
        ("none", "minReplicas: 0", "0 replicas"),
        ("none", "minReplicas: 2\n  maxReplicas: 5", "2 replicas"),
        ("keda", "minReplicas: 0\n  maxReplicas: 5", "0 to 5 replicas"),
        ("hpa", "minReplicas: 0\n  maxReplicas: 5", "1 to 5 replicas"),
        ("external", "minReplicas: 2", "1 or more replicas"),
    ],
)
def test_replicas_are_those_that_the_autoscaler_allows(environment, kind, numbers, words):
    annotation = f"annotations: {{serving.kserve.io/autoscalerClass: {kind}}}\n"
    found = environment({"iris": f"{annotation}predictor:\n  {numbers}\n{MODEL}"})
    assert drawn(found).groups[0].cards[0].lines[1] == words
    assert draw_environment(found).groups[0].cards[0].rows[0].note == words


def drawn(found, name="iris"):
    return draw_spec(found, name)


def test_components_runtime_and_traffic(environment):
    picture = drawn(environment({"iris": WHOLE}))
    (group,) = picture.groups
    assert (group.title, group.tags) == ("lab, namespace models", ("Standard",))
    assert [row.title for row in group.rows] == [
        "InferenceService iris",
        "runtime kserve-sklearnserver",
    ]
    assert [(card.title, card.tags) for card in group.cards] == [
        ("predictor", ()),
        ("transformer", ()),
        ("predictor/green", ("10 %",)),
    ]
    assert group.cards[0].lines == (
        "kserve/sklearnserver:v0.20.0",
        "3 to 8 replicas",
        "sklearn gs://models/iris/v1",
    )
    assert {link.name: link.meaning for link in picture.links} == {
        "kserve-sklearnserver": "serves the model of predictor and predictor/green",
        "transformer": "prepares requests for the predictor",
        "traffic": "90 % to the predictor and 10 % to predictor/green",
    }
    assert [link.kind for link in picture.links].count(LinkKind.CALL) == 2
    assert "observed" in picture.remarks[0]


def test_only_what_has_a_host_is_called_from_outside(environment):
    (group,) = drawn(environment({"iris": WHOLE})).groups
    rows = {card.title: card.rows[0] for card in group.cards}
    assert rows["transformer"].address == "iris-models.example.com"
    assert rows["transformer"].exposure is Exposure.ANYWHERE
    assert rows["predictor/green"].address == "iris-green-predictor.models.svc.cluster.local"
    assert rows["predictor/green"].exposure is Exposure.OTHERS


def test_revisions_share_traffic_by_history(environment):
    picture = drawn(environment({"iris": SERVERLESS + MODEL}))
    (card,) = picture.groups[0].cards
    assert card.lines[1] == "0 or more replicas"
    assert card.rows[0].address == "iris.models.example.com"
    assert picture.remarks[0].startswith("predictor: 20 % of the traffic")


def test_nothing_is_claimed_of_model_mesh(environment):
    mesh = "annotations: {serving.kserve.io/deploymentMode: ModelMesh}\npredictor:\n"
    found = environment({"iris": mesh + MODEL})
    picture = drawn(found)
    (card,) = picture.groups[0].cards
    assert (card.lines, card.rows) == (("sklearn gs://models/iris/v1",), ())
    assert picture.links == ()
    assert "a controller of its own" in picture.remarks[0]


def test_an_environment_names_its_services(environment):
    services = {"iris": WHOLE, "sales": f"predictor:\n{MODEL}"}
    picture = draw_environment(environment(services))
    assert picture.summary == "1 cluster, 1 namespace, 2 InferenceServices"
    (group,) = picture.groups
    assert [card.title for card in group.cards] == ["iris", "sales"]
    assert [row.tag for row in group.cards[0].rows] == ["", "", "10 %"]
    (link,) = picture.links
    assert link.label == "kserve-sklearnserver: serves the model of 3 components"


def test_many_services_are_counted(environment):
    names = {f"iris-{n}": f"team-{n % 15}" for n in range(300)}
    services = {name: f"namespace: {t}\npredictor:\n{MODEL}" for name, t in names.items()}
    found = environment(services)
    rendering = render(found)
    start = time.process_time()
    picture = draw_environment(found, rendering=rendering)
    assert time.process_time() - start < 2
    assert picture.summary == "1 cluster, 15 namespaces, 300 InferenceServices"
    assert len(picture.groups) == 10
    (card,) = picture.groups[0].cards
    assert (card.title, card.lines) == (
        "InferenceService",
        ("20 pods", "kserve/sklearnserver:v0.20.0"),
    )
    assert [(row.title, row.note) for row in card.rows] == [
        ("20 InferenceServices", "runtime kserve-sklearnserver")
    ]
    assert picture.groups[-1].title == "6 more namespaces"
    assert picture.groups[-1].rows[0].title == "120 InferenceServices"


@pytest.mark.parametrize("form", pictures.FORMATS)
def test_every_format_draws_it(environment, form):
    found = environment({"iris": WHOLE.replace("example/prepare:1", HOSTILE)})
    for picture in (drawn(found), draw_environment(found)):
        text = pictures.FORMATS[form](picture)
        assert "predictor/green" in text
        if form == "svg":
            ElementTree.fromstring(text)
            assert "<script" not in text


def test_keys_are_unique(environment):
    found = environment({"iris": WHOLE, "sales": f"predictor:\n{MODEL}"})
    for picture in (drawn(found), draw_environment(found)):
        keys = [row.key for row in picture.rows()]
        assert len(keys) == len(set(keys))
        assert {key for link in picture.links for key in link.keys} <= set(keys)
