"""What became of everything that was applied: waiting until all is quiet, and a look at it then."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple
from urllib.request import urlopen

from conformance.kuberay.installation import KubeRay
from conformance.kuberay.plain import status_of
from conformance.kubernetes.client import Client, Object
from conformance.operators.quiet import items_of, versions_in

#: Kinds that people write, and the lists that they are in.
OWN = {
    "RayService": "/apis/ray.io/v1/rayservices",
    "RayJob": "/apis/ray.io/v1/rayjobs",
    "RayCluster": "/apis/ray.io/v1/rayclusters",
}
#: Kinds that KubeRay makes of them.
OWNED = {
    "Pod": "/api/v1/pods",
    "Service": "/api/v1/services",
    "Secret": "/api/v1/secrets",
    "ServiceAccount": "/api/v1/serviceaccounts",
    "Job": "/apis/batch/v1/jobs",
    "Ingress": "/apis/networking.k8s.io/v1/ingresses",
    "Role": "/apis/rbac.authorization.k8s.io/v1/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/rolebindings",
    "Gateway": "/apis/gateway.networking.k8s.io/v1/gateways",
    "HTTPRoute": "/apis/gateway.networking.k8s.io/v1/httproutes",
}
_EVENTS = "/api/v1/events"
#: Texts that depend on the moment: conflicts, and objects that were not in a cache yet.
_PASSING = ("the object has been modified", "not found", "already exists")
#: How events begin that are alike, once there are many of them.
_COMBINED = "(combined from similar events): "
Asked = tuple[str, str, str]


#: How often something was said of an object, by its uid and the text.
Events = Counter[tuple[str, str]]


class Outcome(NamedTuple):
    """One object that was applied, all that there is because of it, and what was said."""

    thing: Object
    made: list[Object]
    events: Events
    written: dict[str, list[Object]]


def asked_of(thing: Object) -> Asked:
    return thing["kind"], thing["metadata"]["namespace"], thing["metadata"]["name"]


def versions(client: Client) -> set[str]:
    """All that there is as it is now; of what people wrote not the times, which never rest."""
    written = {
        f"{kind}/{item['metadata']['name']} {item['metadata']['generation']} {status_of(item)}"
        for kind, path in OWN.items()
        for item in items_of(client, path)
    }
    return written | versions_in(client, OWNED.values())


def not_looked_at(client: Client, asked: Iterable[Object]) -> Collection[Asked]:
    """Those of which KubeRay has said nothing: no status, and no event."""
    wanted = {asked_of(thing) for thing in asked if _is_for_kuberay(thing)}
    spoken = {
        (of["kind"], of.get("namespace", ""), of["name"])
        for of in (item["involvedObject"] for item in items_of(client, _EVENTS))
    }
    reported = {
        (kind, item["metadata"]["namespace"], item["metadata"]["name"])
        for kind, path in OWN.items()
        for item in items_of(client, path)
        if item.get("status")
    }
    return wanted - spoken - reported


def _is_for_kuberay(thing: Object) -> bool:
    manager: str = thing.get("spec", {}).get("managedBy", "ray.io/kuberay-operator")
    return manager == "ray.io/kuberay-operator"


def look(kuberay: KubeRay) -> dict[Asked, Outcome]:
    """All objects that people wrote, and those that look like it."""
    own = list(_all(kuberay.client, OWN))
    things = [*own, *_all(kuberay.client, OWNED)]
    made = _by_root(things)
    events = _events(kuberay.client)
    written = _written(kuberay.dashboards)
    found = {}
    for thing in own:
        children = made.get(thing["metadata"]["uid"], [])
        family = [thing, *(child for child in children if child["kind"] in OWN)]
        told: Events = Counter()
        for member in family:
            told.update(events.get(member["metadata"]["uid"], Counter()))
        clusters = {member["metadata"]["name"] for member in family}
        puts = {
            place.partition("/")[2]: content
            for place, content in written.items()
            if place.partition("/")[0] == thing["metadata"]["namespace"]
            and place.partition("/")[2] in clusters
        }
        found[asked_of(thing)] = Outcome(thing, children, told, puts)
    return found


def _all(client: Client, lists: dict[str, str]) -> Iterator[Object]:
    for kind, path in lists.items():
        for item in items_of(client, path):
            yield {"kind": kind, **item}


def _by_root(things: list[Object]) -> dict[str, list[Object]]:
    """Everything by the one that it belongs to in the end, and by each on the way there."""
    by_uid = {thing["metadata"]["uid"]: thing for thing in things}
    found: dict[str, list[Object]] = {}
    for thing in things:
        above = _owner(thing, by_uid)
        while above:
            found.setdefault(above["metadata"]["uid"], []).append(thing)
            above = _owner(above, by_uid)
    return found


def _owner(thing: Object, by_uid: dict[str, Object]) -> Object | None:
    owners = thing["metadata"].get("ownerReferences", ())
    return next((by_uid[item["uid"]] for item in owners if item["uid"] in by_uid), None)


def _events(client: Client) -> dict[str, Events]:
    found: dict[str, Events] = {}
    for item in items_of(client, _EVENTS):
        of = item["involvedObject"]
        text = f"{of['kind']} {item['reason']}"
        if item["type"] == "Warning":
            text = f"Warning: {text}: {item['message'].removeprefix(_COMBINED)}"
        if not any(word in text for word in _PASSING):
            found.setdefault(of["uid"], Counter())[of["uid"], text] += item.get("count") or 1
    return found


def _written(dashboards: Iterable[str]) -> dict[str, list[Object]]:
    """What KubeRay wrote to the dashboards, by namespace and name of the Ray cluster."""
    found: dict[str, list[Object]] = {}
    for address in dashboards:
        with urlopen(address) as response:  # noqa: S310 - loopback
            found |= json.load(response)
    return found
