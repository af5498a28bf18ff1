"""How requests reach an LLM service: its Service, its route, its certificate, its addresses."""

import json
from collections.abc import Iterator

from renderer.backends.kserve.derive.addresses import CLUSTER
from renderer.backends.kserve.llm.derive.plan import (
    NAME as NAME_LABEL,
)
from renderer.backends.kserve.llm.derive.plan import (
    PART_OF,
    LlmPlan,
    pod_metadata,
)
from renderer.kubernetes.data import Data, items, make_object, mapping
from renderer.values.tree import Plain
from renderer.values.unit_details import Address

PORT = 8000
_OLD_POOLS = "inference.networking.x-k8s.io"
_CHAT = "/v1/chat/completions"
_GATEWAY = "http://<gateway>"
_MESSAGE: Plain = [{"role": "user", "content": "Hello"}]


def make_entrance(plan: LlmPlan) -> Iterator[Data]:
    """The Service of all pods that serve, the certificate, and the route if KServe makes it."""
    scheme = "https" if plan.cluster.has_tls else "http"
    selector: Data = {NAME_LABEL: plan.name, **PART_OF, "kserve.io/component": "workload"}
    port: Plain = {
        "name": scheme,
        "port": PORT,
        "targetPort": PORT,
        "protocol": "TCP",
        "appProtocol": scheme,
    }
    labels, notes = pod_metadata(plan.spec)
    about = plan.metadata(plan.child("-kserve-workload-svc"), plan.labels_for("workload") | labels)
    about |= {"annotations": {**notes}} if notes else {}
    spec: Data = {"type": "ClusterIP", "selector": selector, "ports": [port]}
    yield make_object("v1", "Service", about, spec)
    name = plan.child("-kserve-self-signed-certs")
    about = plan.metadata(name, plan.labels_for("workload"))
    yield {"apiVersion": "v1", "kind": "Secret", "metadata": about, "type": "kubernetes.io/tls"}
    if has_managed_route(plan):
        yield _route(plan)


def has_managed_route(plan: LlmPlan) -> bool:
    route = mapping(plan.router, "route")
    return "route" in plan.router and not items(mapping(route, "http"), "refs")


def _route(plan: LlmPlan) -> Data:
    given = mapping(plan.router, "route", "http", "spec")
    rules = [_weighed(plan, rule) for rule in _rules(plan, items(given, "rules"))]
    spec: Data = {**given, **({"rules": [*rules]} if "rules" in given else {})}
    labels = plan.labels_for("router")
    if group := mapping(plan.router, "route").get("group"):
        labels["serving.kserve.io/routing-group"] = str(group)
    about = plan.metadata(plan.child("-kserve-route"), labels)
    return make_object("gateway.networking.k8s.io/v1", "HTTPRoute", about, spec)


def _rules(plan: LlmPlan, rules: list[Data]) -> Iterator[Data]:
    """Those of the spec, with matches for adapters or without any that route by the model."""
    for rule in rules:
        matches = items(rule, "matches")
        by_header = [item for item in matches if _asks_header(plan, item)]
        if plan.routes_models:
            kept = [*matches, *_adapter_matches(plan, by_header)]
        else:
            kept = [item for item in matches if item not in by_header]
        if kept:
            backends = [_first_group(plan, item) for item in items(rule, "backendRefs")]
            yield {**rule, "matches": [*kept], **({"backendRefs": [*backends]} if backends else {})}


def _weighed(plan: LlmPlan, rule: Data) -> Data:
    """A rule with the weight that a member of a group has, unless its path is the member's own."""
    route = mapping(plan.router, "route")
    own = f"/{plan.namespace}/{plan.name}"
    paths = [str(mapping(item, "path").get("value")) for item in items(rule, "matches")]
    if "group" not in route or any(path == own or path.startswith(f"{own}/") for path in paths):
        return rule
    managed = (plan.pool, plan.child("-kserve-workload-svc"))
    backends = [item for item in items(rule, "backendRefs") if item.get("name") in managed]
    weight = route.get("weight", 0)
    return (
        {**rule, "backendRefs": [{**item, "weight": weight} for item in backends[:1]]}
        if backends
        else rule
    )


def _asks_header(plan: LlmPlan, match: Data) -> bool:
    wanted = plan.cluster.routing_header
    return any(header.get("name") == wanted for header in items(match, "headers"))


def _adapter_matches(plan: LlmPlan, matches: list[Data]) -> Iterator[Data]:
    for match in matches:
        for adapter in plan.adapters:
            model = f"publishers/{plan.namespace}/models/{adapter.get('name')}"
            headers: list[Plain] = [
                {**header, "value": model}
                if header.get("name") == plan.cluster.routing_header
                else header
                for header in items(match, "headers")
            ]
            yield {**match, "headers": headers}


def _first_group(plan: LlmPlan, backend: Data) -> Data:
    """A pool of KServe's own is first asked for in its older group, until the gateway answers."""
    is_own = backend.get("kind") == "InferencePool" and backend.get("name") == plan.pool
    return {**backend, "group": _OLD_POOLS} if is_own and plan.scheduler else backend


def find_addresses(plan: LlmPlan) -> Iterator[Address]:
    """Where the service is called, the best address first."""
    body = json.dumps({"model": plan.model_name, "messages": _MESSAGE}, indent=2)
    if "route" in plan.router:
        path = f"/{plan.namespace}/{plan.name}{_CHAT}"
        yield Address(
            "chat",
            _GATEWAY + path,
            "whoever reaches the gateway",
            method="POST",
            body=body,
        )
    scheme = "https" if plan.cluster.has_tls else "http"
    host = f"{plan.child('-kserve-workload-svc')}.{plan.namespace}.{CLUSTER}:{PORT}"
    yield Address(
        "within the cluster",
        f"{scheme}://{host}{_CHAT}",
        "only within the cluster",
        method="POST",
        body=body,
    )
