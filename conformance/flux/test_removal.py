"""What stays of a destination that is no longer in the tree, until its Kustomizations go."""

import re
import shutil

import pytest

from conformance.flux.observation import Chain, Marks, changes, now
from conformance.flux.records import compare
from conformance.flux.scene import Scene
from conformance.flux.stage import told
from conformance.operators.quiet import wait_for

_FOLDER = re.compile(r"\S*/kustomization-\d+")


def what_happened(scene: Scene, chain: Chain, since: Marks) -> list[str]:
    return [line for change in changes(scene.stage, [chain], since) for line in change.order]


def test_a_destination_is_taken_away(scene: Scene, pytestconfig: pytest.Config) -> None:
    rendered = scene.repository.render()
    scene.publish(rendered)
    scene.settle()
    chain = scene.chains["prod/gpu-east"]
    since = now(scene.stage)
    shutil.rmtree(rendered / chain.destination)
    scene.publish(rendered)
    first, second = chain.names
    wait_for(lambda: "not found" in told(scene.stage.kustomization(first)))
    found: dict[str, object] = {
        "folder gone, told": _FOLDER.sub("FOLDER", told(scene.stage.kustomization(first))),
        "folder gone, changes": what_happened(scene, chain, since),
    }
    for name, part in ((second, "workloads"), (first, "prerequisites")):
        since = now(scene.stage)
        scene.delete([name])
        found[f"{part} deleted, changes"] = what_happened(scene, chain, since)
    chain, since = scene.chains["prod/alice"], now(scene.stage)
    scene.delete([*chain.names])
    # Neither waits for the other, so that the order may be another one the next time.
    found["both deleted at once, changes"] = sorted(what_happened(scene, chain, since))
    compare("removal", found, update=pytestconfig.getoption("--update-observed"))
