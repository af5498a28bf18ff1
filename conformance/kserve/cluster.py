"""What became of InferenceServices: waiting until all is quiet, and the look at it then."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from conformance.kubernetes.client import Client, Object
from conformance.operators.plain import cleaned, described
from conformance.operators.quiet import Key, items_of, key_of, versions_in, wait_until_quiet

#: Kinds that KServe makes of an InferenceService, and the lists that they are in.
MADE = {
    "Deployment": "/apis/apps/v1/deployments",
    "Service": "/api/v1/services",
    "HorizontalPodAutoscaler": "/apis/autoscaling/v2/horizontalpodautoscalers",
    "Ingress": "/apis/networking.k8s.io/v1/ingresses",
    "HTTPRoute": "/apis/gateway.networking.k8s.io/v1/httproutes",
    "ScaledObject": "/apis/keda.sh/v1alpha1/scaledobjects",
    "KnativeService": "/apis/serving.knative.dev/v1/services",
    "VirtualService": "/apis/networking.istio.io/v1beta1/virtualservices",
    "ConfigMap": "/api/v1/configmaps",
}
OWN = "/apis/serving.kserve.io/v1beta1/inferenceservices"
_EVENTS = "/api/v1/events?fieldSelector=type=Warning"
#: It writes `enableServiceLinks: false` into what is created, if nobody wrote it.
_KNATIVE = "serving.knative.dev/v1"
_QUIET = 4.0
#: Texts that depend on the moment: conflicts, and a state on the way to another one.
_PASSING = ("the object has been modified", "object is being deleted", "no longer Ready")
_ADDRESS = re.compile(r"\b0x[0-9a-f]+")


class Outcome(NamedTuple):
    """One InferenceService as it is stored, and what there is because of it.

    Of each object, what matters, and for a comparison its template with all that is filled in.
    """

    stored: Object
    status: Object
    objects: dict[str, Object]
    templates: dict[str, Object]
    uids: dict[str, str]
    events: list[str]


def settle(client: Client, asked: Iterable[Key]) -> None:
    """Until KServe has looked at each of them, and nothing has changed for a while."""
    wanted, lists = set(asked), (OWN, *MADE.values())
    wait_until_quiet(
        _QUIET, lambda: versions_in(client, lists), lambda: wanted - _looked_at(client)
    )


def _looked_at(client: Client) -> set[Key]:
    return {
        key_of(item)
        for item in items_of(client, OWN)
        if item["metadata"].get("finalizers") or item.get("status", {}).get("conditions")
    }


def look(client: Client) -> dict[Key, Outcome]:
    """All InferenceServices that there are."""
    made: dict[Key, dict[str, Object]] = {}
    for kind, path in MADE.items():
        for item in items_of(client, path):
            for owner in item["metadata"].get("ownerReferences", ()):
                key = item["metadata"]["namespace"], owner["name"]
                made.setdefault(key, {})[f"{kind}/{item['metadata']['name']}"] = item
    events = _events(client)
    return {
        (key := key_of(item)): Outcome(
            described(item),
            _timeless(item.get("status", {})),
            {name: _content(thing) for name, thing in sorted(made.get(key, {}).items())},
            {name: _template(thing) for name, thing in made.get(key, {}).items()},
            {name: thing["metadata"]["uid"] for name, thing in made.get(key, {}).items()},
            sorted(events.get(key, ())),
        )
        for item in items_of(client, OWN)
    }


def _template(thing: Object) -> Object:
    found: Object = thing.get("spec", {}).get("template", {})
    return found


def _content(thing: Object) -> Object:
    """Kind and name are in the key already, and the namespace is that of all."""
    plain = cleaned(thing)
    if thing.get("apiVersion") == _KNATIVE and not _template(plain)["spec"].get(
        "enableServiceLinks"
    ):
        _template(plain)["spec"].pop("enableServiceLinks", None)
    kept = {key: plain["metadata"].get(key) for key in ("labels", "annotations")}
    rest = {key: plain[key] for key in plain if key not in ("apiVersion", "kind", "metadata")}
    return {**{key: value for key, value in kept.items() if value}, **rest}


def _events(client: Client) -> dict[Key, set[str]]:
    found: dict[Key, set[str]] = {}
    for item in items_of(client, _EVENTS):
        of = item["involvedObject"]
        text = f"{item['reason']}: {item['message']}"
        if of["kind"] == "InferenceService" and not any(word in text for word in _PASSING):
            found.setdefault((of["namespace"], of["name"]), set()).add(_ADDRESS.sub("0x…", text))
    return found


def _timeless(tree: Any) -> Any:
    """Without times, and without counters that depend on how often somebody looked."""
    if isinstance(tree, list):
        return [_timeless(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    left_out = ("lastTransitionTime", "time", "observedGeneration")
    return {key: _timeless(value) for key, value in tree.items() if key not in left_out}
