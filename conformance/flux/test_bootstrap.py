"""What `bootstrap flux` writes is what the kinds of Flux allow, and fits what sources give."""

import pytest

from conformance.conftest import Report
from conformance.flux.observation import now, rows_of
from conformance.flux.records import read
from conformance.flux.repository import Repository, read_steps
from conformance.flux.scene import scene_at
from conformance.flux.stage import Stage
from conformance.kubernetes.client import Client


@pytest.mark.parametrize("source", ["git", "oci"])
def test_the_kinds_of_flux_allow_it(
    source: str, first: Client, repository: Repository, report: Report
) -> None:
    repository.edit(next(read_steps()))
    made = repository.bootstrap(source)
    replies = [first.apply(thing, dry=True) for thing in (*made.sources, *made.kustomizations)]
    assert [reply.body for reply in replies if reply.is_refusal] == []
    report(f"{source}: {len(replies)} objects, applied strictly")


def test_bundles_are_applied_as_the_tree_is(stage: Stage, repository: Repository) -> None:
    with scene_at(stage, repository, "example", "oci") as scene:
        since = now(stage)
        scene.publish_bundles()
        scene.settle()
        rows = list(rows_of(stage, "example", scene.chains.values(), since))
    assert rows == [row for row in read("steps") if row["step"] == "example"]
