"""What Flux does with the example, and with what becomes of it step by step."""

from collections.abc import Iterator

import pytest

from conformance.conftest import Report
from conformance.flux.observation import now, rows_of
from conformance.flux.records import compare, count_steps
from conformance.flux.repository import Repository, read_steps
from conformance.flux.scene import Scene
from conformance.flux.stage import Stage
from conformance.operators.records import Row


def rows_of_steps(stage: Stage, repository: Repository) -> Iterator[Row]:
    """In the end nothing is left but of dev, which goes as well."""
    for step in read_steps():
        repository.edit(step)
        rendered = repository.render()
        scene, since = Scene(stage, repository), now(stage)
        scene.bootstrap()
        scene.publish(rendered)
        scene.settle()
        yield from rows_of(stage, step.name, scene.chains.values(), since)
    scene.delete(scene.names)


def test_the_steps_are_what_flux_does(
    stage: Stage, repository: Repository, pytestconfig: pytest.Config, report: Report
) -> None:
    rows = list(rows_of_steps(stage, repository))
    report(count_steps(rows))
    compare("steps", rows, update=pytestconfig.getoption("--update-observed"))
