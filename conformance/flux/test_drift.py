"""What Flux changes when there is nothing new, and when others have written to its objects."""

from typing import Any
from urllib.parse import quote

import pytest
import yaml

from conformance.conftest import Report
from conformance.flux.journal import KINDS, RENDERED
from conformance.flux.places import HERE
from conformance.flux.records import compare
from conformance.flux.scene import Scene
from conformance.kubernetes.client import Object
from conformance.operators.plain import described, differences
from conformance.operators.quiet import versions_in
from conformance.operators.records import Row

_LISTS = [KINDS[kind] for kind in RENDERED]
_JSON_PATCH = "json-patch+json"


def path_of(name: str) -> str:
    """Where an object is that is called kind/namespace/name, or kind/name."""
    kind, *place, name = name.split("/")
    base, _, plural = KINDS[kind].rpartition("/")
    return "/".join([base, *(f"namespaces/{part}" for part in place), plural, name])


def seen(thing: Object) -> Object:
    return {**described(thing), "finalizers": thing["metadata"].get("finalizers", [])}


def row_of(scene: Scene, write: dict[str, Any]) -> Row:
    """What somebody wrote, and what Flux made of it when it looked again."""
    client, path = scene.stage.first.client, path_of(write["object"])
    before = seen(client.request("GET", path).body)
    whose = f"{path}?fieldManager={quote(write['by'])}"
    reply = client.request("PATCH", whose, write["patch"], _JSON_PATCH)
    assert not reply.is_refusal, reply
    written = seen(reply.body)
    scene.reconcile([*scene.chains[write["destination"]].names])
    now = seen(client.request("GET", path).body)
    if "afterwards" in write:
        client.request("PATCH", path, write["afterwards"], _JSON_PATCH)
    return {
        "name": write["name"],
        "object": write["object"],
        "by": write["by"],
        "written": list(differences(before, written)),
        "changed_by_flux": list(differences(written, now)),
    }


def test_nothing_changes_without_a_reason(
    scene: Scene, pytestconfig: pytest.Config, report: Report
) -> None:
    scene.publish(scene.repository.render())
    scene.settle()
    before = [versions_in(cluster.client, _LISTS) for cluster in scene.stage.clusters]
    scene.reconcile(scene.names)
    after = [versions_in(cluster.client, _LISTS) for cluster in scene.stage.clusters]
    assert after == before
    report(f"{sum(map(len, before))} objects, reconciled twice: none changed")
    writes = yaml.safe_load((HERE / "writes.yaml").read_text("utf-8"))
    rows = [row_of(scene, write) for write in writes]
    compare("drift", rows, update=pytestconfig.getoption("--update-observed"))


def test_what_was_deleted_by_hand_comes_back(scene: Scene) -> None:
    scene.publish(scene.repository.render())
    scene.settle()
    client, path = scene.stage.first.client, path_of("KusciaDeployment/cross-domain/credit-risk")
    before = client.request("GET", path).body
    client.request("DELETE", path)
    assert client.request("GET", path).is_refusal
    scene.reconcile([*scene.chains["prod/alice"].names])
    assert described(client.request("GET", path).body) == described(before)
