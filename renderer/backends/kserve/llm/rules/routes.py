"""How requests reach a service: its route, its gateways, and its share of a group."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.llm.rules.layers import is_elsewhere, layers, root
from renderer.backends.kserve.llm.rules.sources import VALIDATION
from renderer.backends.kserve.llm.service import LlmView
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_ROUTE, _HTTP = ("router", "route"), ("router", "route", "http")
_GATEWAYS = ("router", "gateway", "refs")


@rule("KSV510", Severity.ERROR, _SERVICE, since=_SINCE)
def other_routes_or_a_spec(view: LlmView) -> Iterator[Finding]:
    """A service names routes in `http.refs`, or says its own in `http.spec`, not both.

    KServe's webhook refuses the object.

    Fails:
        router:
          route:
            http:
              refs: [{name: chat}]
              spec: {rules: [{backendRefs: [{name: chat-kserve-workload-svc, port: 8000}]}]}
    Passes: router: {route: {http: {refs: [{name: chat}]}}}
    """
    refs, spec = root(view).get(*_HTTP, "refs"), root(view).get(*_HTTP, "spec")
    if refs and refs.node.elements and spec:
        yield refs.wrong_key(
            "refs stands beside spec, which says the route itself", "delete refs, or spec"
        )


@rule("KSV511", Severity.ERROR, _SERVICE, since=_SINCE)
def other_routes_need_no_gateway(view: LlmView) -> Iterator[Finding]:
    """A service whose routes are made elsewhere has no `gateway: {}`.

    The routes say which gateway they are of, and KServe's webhook refuses the object.

    Fails: router: {route: {http: {refs: [{name: chat}]}}, gateway: {}}
    Passes: router: {route: {http: {refs: [{name: chat}]}}}
    """
    gateway = root(view).get("router", "gateway")
    if gateway and elements(view.tree, *_HTTP, "refs") and not elements(gateway.node, "refs"):
        yield gateway.wrong_key(
            "gateway names no gateway, and the routes in route.http.refs have their own",
            "delete gateway, or name the gateways of these routes in gateway.refs",
        )


@rule("KSV512", Severity.ERROR, _SERVICE, since=_SINCE)
def parents_are_the_gateways(view: LlmView) -> Iterator[Finding]:
    """`parentRefs` of the route and `gateway.refs` name the same gateways.

    KServe's webhook compares name, namespace and section as they are written (one that is left
    out is not the same as the service's own namespace), and refuses the object.

    Fails:
        router:
          gateway: {refs: [{name: public, namespace: edge}]}
          route:
            http:
              spec:
                parentRefs: [{name: public}]
                rules: [{backendRefs: [{name: chat-kserve-workload-svc, port: 8000}]}]
    Passes:
        router:
          gateway: {refs: [{name: public, namespace: edge}]}
          route:
            http:
              spec: {rules: [{backendRefs: [{name: chat-kserve-workload-svc, port: 8000}]}]}
    """
    parents, gateways = _parents_and_gateways(view)
    found = root(view).get(*_HTTP, "spec", "parentRefs")
    if found and parents and gateways and parents != gateways:
        yield found.wrong_key(
            "parentRefs and gateway.refs name different gateways",
            "delete parentRefs: they are taken from gateway.refs",
        )


@rule("KSV513", Severity.INFO, _SERVICE, since=_SINCE)
def parents_are_said_once(view: LlmView) -> Iterator[Finding]:
    """`parentRefs` of the route may be left out where `gateway.refs` name the gateways.

    KServe's webhook says so in a warning whenever the object is applied.

    Fails:
        router:
          gateway: {refs: [{name: public, namespace: edge}]}
          route:
            http:
              spec:
                parentRefs: [{name: public, namespace: edge}]
                rules: [{backendRefs: [{name: chat-kserve-workload-svc, port: 8000}]}]
    Passes:
        router:
          gateway: {refs: [{name: public, namespace: edge}]}
          route:
            http:
              spec: {rules: [{backendRefs: [{name: chat-kserve-workload-svc, port: 8000}]}]}
    """
    parents, gateways = _parents_and_gateways(view)
    found = root(view).get(*_HTTP, "spec", "parentRefs")
    if found and parents and parents == gateways:
        yield found.wrong_key("gateway.refs name the same gateways", "delete parentRefs")


def _parents_and_gateways(view: LlmView) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    parents = elements(view.tree, *_HTTP, "spec", "parentRefs")
    return _gateways(parents), _gateways(elements(view.tree, *_GATEWAYS))


def _gateways(refs: tuple[Node, ...]) -> list[tuple[str, ...]]:
    """The gateways as the webhook compares them."""
    keys = ("namespace", "name", "sectionName")
    return sorted(tuple(text(ref, key) for key in keys) for ref in refs)


@rule("KSV514", Severity.ERROR, _SERVICE, since=_SINCE)
def members_of_a_group_have_weights(view: LlmView) -> Iterator[Finding]:
    """A service of a group of routes says its weight, and one with a weight its group.

    KServe's webhook refuses one without the other.

    Fails: router: {route: {group: chat}}
    Passes: router: {route: {group: chat, weight: 90}}
    """
    for given, missing in (("group", "weight"), ("weight", "group")):
        field = root(view).get(*_ROUTE, given)
        if field and not root(view).get(*_ROUTE, missing):
            yield field.wrong_key(f"{given} stands without {missing}", f"write {missing} too")


@rule("KSV515", Severity.ERROR, _SERVICE, since=_SINCE)
def groups_need_routes_of_kserve(view: LlmView) -> Iterator[Finding]:
    """A service of a group has a route that KServe makes: no `ingress`, and no `http.refs`.

    The weights are written into that route. KServe's webhook refuses the object.

    Fails: router: {route: {group: chat, weight: 90, http: {refs: [{name: chat}]}}}
    Passes: router: {route: {group: chat, weight: 90}}
    """
    group = root(view).get(*_ROUTE, "group") or root(view).get(*_ROUTE, "weight")
    if group is None:
        return
    others = [
        ("ingress", root(view).get("router", "ingress") is not None),
        ("http.refs", bool(elements(view.tree, *_HTTP, "refs"))),
    ]
    if names := [name for name, is_there in others if is_there]:
        yield group.wrong_key(
            f"the route is shared by a group, and there is {listed(names)} too",
            f"delete {listed(names)}, or group and weight",
        )


@rule("KSV516", Severity.ERROR, _SERVICE, since=_SINCE)
def own_routes_have_rules(view: LlmView) -> Iterator[Finding]:
    """A route that says something in `http.spec` says all its `rules`.

    Where none are said, the API server writes one for every path, without a backend, and that takes
    the place of all rules that KServe ships: no request reaches the model (inferred).

    Fails: router: {route: {http: {spec: {hostnames: [chat.example.com]}}}}
    Passes: router: {route: {}}
    """
    place = (*_HTTP, "spec")
    highest = next((tree for tree in layers(view) if tree.get(*place)), None)
    if highest and highest.get(*place, "rules") is None:
        message = "the route has no rules, and so none of those that KServe ships"
        fix = "write all rules, or delete spec: host names can stand in the gateway's listener"
        said = place if highest is view.tree else ("baseRefs",)
        yield Finding(said, message, fix, at_key=True)


@rule("KSV517", Severity.WARNING, _SERVICE, since=_SINCE)
def ingresses_are_not_read(view: LlmView) -> Iterator[Finding]:
    """`router.ingress` has no effect.

    KServe makes HTTPRoutes for LLM services, and reads nothing of `ingress`.

    Fails: router: {ingress: {refs: [{name: chat}]}}
    Passes: router: {route: {}, gateway: {}}
    """
    if ingress := root(view).get("router", "ingress"):
        yield ingress.wrong_key(
            "KServe does not read ingress", "delete it, and write route: {} and gateway: {}"
        )


@rule("KSV518", Severity.WARNING, _SERVICE, since=_SINCE)
def gateways_have_a_route(view: LlmView) -> Iterator[Finding]:
    """A service with a `gateway` has a `route` as well.

    KServe makes an HTTPRoute only where `route` stands. Without it, the service has no address
    outside of its cluster.

    Fails: router: {gateway: {}}
    Passes: router: {route: {}, gateway: {}}
    """
    gateway = root(view).get("router", "gateway")
    if gateway and not is_elsewhere(view, *_ROUTE):
        yield gateway.wrong_key("there is a gateway, but no route to it", "add route: {}")


@rule("KSV519", Severity.WARNING, _SERVICE, since=_SINCE)
def schedulers_have_a_route(view: LlmView) -> Iterator[Finding]:
    """A service with a `scheduler` has a `route` as well.

    The pool of a scheduler is ready when a gateway has accepted it, which happens by a route. If no
    route leads to it, the service is never ready (WaitingForGateway; inferred). One that is made
    elsewhere for the pool will do too: then ignore this.

    Fails: router: {scheduler: {}}
    Passes: router: {route: {}, scheduler: {}}
    """
    scheduler = root(view).get("router", "scheduler")
    if scheduler and not is_elsewhere(view, *_ROUTE):
        yield scheduler.wrong_key(
            "there is a scheduler, but no route to its pool", "add route: {}, or delete scheduler"
        )


CONFIG_RULES = rules_with_source((ingresses_are_not_read,), VALIDATION)
RULES = rules_with_source(
    (
        other_routes_or_a_spec,
        other_routes_need_no_gateway,
        parents_are_the_gateways,
        parents_are_said_once,
        members_of_a_group_have_weights,
        groups_need_routes_of_kserve,
        own_routes_have_rules,
        ingresses_are_not_read,
        gateways_have_a_route,
        schedulers_have_a_route,
    ),
    VALIDATION,
)
