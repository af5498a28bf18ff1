"""How many pods a group has is the same for every command that is asked."""

import pytest
import yaml

from renderer import check, render
from renderer.evaluate.question import find_spec
from renderer.inspect.preview import preview
from tests.support.kuberay_edits import SPECS, compared, edited, files_of, group
from tests.support.live import found, status_in
from tests.support.memory import project
from tests.support.pictures import draw_environment, draw_spec

WORKER = "workerGroupSpecs/0"
SCALED = {"enableInTreeAutoscaling": True}
#: What a group says; how many pods it has at first, at least and at most.
NUMBERS = {
    "replicas": ({"replicas": 3}, (3, 3, 3)),
    "suspended": ({"replicas": 3, "suspend": True}, (0, 0, 0)),
    "suspended, with a least": ({"replicas": 3, "minReplicas": 2, "suspend": True}, (0, 0, 0)),
    "resumed": ({"replicas": 3, "suspend": False}, (3, 3, 3)),
    "above the most": ({"replicas": 9}, (5, 5, 5)),
    "below the least": ({"replicas": 1, "minReplicas": 2}, (2, 2, 2)),
    "hosts": ({"replicas": 2, "numOfHosts": 4}, (8, 8, 8)),
    "scaled": ({**SCALED, "minReplicas": 1}, (1, 1, 5)),
    "scaled hosts": ({**SCALED, "minReplicas": 1, "numOfHosts": 2}, (2, 2, 10)),
    "scaled without a bound": ({**SCALED, "maxReplicas": 2147483647}, (0, 0, None)),
}


def repository(more):
    """A cluster with one group of workers, and with fields of its own."""
    own = {key: value for key, value in more.items() if key in SCALED}
    edits = {f"{WORKER}/{key}": value for key, value in more.items() if key not in SCALED}
    return {("RayCluster", "x"): edited(SPECS["RayCluster", "resource"], {**own, **edits})}


def text_of(least, most):
    if most is None:
        return f"{least} or more pods"
    return f"{least} to {most} pods" if least != most else f"{least} pod{'' if least == 1 else 's'}"


@pytest.fixture(params=NUMBERS)
def numbers(request):
    more, expected = NUMBERS[request.param]
    return repository(more), expected


def test_a_preview(numbers):
    specs, (start, least, most) = numbers
    loaded = project(files_of(specs))
    (environment,) = loaded.environments
    made = preview(loaded, render(loaded), environment, find_spec(environment, "x"), {})
    (unit,) = (item for item in made.units if item.unit == "small")
    assert [(pods.start, pods.least, pods.most) for pods in unit.pods] == [(start, least, most)]
    (pod,) = unit.objects
    shown = dict(pod.summary)["pods"]
    assert shown.split()[0] == str(start)
    assert (f"{least} or more as" if most is None else f"{least} to {most} as") in shown or (
        least == most and "as Ray" not in shown
    )


def test_the_picture_of_a_spec(numbers):
    specs, (_, least, most) = numbers
    picture = draw_spec(project(files_of(specs)), "x")
    (card,) = (card for card in picture.groups[0].cards if card.title == "small")
    assert card.rows[0].tag == text_of(least, most)


def test_the_picture_of_an_environment(numbers):
    specs, (_, least, most) = numbers
    picture = draw_environment(project(files_of(specs)))
    (card,) = picture.groups[0].cards
    assert {row.title: row.tag for row in card.rows}["small"] == text_of(least, most)


def test_a_difference(numbers):
    """Two cores each: the cluster comes, and its pods with it."""
    specs, (_, least, most) = numbers
    rows = {row.unit: row for row in compared({}, specs).capacity if row.resource == "cpu"}
    top = max(least, 1) if most is None else most
    asked = [float(rows["small"].after), float(rows["small"].peak)] if "small" in rows else [0, 0]
    assert asked == [2 * least, 2 * top]


def test_a_status(numbers):
    """Where Ray scales workers, the fewest that the spec wants: none of them is there."""
    specs, (_, least, _) = numbers
    loaded = project(files_of(specs))
    (environment,) = loaded.environments
    rendering = render(loaded)
    (manifest,) = rendering.manifests
    live = {"east": found([yaml.load(manifest.text, yaml.CSafeLoader)])}
    (one,) = status_in(rendering, environment, live).specs
    wanted = {unit.unit: unit.wanted for unit in one.status.units}
    assert wanted == {"head": 1, "small": least}


SERVED = {
    "name": "app",
    "import_path": "fruit:app",
    "deployments": [{"name": "D", "ray_actor_options": {"num_cpus": 2}}],
}


@pytest.mark.parametrize(("more", "codes"), [({}, set()), ({"suspend": True}, {"RAY530"})])
def test_rules(more, codes):
    """With its only group of workers suspended, a service has no room for a replica."""
    edits = {"rayClusterConfig/workerGroupSpecs": [group(**more)]}
    edits["serveConfigV2/applications"] = [SERVED]
    specs = {("RayService", "x"): edited(SPECS["RayService", "resource"], edits)}
    told = check(project(files_of(specs)))
    assert {item.code for item in told if item.code[:5] == "RAY53"} == codes


def test_a_group_that_is_resumed():
    """The edit says the same numbers as the capacity does."""
    before, after = (repository({"replicas": 3, "suspend": off}) for off in (True, False))
    told = compared(before, after)
    ((_, impact),) = told.objects[0].impacts
    assert (str(impact.effect), impact.unit) == ("create", "small")
    (cpu,) = (row for row in told.capacity if row.resource == "cpu")
    assert tuple(map(float, cpu[4:])) == (0, 6, 6)
