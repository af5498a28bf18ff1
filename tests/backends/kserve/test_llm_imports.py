"""LLM services and configurations as clusters have them, imported."""

import json

from renderer import render
from renderer.backends.kserve.llm.presets import VERSIONS, presets
from tests.support.adoption import imported, in_memory, with_import
from tests.support.imported_rows import repository
from tests.support.llm_recordings import CASES
from tests.support.llm_rows import ASKED, SETTINGS
from tests.support.replay import HEADER, assert_agreement, every_row, shares
from tests.support.stored import stored

OLDER = {
    name: row
    for name, row in CASES.items()
    if row["given"]["apiVersion"] == "serving.kserve.io/v1alpha1"
}
#: KServe takes them in v1alpha1, whose webhook asks less; v1alpha2 does not have them.
REFUSED_LATER = ("older-lora-twice", "older-with-a-wrong-device-count")
FILES = repository(SETTINGS)
CRITICALITY = "internal.serving.kserve.io/model-criticality"


#: A configuration goes where it is used.
USED = {
    "environments/e/user.yaml": {
        **HEADER,
        "kind": "LLMInferenceService",
        "model": {"uri": "hf://a/b"},
        "baseRefs": [{"name": "chat"}],
    }
}


def files_for(thing):
    return FILES | (USED if thing["kind"] == "LLMInferenceServiceConfig" else {})


def adopted(thing):
    return imported(files_for(thing), {"given.json": json.dumps(thing, indent=1)}, "e")


def rendered(thing, adoption):
    """The object that comes of it."""
    rendering = render(in_memory(with_import(files_for(thing), adoption)), ["e"])
    trees = [item.tree.plain() for item in rendering.manifests]
    (found,) = [tree for tree in trees if tree["kind"] == thing["kind"]]
    return found


def plain(thing):
    """An object as others write it: without our marks, and what the controller writes itself."""
    metadata = {key: dict(thing["metadata"].get(key, {})) for key in ("labels", "annotations")}
    metadata["labels"].pop("app.kubernetes.io/managed-by", None)
    metadata["annotations"].pop("argocd.argoproj.io/sync-wave", None)
    spec = {key: value for key, value in thing["spec"].items() if value != {"uri": ""}}
    kept = {key: value for key, value in metadata.items() if value}
    return {"version": thing["apiVersion"], "metadata": kept, "spec": spec}


def test_older_objects_are_rendered_as_they_are_stored():
    taken = {n: row for n, row in OLDER.items() if row["accepted"] and n not in REFUSED_LATER}
    done = {name: adopted(row["given"]) for name, row in taken.items()}
    assert not {name: item.errors for name, item in done.items() if item.errors}
    assert not {name: item.differences for name, item in done.items() if item.differences}
    assert_agreement(
        (name, plain(stored(row)), plain(rendered(row["given"], done[name])))
        for name, row in taken.items()
    )
    assert len(taken) >= 7


def test_older_objects_that_v1alpha2_refuses_have_errors():
    """All but those that are right once what v1alpha2 does not have is left out."""
    sound = ("older-with-cache", "older-with-a-wrong-criticality")
    taken = {name for name, row in OLDER.items() if row["accepted"]} - {*REFUSED_LATER}
    rest = OLDER.keys() - taken
    assert {name for name in rest if not adopted(OLDER[name]["given"]).errors} == {*sound}


