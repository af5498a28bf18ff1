"""Volumes and claims of caches: KServe makes them once."""

from renderer import render
from renderer.backends.kserve.model_storage.derive import derive
from renderer.values.derivations import Applied, needed_objects
from tests.support.plain_rows import EDITS, replayed
from tests.support.replay import opened


def applied(row, side):
    """The cache of a row, and the groups of nodes beside it."""
    opened_project = opened([replayed(row, side)])
    made = render(opened_project)
    environment = opened_project.environment("row-0")
    item = next(item for item in made.manifests if item.spec.kind.name == "LocalModelCache")
    needed = needed_objects(made.manifests, environment)
    return Applied(item.spec, environment, item.tree, needed, item.destination)


def volumes(derivation):
    (unit,) = derivation.units
    return {item.name: item.content["spec"] for item in unit.objects if item.kind != "Job"}


def test_what_is_there_stays_as_it_is():
    row = EDITS["cache-whose-group-moves"]
    before = derive(applied(row, "before"), None)
    after = derive(applied(row, "after"), before)
    assert volumes(after) == volumes(before)
    assert volumes(derive(applied(row, "after"), None)) != volumes(before)


def test_what_a_cache_no_longer_names_stays():
    row = EDITS["cache-group-removed"]
    before = derive(applied(row, "before"), None)
    after = derive(applied(row, "after"), before)
    assert volumes(after).keys() == volumes(before).keys()
    jobs = [item.name for item in after.units[0].objects if item.kind == "Job"]
    assert jobs == ["tenant-asked-<node of tenant-gpu>"]


def test_a_new_group_gets_its_own():
    row = EDITS["cache-group-added"]
    before = derive(applied(row, "before"), None)
    after = derive(applied(row, "after"), before)
    assert volumes(after).keys() - volumes(before).keys() == {
        "tenant-asked-tenant-web",
        "tenant-asked-tenant-web-download",
    }
