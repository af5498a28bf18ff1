"""What Flux waits for: prerequisites that are ready, and objects that are healthy."""

import time
from pathlib import Path

import pytest
import yaml

from conformance.flux.journal import readiness
from conformance.flux.judge import FAILED, IN_PROGRESS
from conformance.flux.observation import changes, now
from conformance.flux.platforms import say, workloads
from conformance.flux.records import compare
from conformance.flux.scene import Scene
from conformance.flux.stage import inventory, told
from conformance.kubernetes.client import Object
from conformance.operators.quiet import key_of, wait_for
from conformance.operators.tables import merged

#: More than one look of Flux at the health of objects, which are five seconds apart.
_LOOKS = 7
#: One object of each kind, no two of the same destination.
_FAILING = {
    "prod/alice": ("cross-domain", "dataproxy-alice"),
    "dev/lab": ("models-dev", "reviews"),
    "prod/gpu-east": ("models", "notebooks"),
    "prod/gpu-more": ("models-more", "sales"),
}


def say_of_all(scene: Scene, wish: str) -> None:
    for cluster in scene.stage.clusters:
        for thing in workloads(cluster.client):
            say(cluster.client, thing, wish)


def what_they_say(scene: Scene, names: list[str]) -> dict[str, str]:
    known = scene.stage.kustomizations()
    return {name: told(known[name]).replace(scene.revision, "REVISION") for name in names}


def is_failing(scene: Scene, name: str) -> bool:
    conditions = scene.stage.kustomization(name).get("status", {}).get("conditions", ())
    return any(item["type"] == "Ready" and item["status"] == "False" for item in conditions)


def all_applied(scene: Scene, names: list[str]) -> bool:
    known = scene.stage.kustomizations()
    return all(inventory(known[name]) for name in names)


def test_nothing_is_ready_before_its_objects_are(scene: Scene, pytestconfig: pytest.Config) -> None:
    names = [scene.chains[place].workloads["metadata"]["name"] for place in _FAILING]
    found: dict[str, dict[str, str]] = {}
    scene.publish(scene.repository.render())
    wait_for(lambda: all_applied(scene, names))
    time.sleep(_LOOKS)
    found["no status"] = what_they_say(scene, names)
    say_of_all(scene, IN_PROGRESS)
    time.sleep(_LOOKS)
    found["in progress"] = what_they_say(scene, names)
    for thing in workloads(scene.stage.first.client):
        if key_of(thing) in _FAILING.values():
            say(scene.stage.first.client, thing, FAILED)
    wait_for(lambda: all(is_failing(scene, name) for name in names))
    found["one failed"] = what_they_say(scene, names)
    scene.reconcile(names)
    scene.settle()
    found["all current"] = what_they_say(scene, names)
    compare("health_gates", found, update=pytestconfig.getoption("--update-observed"))


def broken(rendered: Path) -> None:
    """An image of alice that the API server refuses, and a change of what uses it."""
    folder = rendered / "prod/alice"
    (image,) = folder.glob("appimages/secretflow-serving-*.yaml")
    edit(image, {"spec": {"deployTemplates": "none"}})
    edit(folder / "kusciadeployments/credit-risk.yaml", {"spec": {"inputConfig": "{}"}})


def edit(path: Path, change: Object) -> None:
    path.write_text(yaml.safe_dump(merged(yaml.safe_load(path.read_text("utf-8")), change)))


def test_a_prerequisite_that_is_refused_holds_the_rest_back(
    scene: Scene, pytestconfig: pytest.Config
) -> None:
    rendered = scene.repository.render()
    scene.publish(rendered)
    scene.settle()
    since, before = now(scene.stage), scene.revision
    broken(rendered)
    scene.publish(rendered)
    scene.settle([name for name in scene.names if not name.startswith("prod-alice")])
    names = [*scene.chains["prod/alice"].names]
    wait_for(lambda: is_failing(scene, names[0]))
    wait_for(lambda: told(scene.stage.kustomization(names[1])).endswith(" is not ready"))
    known = scene.stage.kustomizations()
    found = {
        "told": {name: told(known[name]).splitlines()[0] for name in names},
        "stay at the old revision": [name for name in names if revision_of(known[name]) == before],
        "changes": [
            line
            for change in changes(scene.stage, [scene.chains["prod/alice"]], since)
            for line in change.order
        ],
    }
    compare("refused_prerequisite", found, update=pytestconfig.getoption("--update-observed"))


def revision_of(kustomization: Object) -> str:
    return readiness(kustomization).revision
