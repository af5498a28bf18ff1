"""Those who are not there: gateways, and controllers of workloads and autoscalers."""

import json
from collections.abc import Iterator

from conformance.kubernetes.client import Client, Object
from conformance.operators.quiet import Key, items_of, key_of

_TIME = "2000-01-01T00:00:00Z"
_APPS = "/apis/apps/v1/deployments"
_GROUPS = "/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets"
_ROUTES = "/apis/gateway.networking.k8s.io/v1/httproutes"
_GATEWAYS = "/apis/gateway.networking.k8s.io/v1/gateways"
_POOLS = "/apis/inference.networking.k8s.io/v1/inferencepools"
_OLD_POOLS = "/apis/inference.networking.x-k8s.io/v1alpha2/inferencepools"
_SCALERS = "/apis/autoscaling/v2/horizontalpodautoscalers"
_SCALED = "/apis/keda.sh/v1alpha1/scaledobjects"
_CONTROLLER = "example.com/gateway"
#: What the status of a pool calls those who accepted it.
_PARENTS = {_POOLS: "parents", _OLD_POOLS: "parent"}
#: What was deleted meanwhile.
_GONE = 404


class StandIns:
    """All that they say is good news, as soon as what it depends on is there."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._said: set[str] = set()

    def work(self) -> bool:
        """Once for everything that there is; whether there was something new to say."""
        before = len(self._said)
        for path, item, status in self._news():
            self._report(path, item, status)
        return len(self._said) > before

    def _news(self) -> Iterator[tuple[str, Object, Object]]:
        found = {path: items_of(self._client, path) for path in (_GATEWAYS, _ROUTES)}
        known = {key_of(item) for item in found[_GATEWAYS]}
        routes = [(item, _parents(item, known)) for item in found[_ROUTES]]
        yield from ((_GATEWAYS, item, _gateway(item)) for item in found[_GATEWAYS])
        yield from ((_ROUTES, item, _route(item, parents)) for item, parents in routes)
        for path, key in _PARENTS.items():
            for item in items_of(self._client, path):
                if parents := _pool_parents(item, routes):
                    yield path, item, {key: _pool(item, parents)}
        for path, status_of in (
            (_APPS, _deployment),
            (_GROUPS, _group),
            (_SCALERS, _scaler),
            (_SCALED, _scaled),
        ):
            for item in items_of(self._client, path):
                yield path, item, status_of(item)

    def _report(self, path: str, item: Object, status: Object) -> None:
        text = json.dumps([path, item["metadata"]["uid"], status], sort_keys=True)
        if text in self._said:
            return
        self._said.add(text)
        base, _, plural = path.rpartition("/")
        place = f"namespaces/{item['metadata']['namespace']}/{plural}/{item['metadata']['name']}"
        content = "merge-patch+json"
        target = f"{base}/{place}/status"
        reply = self._client.request("PATCH", target, {"status": status}, content)
        assert not reply.is_refusal or reply.status == _GONE, reply


def _condition(kind: str, item: Object | None = None) -> Object:
    found = {"type": kind, "status": "True", "lastTransitionTime": _TIME}
    if item is None:
        return found
    generation = item["metadata"]["generation"]
    return {**found, "reason": kind, "message": "", "observedGeneration": generation}


def _deployment(item: Object) -> Object:
    number = item["spec"].get("replicas", 1)
    counts = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    return {
        **dict.fromkeys(counts, number),
        "observedGeneration": item["metadata"]["generation"],
        "conditions": [_condition("Available")],
    }


def _group(item: Object) -> Object:
    number = item["spec"].get("replicas", 1)
    counts = ("replicas", "updatedReplicas", "readyReplicas")
    return {**dict.fromkeys(counts, number), "conditions": [_condition("Available", item)]}


def _scaler(_: Object) -> Object:
    kinds = ("AbleToScale", "ScalingActive")
    return {"desiredReplicas": 1, "conditions": [_condition(kind) for kind in kinds]}


def _scaled(_: Object) -> Object:
    return {"conditions": [{"type": kind, "status": "True"} for kind in ("Ready", "Active")]}


def _gateway(item: Object) -> Object:
    kinds = ("Accepted", "Programmed")
    return {
        "addresses": [{"type": "IPAddress", "value": "192.0.2.1"}],
        "conditions": [_condition(kind, item) for kind in kinds],
    }


def _parents(route: Object, known: set[Key]) -> list[Object]:
    """Those of its gateways that there are."""
    own = route["metadata"]["namespace"]
    return [
        parent
        for parent in route["spec"].get("parentRefs", ())
        if (parent.get("namespace", own), parent["name"]) in known
    ]


def _route(item: Object, parents: list[Object]) -> Object:
    kinds = ("Accepted", "ResolvedRefs")
    conditions = [_condition(kind, item) for kind in kinds]
    return {
        "parents": [
            {"parentRef": parent, "controllerName": _CONTROLLER, "conditions": conditions}
            for parent in parents
        ]
    }


def _pool_parents(pool: Object, routes: list[tuple[Object, list[Object]]]) -> list[Object]:
    """The gateways of the routes that lead to it."""
    return [
        {**parent, "namespace": parent.get("namespace", route["metadata"]["namespace"])}
        for route, parents in routes
        if route["metadata"]["namespace"] == pool["metadata"]["namespace"]
        and _leads_to(route, pool["metadata"]["name"])
        for parent in parents
    ]


def _leads_to(route: Object, pool: str) -> bool:
    return any(
        backend.get("kind") == "InferencePool" and backend["name"] == pool
        for rule in route["spec"].get("rules", ())
        for backend in rule.get("backendRefs", ())
    )


def _pool(item: Object, parents: list[Object]) -> list[Object]:
    kinds = ("Accepted", "ResolvedRefs")
    conditions = [_condition(kind, item) for kind in kinds]
    kept = ("group", "kind", "name", "namespace")
    refs = [{key: parent[key] for key in kept if key in parent} for parent in parents]
    return [{"parentRef": ref, "conditions": conditions} for ref in refs]
