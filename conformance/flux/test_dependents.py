"""What Flux does with models on a server and with graphs, which come after their services."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.flux.observation import Marks, changes, now
from conformance.flux.platforms import say_all_is_well, workloads
from conformance.flux.records import compare
from conformance.flux.repository import Repository, read_steps
from conformance.flux.scene import Scene
from conformance.flux.stage import Stage, inventory, told
from conformance.operators.quiet import wait_for
from conformance.operators.records import Row

_PLACE = "prod/gpu-east"
_PATIENCE = 120


@pytest.fixture
def scene(stage: Stage, tmp_path: Path) -> Iterator[Scene]:
    repository = Repository(tmp_path)
    repository.edit(next(read_steps("dependents")))
    found = Scene(stage, repository)
    found.bootstrap()
    try:
        yield found
    finally:
        found.delete([*stage.kustomizations()])
        for source in found.made.sources:
            stage.first.client.delete(source)


def test_dependents_come_after_their_services(scene: Scene, pytestconfig: pytest.Config) -> None:
    found = {}
    for step in read_steps("dependents"):
        if step.name != "all":
            scene.repository.edit(step)
        since = now(scene.stage)
        scene.publish(scene.repository.render())
        wait_for(lambda: _is_done(scene), _PATIENCE)
        found[step.name] = _what_happened(scene, since)
    compare("dependents", found, update=pytestconfig.getoption("--update-observed"))


def _what_happened(scene: Scene, since: Marks) -> Row:
    chain, known = scene.chains[_PLACE], scene.stage.kustomizations()
    lists = changes(scene.stage, [chain], since)
    return {
        "order": [line for change in lists for line in change.order],
        "told": {
            part: told(known[name]).replace(scene.revision, "REVISION")
            for name, part in chain.names.items()
        },
        "applied": {part: inventory(known[name]) for name, part in chain.names.items()},
    }


def _is_done(scene: Scene) -> bool:
    """With platforms that find everything well."""
    client = scene.stage.first.client
    say_all_is_well(client, workloads(client))
    return scene.stage.are_ready([*scene.stage.kustomizations()], scene.revision)
