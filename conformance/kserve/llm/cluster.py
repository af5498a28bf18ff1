"""What became of language models: waiting until all is quiet, and the look at it then."""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from conformance.kserve.llm.cases import NAMESPACE
from conformance.kubernetes.client import Client, Object
from conformance.operators.plain import cleaned, described
from conformance.operators.quiet import Key, items_of, key_of, versions_in, wait_until_quiet

_GATEWAY = "/apis/gateway.networking.k8s.io/v1"
_POOLS = "/apis/inference.networking.k8s.io/v1/inferencepools"
_RBAC = "/apis/rbac.authorization.k8s.io/v1"
OWN = "/apis/serving.kserve.io/v1alpha2/llminferenceservices"
CONFIGS = "/apis/serving.kserve.io/v1alpha2/llminferenceserviceconfigs"
#: Kinds that KServe makes of a service, and the lists that they are in.
MADE = {
    "Deployment": "/apis/apps/v1/deployments",
    "LeaderWorkerSet": "/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets",
    "Service": "/api/v1/services",
    "Secret": "/api/v1/secrets",
    "ConfigMap": "/api/v1/configmaps",
    "ServiceAccount": "/api/v1/serviceaccounts",
    "Role": f"{_RBAC}/roles",
    "RoleBinding": f"{_RBAC}/rolebindings",
    "ClusterRoleBinding": f"{_RBAC}/clusterrolebindings",
    "HTTPRoute": f"{_GATEWAY}/httproutes",
    "InferencePool": _POOLS,
    "OlderInferencePool": "/apis/inference.networking.x-k8s.io/v1alpha2/inferencepools",
    "HorizontalPodAutoscaler": "/apis/autoscaling/v2/horizontalpodautoscalers",
    "VariantAutoscaling": "/apis/llmd.ai/v1alpha1/variantautoscalings",
    "ScaledObject": "/apis/keda.sh/v1alpha1/scaledobjects",
}
_EVENTS = "/api/v1/events?fieldSelector=type=Warning"
_QUIET = 4.0
_PASSING = ("the object has been modified", "object is being deleted", "no longer Ready")
_ADDRESS = re.compile(r"\b0x[0-9a-f]+")
_LEFT_OUT = ("lastTransitionTime", "time", "observedGeneration", "resourceVersion", "uid")
_EXPIRES = "certificates.kserve.io/expiration"


class Outcome(NamedTuple):
    """A service as it is stored, and what there is because of it."""

    stored: Object
    status: Object
    objects: dict[str, Object]
    templates: dict[str, Any]
    uids: dict[str, str]
    events: list[str]


def settle(client: Client, asked: Iterable[Key]) -> None:
    """Until KServe has looked at each of them, and nothing has changed for a while."""
    wanted, lists = set(asked), (OWN, CONFIGS, *MADE.values())
    wait_until_quiet(
        _QUIET, lambda: versions_in(client, lists), lambda: wanted - _looked_at(client)
    )


def _looked_at(client: Client) -> set[Key]:
    items = [*items_of(client, OWN), *items_of(client, CONFIGS)]
    return {key_of(item) for item in items if item.get("status", {}).get("conditions")}


def look(client: Client, places: set[str]) -> dict[Key, Outcome]:
    """All services in some namespaces, and configurations there."""
    made: dict[Key, dict[str, Object]] = {}
    for kind, path in MADE.items():
        for item in items_of(client, path):
            for key in _owners(item, places):
                made.setdefault(key, {})[f"{kind}/{item['metadata']['name']}"] = item
    events = _events(client)
    items = [*items_of(client, OWN), *items_of(client, CONFIGS)]
    return {
        (key := key_of(item)): _outcome(item, made.get(key, {}), events.get(key, set()))
        for item in items
        if item["metadata"]["namespace"] in places
    }


def _owners(item: Object, places: set[str]) -> Iterable[Key]:
    """One object belongs to a service without saying so: its name begins with the namespace."""
    name = item["metadata"]["name"]
    namespace = item["metadata"].get("namespace")
    if namespace is None:
        place, _, rest = name.partition("-")
        if place in places:
            yield place, rest.removesuffix("-epp-auth-rb")
    elif namespace in places:
        for owner in item["metadata"].get("ownerReferences", ()):
            yield namespace, owner["name"]


def _outcome(item: Object, made: dict[str, Object], events: set[str]) -> Outcome:
    place = item["metadata"]["namespace"]
    return Outcome(
        described(item),
        _timeless(item.get("status", {})),
        {_plain(name, place): _content(thing) for name, thing in sorted(made.items())},
        {_plain(name, place): _template(thing) for name, thing in made.items()},
        {_plain(name, place): thing["metadata"]["uid"] for name, thing in made.items()},
        sorted(events),
    )


def _plain(name: str, place: str) -> str:
    return name.replace(f"/{place}-", f"/{NAMESPACE}-")


def _template(thing: Object) -> Any:
    spec = thing.get("spec", {})
    return spec.get("template") or spec.get("leaderWorkerTemplate", {})


def _content(thing: Object) -> Object:
    """Kind and name are in the key already, and the namespace is that of all."""
    plain = cleaned(thing)
    annotations = plain["metadata"].get("annotations", {})
    annotations = {key: value for key, value in annotations.items() if key != _EXPIRES}
    kept = {"labels": plain["metadata"].get("labels"), "annotations": annotations}
    left_out = ("apiVersion", "kind", "metadata")
    rest = {key: plain[key] for key in plain if key not in left_out}
    if plain.get("type") == "kubernetes.io/tls":
        rest["data"] = sorted(plain["data"])
    return {**{key: value for key, value in kept.items() if value}, **rest}


def _events(client: Client) -> dict[Key, set[str]]:
    found: dict[Key, set[str]] = {}
    for item in items_of(client, _EVENTS):
        of = item["involvedObject"]
        text = f"{item['reason']}: {item['message']}"
        if of["kind"].startswith("LLM") and not any(word in text for word in _PASSING):
            found.setdefault((of["namespace"], of["name"]), set()).add(_ADDRESS.sub("0x…", text))
    return found


def _timeless(tree: Any) -> Any:
    if isinstance(tree, list):
        return [_timeless(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    return {key: _timeless(value) for key, value in tree.items() if key not in _LEFT_OUT}


def renamed(tree: Any, place: str, name: str) -> Any:
    """With another namespace in all texts."""
    return json.loads(json.dumps(tree).replace(place, name))