def test_what_conversion_changes_is_said():
    model = {"uri": "hf://a/b", "criticality": "Critical", "confidential": {"enabled": True}}
    pool = {"selector": {"app": "chat"}, "targetPortNumber": 8000, "extensionRef": {"name": "epp"}}
    spec = {
        "model": model | {"lora": {"adapters": [{"name": "x", "uri": "hf://a/x"}]}},
        "kvCacheOffloading": {"cpu": "1Gi"},
        "router": {"route": {}, "scheduler": {"pool": {"spec": pool}}},
    }
    spec["model"]["lora"]["adapters"][0]["criticality"] = "Standard"
    metadata = {"name": "chat", "namespace": "tenant"}
    header = {"apiVersion": "serving.kserve.io/v1alpha1", "kind": "LLMInferenceService"}
    given = {**header, "metadata": metadata, "spec": spec}
    adoption = adopted(given)
    assert not adoption.errors
    assert not adoption.differences
    said = {note.path: note.what for draft in adoption.drafts for note in draft.notes}
    assert said == {
        "apiVersion": "written otherwise",
        "spec.kvCacheOffloading": "left out",
        "spec.model.confidential": "left out",
        "spec.model.criticality": "written otherwise",
        "spec.model.lora.adapters[*].criticality": "written otherwise",
        "spec.router.scheduler.pool.spec": "written otherwise",
    }
    made = rendered(given, adoption)
    assert made["metadata"]["annotations"] == {
        CRITICALITY: "Critical",
        "internal.serving.kserve.io/lora-criticalities": '{"0":"Standard"}',
    }
    assert made["spec"]["router"]["scheduler"]["pool"]["spec"] == {
        "appProtocol": "http",
        "endpointPickerRef": {
            "failureMode": "FailClose",
            "group": "",
            "kind": "Service",
            "name": "epp",
            "port": {"number": 9002},
        },
        "selector": {"matchLabels": {"app": "chat"}},
        "targetPorts": [{"number": 8000}],
    }


def test_a_group_needs_no_label():
    """The webhook writes it; manifests of people do not have it."""
    route = {"group": "chat", "weight": 90}
    spec = {"model": {"uri": "hf://a/b"}, "router": {"route": route}}
    metadata = {"name": "chat", "namespace": "tenant"}
    header = {"apiVersion": "serving.kserve.io/v1alpha2", "kind": "LLMInferenceService"}
    given = {**header, "metadata": metadata, "spec": spec}
    adoption = adopted(given)
    assert not adoption.differences
    labels = rendered(given, adoption)["metadata"]["labels"]
    assert labels["serving.kserve.io/routing-group"] == "chat"


def test_a_configuration_of_all_namespaces_stays_where_it_is():
    """KServe looks for it in its own namespace as well."""
    header = {"apiVersion": "serving.kserve.io/v1alpha2", "kind": "LLMInferenceServiceConfig"}
    metadata = {"name": "chat", "namespace": "kserve"}
    given = {**header, "metadata": metadata, "spec": {"replicas": 2}}
    adoption = adopted(given)
    assert not adoption.errors
    assert not adoption.differences
    assert rendered(given, adoption)["metadata"]["namespace"] == "kserve"


@shares
def test_the_webhook_changes_nothing_that_is_imported(share):
    rows = {name: row for name, row in ASKED.items() if share(name) and "status" in row}
    given = {name: adopted(row["given"]) for name, row in rows.items()}
    sound = [name for name, adoption in given.items() if not adoption.errors]
    kept = {name: adopted(stored(rows[name])) for name in sound}
    assert not {name: item.differences for name, item in kept.items() if item.differences}
    sides = [
        {name: plain(rendered(rows[name]["given"], side[name])) for name in sound}
        for side in (given, kept)
    ]
    assert_agreement((name, sides[0][name], sides[1][name]) for name in sound)
    assert len(sound) > 180 or share is not every_row


def test_shipped_presets_can_be_kept_as_specs():
    """Who wants pods to stay as they are over an upgrade has copies of them."""
    for version in VERSIONS:
        files = repository({**SETTINGS, "kserve": {"version": version}})
        for name, spec in presets(version).items():
            thing = {
                "apiVersion": "serving.kserve.io/v1alpha2",
                "kind": "LLMInferenceServiceConfig",
                "metadata": {"name": name, "namespace": "tenant"},
                "spec": spec.plain(),
            }
            adoption = imported(files, {"given.json": json.dumps(thing)}, "e")
            assert not adoption.errors, (version, name, adoption.errors)
            assert not adoption.differences, (version, name)
