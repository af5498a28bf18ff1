"""What rules say that a platform stops at is what an edit breaks, at the edit that brought it."""

import pytest

from renderer import compare
from renderer.changes.comparison import settle_impact
from renderer.changes.kubernetes_behaviour import KINDS
from renderer.values.changes import Effect, Impact
from tests.support.memory import project
from tests.support.repositories import HEADER

SERVICE = "environments/dev/iris.yaml"
RUNTIME = "environments/dev/ours.yaml"
POOL = "nodeSelector: {pool: gpu}\n"
FILES = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": HEADER.format("Environment")
    + "destinations: [{name: east, platform: kubernetes, namespace: models}]\n"
    + "kserve: {version: v0.20.0, default_mode: Knative}\n",
    SERVICE: HEADER.format("InferenceService")
    + "predictor:\n"
    + "  model: {modelFormat: {name: sklearn}, storageUri: gs://iris/v1, runtime: ours}\n",
    RUNTIME: HEADER.format("ServingRuntime")
    + "supportedModelFormats: [{name: sklearn}]\nprotocolVersions: [v1]\n"
    + "containers: [{name: kserve-container, image: 'example/server:v1'}]\n",
}
STOPPED = {**FILES, SERVICE: f"{FILES[SERVICE]}  timeout: 900\n"}


def impacts(before, after):
    """By the last part of each change's path, or nothing for the object: its effects."""
    found = compare(project(before), project(after))
    return [
        (str(item.change.manifest.spec), cause.path[-1] if cause else None, str(impact.effect))
        for item in found.objects
        for cause, impact in item.impacts
    ]


@pytest.mark.parametrize("line", ["timeout: 900\n", POOL], ids=["a value", "a key"])
def test_a_finding_stands_at_the_edit_that_brings_it(line):
    """Knative refuses the new revision as a whole, so that the other edit waits."""
    after = {**FILES, SERVICE: FILES[SERVICE].replace("iris/v1", "iris/v2") + f"  {line}"}
    assert set(impacts(FILES, after)) == {
        ("InferenceService/iris", line.partition(":")[0], "breaks"),
        ("InferenceService/iris", "storageUri", "deferred"),
    }


@pytest.mark.parametrize("kind", ["rolling", "revision", "recreated", "scaled", "object-made"])
def test_what_a_platform_would_do_waits_for_what_breaks(kind):
    """It fails before it touches the pods, those too that would stop before new ones start."""
    assert settled(kind) == "deferred"


@pytest.mark.parametrize("kind", ["renamed", "moved", "deleted"])
def test_an_object_of_another_name_does_not_wait(kind):
    """The former one is deleted by whoever applies objects, and with it all that it owns."""
    assert settled(kind) == KINDS[kind].effect


def settled(name):
    """The effect of a kind of change beside something that breaks."""
    unit = ("east", "InferenceService/iris", "predictor")
    change = KINDS[name]
    found = Impact(change.effect, *unit, "It is so.", "", by_platform=change.by_platform)
    return settle_impact(found, [found, Impact(Effect.BREAKS, *unit, "It fails.", "")]).effect


def test_what_a_service_gets_of_its_runtime_stands_at_the_edit_of_that():
    after = {**FILES, RUNTIME: FILES[RUNTIME] + POOL}
    assert impacts(FILES, after) == [("ServingRuntime/ours", None, "breaks")]


@pytest.mark.parametrize("key", ["timeout", "storageUri"])
def test_what_stopped_it_before_is_not_what_the_edit_breaks(key):
    edit = {"timeout": ("900", "901"), "storageUri": ("iris/v1", "iris/v2")}[key]
    found = impacts(STOPPED, {**STOPPED, SERVICE: STOPPED[SERVICE].replace(*edit)})
    assert [name for _, name, _ in found] == [key]


def test_a_finding_that_stops_nothing_breaks_nothing():
    loose = {**FILES, SERVICE: f"{FILES[SERVICE]}  minReplicas: 0\n"}
    assert "breaks" not in {effect for *_, effect in impacts(FILES, loose)}


def test_a_runtime_reaches_services_that_stay_as_they_are():
    after = {**FILES, RUNTIME: FILES[RUNTIME].replace("server:v1", "server:v2")}
    [found] = compare(project(FILES), project(after)).reach
    assert {one.spec for one in found.specs} == {"ServingRuntime/ours", "InferenceService/iris"}
