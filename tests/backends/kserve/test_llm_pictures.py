"""Pictures of LLM services, of graphs, and of models on a shared server."""

import shutil
from xml.etree import ElementTree

import pytest

from renderer.io.repository import load
from renderer.outputs import picture as pictures
from tests.support.pictures import draw_environment, draw_spec
from tests.support.places import ROOT

GOLDEN = ROOT / "tests/golden/kserve"


@pytest.fixture
def project(tmp_path):
    def make(name, **specs):
        shutil.copytree(GOLDEN / name, tmp_path / name)
        for stem, text in specs.items():
            (tmp_path / name / f"environments/prod/{stem}.yaml").write_text(text)
        return load(tmp_path / name)

    return make


def cards_of(picture):
    return {card.title: card for group in picture.groups for card in group.cards}


def links_of(picture):
    return {link.name: link.meaning for link in picture.links}


def test_prefill_and_decode_behind_a_scheduler(project):
    picture = draw_spec(project("llm-shapes"), "split")
    cards = cards_of(picture)
    assert [*cards] == ["router", "main", "prefill", "scheduler"]
    assert [row.title for row in cards["router"].rows] == [
        "Gateway kserve/kserve-ingress-gateway",
        "HTTPRoute split-kserve-route",
        "InferencePool split-inference-pool",
    ]
    assert cards["main"].tags == ("decode",)
    assert cards["prefill"].lines[1:3] == ("1 to 4 replicas", "1 GPU each")
    assert cards["scheduler"].rows[0].address == "split-epp-service.models.svc.cluster.local"
    assert links_of(picture) == {
        "requests": "come through the gateway, and the route leads them to the pool",
        "pool": "has the pods of main and prefill",
        "scheduler": "says to the gateway which pod of the pool gets a request",
        "prefill": "reads prompts for main",
    }


def test_groups_over_several_nodes(project):
    picture = draw_spec(project("llm-shapes"), "copies")
    main = cards_of(picture)["main"]
    assert main.lines[1:4] == (
        "2 groups of 2 pods",
        "8 GPUs each",
        "tensor 1, data 16, 8 on a node",
    )
    assert [(row.title, row.note) for row in main.rows] == [
        ("requests", "the leader of each group"),
        ("workers", "1 pod of each group"),
    ]
    assert links_of(picture)["main"] == "leaders work with their workers"


def test_the_team_has_its_gateway_or_its_route(project):
    found = project("llm-shapes")
    routed, guided = draw_spec(found, "routed"), draw_spec(found, "guided")
    assert cards_of(routed)["router"].rows[0].title == "Gateway gateways/team"
    assert links_of(routed) == {
        "requests": "come through the gateway, and the route leads them to main",
        "l40s": "configures main",
    }
    assert [row.title for row in cards_of(guided)["router"].rows] == ["HTTPRoute guided"]
    assert links_of(guided)["requests"] == "the route leads them to main"


def test_a_stopped_service_has_no_router(project):
    stopped = (GOLDEN / "llm-shapes/environments/prod/split.yaml").read_text() + (
        'metadata: {annotations: {serving.kserve.io/stop: "true"}}\n'
    )
    picture = draw_spec(project("llm-shapes", split=stopped), "split")
    assert picture.links == ()
    assert [card.title for card in cards_of(picture).values()] == ["main", "prefill", "scheduler"]
    assert "stopped" in cards_of(picture)["main"].lines[0]


def test_an_environment_names_roles(project):
    cards = cards_of(draw_environment(project("llm-shapes")))
    assert [(row.title, row.tag) for row in cards["split"].rows] == [
        ("router", ""),
        ("main (decode)", "2 replicas"),
        ("prefill", "1 to 4 replicas"),
        ("scheduler", "2 replicas"),
    ]


def test_the_weight_in_a_group(project):
    text = (GOLDEN / "llm-shapes/environments/prod/routed.yaml").read_text()
    weighted = text.replace("route: {}", "route: {group: chat, weight: 30}")
    picture = draw_spec(project("llm-shapes", routed=weighted), "routed")
    assert cards_of(picture)["router"].rows[1].tag == "weight 30 in chat"
    assert "group chat" in picture.remarks[0]


def test_nodes_and_steps_of_a_graph(project):
    picture = draw_spec(project("graph"), "which-animal")
    cards = cards_of(picture)
    assert [*cards][:4] == ["router", "root", "breeds", "trial"]
    assert cards["root"].lines == ("all steps, one after the other",)
    assert [(row.title, row.address, row.note) for row in cards["root"].rows[1:]] == [
        ("kind", "animals", "must succeed"),
        ("breed", "node breeds", "gets $response"),
    ]
    assert [row.tag for row in cards["trial"].rows[1:]] == ["weight 90", "weight 10"]
    assert cards["dogs"].lines == ("applied here",)
    links = links_of(picture)
    assert links["breeds, step 1"] == 'calls dogs, if [@this].#(predictions.0=="dog")'
    assert links["breeds, step 2"].startswith("goes on at trial")
    assert len(links) == 7


def test_a_service_of_the_name_elsewhere_is_not_the_one_that_a_step_calls(project):
    text = (GOLDEN / "graph/environments/prod/dogs.yaml").read_text()
    found = project("graph", dogs=f"{text}namespace: other\n")
    assert cards_of(draw_spec(found, "which-animal"))["dogs"].lines == ("must be there",)


def test_models_on_their_server(project):
    found = project("several-models")
    server, model = draw_spec(found, "shared"), draw_spec(found, "iris")
    assert [*cards_of(server)] == ["predictor", "iris", "wine"]
    assert links_of(server)["predictor"] == "loads the models"
    assert links_of(model) == {"shared": "loads model iris"}
    rows = cards_of(draw_environment(found))["shared"].rows
    assert [row.title for row in rows] == ["predictor", "model iris", "model wine"]


def test_hostile_addresses_are_drawn(project):
    text = (GOLDEN / "graph/environments/prod/which-animal.yaml").read_text()
    hostile = text.replace("http://cats.trial", "http://[<script>alert(1)</script>")
    found = project("graph", **{"which-animal": hostile})
    for picture in (draw_spec(found, "which-animal"), draw_environment(found)):
        drawn = pictures.FORMATS["svg"](picture)
        ElementTree.fromstring(drawn)
        assert "<script" not in drawn
        assert all(show(picture) for show in pictures.FORMATS.values())


@pytest.mark.parametrize("name", ["llm-shapes", "graph", "several-models"])
def test_links_lead_to_rows(project, name):
    found = project(name)
    kinds = ("LLMInferenceService", "InferenceGraph", "InferenceService", "TrainedModel")
    specs = [str(spec) for spec in found.environments[0].specs if spec.kind.name in kinds]
    for picture in (draw_environment(found), *(draw_spec(found, spec) for spec in specs)):
        keys = [row.key for row in picture.rows()]
        assert len(keys) == len(set(keys))
        assert {key for link in picture.links for key in link.keys} <= set(keys)
