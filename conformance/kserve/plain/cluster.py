"""What became of graphs, trained models and caches: waiting until all is quiet, and the look."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from conformance.kserve.cluster import MADE as MADE_OF_SERVICES
from conformance.kserve.plain.cases import CLUSTER_KINDS, NAMESPACE
from conformance.kserve.plain.installation import JOBS
from conformance.kubernetes.client import Client, Object
from conformance.operators.plain import cleaned, described
from conformance.operators.quiet import items_of, versions_in, wait_until_quiet

_GROUP = "/apis/serving.kserve.io/v1alpha1"
OWN = {
    "InferenceGraph": f"{_GROUP}/inferencegraphs",
    "TrainedModel": f"{_GROUP}/trainedmodels",
    "LocalModelCache": f"{_GROUP}/localmodelcaches",
    "LocalModelNodeGroup": f"{_GROUP}/localmodelnodegroups",
    "ClusterStorageContainer": f"{_GROUP}/clusterstoragecontainers",
}
MADE = {
    **MADE_OF_SERVICES,
    "PersistentVolume": "/api/v1/persistentvolumes",
    "PersistentVolumeClaim": "/api/v1/persistentvolumeclaims",
    "Job": "/apis/batch/v1/jobs",
}
SERVICES = "/apis/serving.kserve.io/v1beta1/inferenceservices"
_NODES = f"{_GROUP}/localmodelnodes"
_QUIET = 4.0
_PASSING = ("the object has been modified", "no longer Ready")
#: The models of a server.
_MODELS = "models.json"
#: Models of caches.
_ADDRESS = re.compile(r"gs://tenant[^\"\\]*")
_LEFT_OUT = ("lastTransitionTime", "time", "observedGeneration")
#: Labels of a Job with what Kubernetes draws for it.
_DRAWN = ("controller-uid", "job-name")
Which = tuple[str, str, str]
"""The kind of an object, its namespace if it has one, and its name."""


class Outcome(NamedTuple):
    """An object as it is stored, and what there is because of it."""

    stored: Object
    status: Object
    is_going: bool
    objects: dict[str, Object]
    templates: dict[str, Any]
    uids: dict[str, str]
    events: list[str]


def which(thing: Object) -> Which:
    return thing["kind"], thing["metadata"].get("namespace", ""), thing["metadata"]["name"]


def settle(client: Client, asked: Collection[Which]) -> None:
    """Until KServe has looked at each of them, and nothing has changed for a while."""
    lists = (*OWN.values(), *MADE.values(), SERVICES, _NODES)
    wait_until_quiet(
        _QUIET,
        lambda: versions_in(client, lists),
        lambda: {item[1:] for item in asked} - _looked_at(client, asked),
    )


def _looked_at(client: Client, asked: Collection[Which]) -> set[tuple[str, str]]:
    """What has a status, or is gone; KServe says nothing of groups and of storage containers."""
    silent = {
        which(item)[1:]
        for kind, path in OWN.items()
        for item in _items(client, kind, path)
        if kind not in CLUSTER_KINDS[1:] and not item.get("status")
    }
    return {item[1:] for item in asked} - silent


def _items(client: Client, kind: str, path: str) -> Iterator[Object]:
    for item in items_of(client, path):
        yield {"kind": kind, **item}


def look(client: Client, asked: Iterable[Object]) -> list[Outcome]:
    """All that was asked about, in this order; what is gone has nothing stored."""
    made = list(_made(client))
    events = _events(client)
    known = {which(item): item for kind, path in OWN.items() for item in _items(client, kind, path)}
    return [
        _outcome(known.get(which(thing)), dict(_made_of(thing, made)), events.get(which(thing), ()))
        for thing in asked
    ]


def _made(client: Client) -> Iterator[tuple[str, Object]]:
    for kind, path in MADE.items():
        for item in items_of(client, path):
            yield kind, item


def _made_of(item: Object, made: list[tuple[str, Object]]) -> Iterator[tuple[str, Object]]:
    for kind, thing in made:
        if _is_made_of(item, kind, thing):
            yield _name(kind, thing), thing


def _is_made_of(item: Object, kind: str, thing: Object) -> bool:
    """By its owner; of a cache, what fetches it belongs to the node, and of a model, its server."""
    about, own = thing["metadata"], item["metadata"]
    if item["kind"] == "TrainedModel":
        is_near = about.get("namespace") == own["namespace"]
        return is_near and kind == "ConfigMap" and about["name"].startswith("modelconfig-")
    if item["kind"] == "LocalModelCache" and kind == "Job":
        return bool(about["labels"].get("model") == own["name"])
    owners = about.get("ownerReferences", ())
    is_there = about.get("namespace") == own.get("namespace") or "namespace" not in own
    mine = item["kind"], own["name"]
    return is_there and any((owner["kind"], owner["name"]) == mine for owner in owners)


def _name(kind: str, thing: Object) -> str:
    """Names of Jobs are drawn; claims of one name are in more than one namespace."""
    about = thing["metadata"]
    if kind == "Job":
        return f"{kind}/{about['labels']['model']}-{about['labels']['node']}"
    place = about.get("namespace", "")
    return f"{kind}/{place}/{about['name']}" if place == JOBS else f"{kind}/{about['name']}"


def _outcome(item: Object | None, made: Mapping[str, Object], events: Iterable[str]) -> Outcome:
    return Outcome(
        described({key: item[key] for key in item if key != "kind"}) if item else {},
        _timeless(item.get("status", {})) if item else {},
        bool(item and "deletionTimestamp" in item["metadata"]),
        {name: _content(thing) for name, thing in sorted(made.items())},
        {name: thing.get("spec", {}).get("template", {}) for name, thing in made.items()},
        {name: thing["metadata"]["uid"] for name, thing in made.items()},
        sorted(events),
    )


def _content(thing: Object) -> Object:
    """Kind and name are in the key already."""
    plain = _undrawn(cleaned(thing))
    template = plain.get("spec", {}).get("template", {}).get("spec", {})
    if template.get("enableServiceLinks") is False:
        del template["enableServiceLinks"]  # Knative writes it into what is created
    if _MODELS in plain.get("data", {}):
        plain["data"][_MODELS] = _sort_models(plain["data"][_MODELS])
    kept = {key: plain["metadata"].get(key) for key in ("labels", "annotations")}
    left_out = ("apiVersion", "kind", "metadata")
    rest = {key: plain[key] for key in plain if key not in left_out}
    return {**{key: value for key, value in kept.items() if value}, **rest}


def _sort_models(models: str) -> str:
    """KServe lists the models of a server in any order."""
    found = sorted(json.loads(models), key=lambda item: str(item["modelName"]))
    return json.dumps(found, separators=(",", ":"))


def _undrawn(tree: Any) -> Any:
    if isinstance(tree, list):
        return [_undrawn(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    kept = {key: _undrawn(value) for key, value in tree.items() if not key.endswith(_DRAWN)}
    return {key: value for key, value in kept.items() if value != {"matchLabels": {}}}


def _events(client: Client) -> dict[Which, set[str]]:
    found: dict[Which, set[str]] = {}
    for item in items_of(client, "/api/v1/events?fieldSelector=type=Warning"):
        of = item["involvedObject"]
        text = f"{item['reason']}: {item['message']}"
        if of["kind"] in OWN and not any(word in text for word in _PASSING):
            key = of["kind"], of.get("namespace", ""), of["name"]
            found.setdefault(key, set()).add(text)
    return found


def _timeless(tree: Any) -> Any:
    if isinstance(tree, list):
        return [_timeless(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    return {key: _timeless(value) for key, value in tree.items() if key not in _LEFT_OUT}


def renamed(tree: Any, place: str, name: str = NAMESPACE) -> Any:
    """With another word in all texts, also where KServe calls a folder after such a text."""
    found = json.dumps(tree)
    for address in set(_ADDRESS.findall(found)):
        found = found.replace(_folder(address), _folder(address.replace(place, name)))
    return json.loads(found.replace(place, name))


def _folder(address: str) -> str:
    """How KServe calls the folder of a model."""
    return sha256(address.encode()).hexdigest()[:16]
