"""Volumes and claims of caches: KServe makes them once."""

import json

from renderer import render
from renderer.backends.kserve.model_storage.derive import derive
from renderer.values.derivations import Applied, needed_objects
from tests.support.plain_rows import CASES, EDITS, replayed
from tests.support.replay import opened


def applied(row, side, config=None):
    """The cache of a row, and the groups of nodes beside it."""
    given = replayed(row, side)
    settings = {"kserve": {"config": json.dumps(config)}} if config else {}
    opened_project = opened([given._replace(environment={**given.environment, **settings})])
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


def test_the_settings_of_the_cluster_count():
    wanted = {"enabled": True, "jobNamespace": "downloads", "fsGroup": 7}
    data = {"localModel": json.dumps(wanted), "storageInitializer": '{"image": "own/fetch:1"}'}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "data": data}
    (unit,) = derive(applied(EDITS["cache-nothing"], "after", config), None).units
    assert {item.namespace for item in unit.objects} == {"", "downloads"}
    (job,) = (item.content for item in unit.objects if item.kind == "Job")
    pod = job["spec"]["template"]["spec"]
    assert pod["containers"][0]["image"] == "own/fetch:1"
    assert pod["securityContext"] == {"fsGroup": 7}
    assert not any("turns them on" in note for note in unit.notes)


def test_services_use_it_where_kserve_manages_volumes():
    row = CASES["cache-used"]
    data = {"localModel": '{"enabled": true, "disableVolumeManagement": true}'}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "data": data}
    used = volumes(derive(applied(row, "given"), None))
    without = volumes(derive(applied(row, "given", config), None))
    assert used.keys() - without.keys() == {"tenant-asked-tenant-gpu-tenant"}
