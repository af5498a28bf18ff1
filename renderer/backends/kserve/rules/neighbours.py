"""Graphs, trained models and caches beside the services and caches of the same place."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from renderer.backends.fields import elements, members, text
from renderer.backends.kserve.graphs.graph import SEQUENCE
from renderer.backends.kserve.model import FRAMEWORKS, MODEL
from renderer.backends.kserve.plain_objects import (
    CACHE,
    GRAPH,
    SERVICE,
    TRAINED_MODEL,
    is_provided,
    named_services,
)
from renderer.backends.kserve.settings import PLATFORM
from renderer.kubernetes.quantities import value
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.model import Environment, Fleet, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_SINCE = "0.3.0"
_SOURCE = "kserve/kserve: pkg/controller/v1alpha1"
_COMPONENTS = ("-predictor", "-transformer", "-explainer")
_STORED = ("storageUri", "storage")


class _Placed(NamedTuple):
    """A spec in a cluster and a namespace, and the environment that it is of."""

    cluster: str
    namespace: str
    summary: Summary
    environment: Environment

    @property
    def name(self) -> str:
        return str(self.summary.name.value)

    def wrong(self, node: Node, message: str, fix: str, *others: "_Placed") -> Finding:
        """What is wrong at a value of the spec, in view of other specs."""
        files = {file for item in (self, *others) for file in item.summary.files}
        names = {item.environment.name for item in (self, *others)}
        environments, related = tuple(sorted(names)), tuple(sorted(files))
        found = Finding((), message, fix, origin=node.origin)
        return found._replace(environments=environments, related=related)


def _placed(fleet: Fleet, kind: str) -> Iterator[_Placed]:
    for environment in fleet.environments:
        for summary in fleet.summaries_of(environment):
            if summary.kind == kind:
                fields = summary.fields
                for item in environment.destinations_by_fields(PLATFORM, fields):
                    namespace = text(fields, "namespace") or item.namespace
                    yield _Placed(item.cluster, namespace, summary, environment)


class _Servers:
    """The InferenceServices of each cluster and namespace."""

    def __init__(self, fleet: Fleet) -> None:
        self.every = list(_placed(fleet, SERVICE))
        self._known = {(item.cluster, item.namespace, item.name): item for item in self.every}

    def find(self, user: _Placed, name: object) -> _Placed | None:
        return self._known.get((user.cluster, user.namespace, str(name)))

    def missing(self, user: _Placed) -> Iterator[Finding]:
        """The services that a spec names and that are not in its namespace."""
        for _, node in named_services(user.summary.kind, user.summary.fields):
            name = str(node.value)
            is_known = self.find(user, name) or name in user.environment.unread
            if is_known or not name or is_provided(SERVICE, name, user.environment):
                continue
            message = f"there is no InferenceService {name!r} in {user.namespace!r}"
            yield user.wrong(node, message + self._elsewhere(user, name), self._remedy(user, name))

    def _elsewhere(self, user: _Placed, name: str) -> str:
        same = [item for item in self.every if item.name == name and item.cluster == user.cluster]
        return f"; one is in {same[0].namespace!r}" if same else ""

    def _remedy(self, user: _Placed, name: str) -> str:
        near = [item.name for item in self.every if item[:2] == user[:2]]
        for ending in _COMPONENTS:
            if name.endswith(ending) and name.removesuffix(ending) in near:
                return f"name the service, not its component: {name.removesuffix(ending)}"
        here = f"{SERVICE}/{name} to references.provided if it is there already"
        return suggest(name, near, f"add it, or {here}")


@rule("KSV600", Severity.ERROR, "Fleet", since=_SINCE)
def services_of_steps_are_there(fleet: Fleet) -> Iterator[Finding]:
    """`serviceName` of a step is an InferenceService of the graph's namespace.

    KServe looks for it in this namespace alone, and under the name of the service, not that of a
    component. Without it the graph gets no status, and nothing runs. Services that are neither in
    the repository nor in this namespace are named by `serviceUrl`, and so are LLM services.
    """
    servers = _Servers(fleet)
    for graph in _placed(fleet, GRAPH):
        yield from servers.missing(graph)


@rule("KSV612", Severity.WARNING, "Fleet", since=_SINCE)
def steps_speak_one_protocol(fleet: Fleet) -> Iterator[Finding]:
    """The services of a Sequence speak the same protocol.

    Each gets the request or the answer before it as it is: a body of v1 means nothing to a service
    that speaks v2. A transformer between them may translate; then ignore this.
    """
    servers = _Servers(fleet)
    for graph in _placed(fleet, GRAPH):
        for node in members(graph.summary.fields, "nodes").values():
            if text(node, "routerType") == SEQUENCE:
                yield from _mixed_protocols(graph, servers, elements(node, "steps"))


def _mixed_protocols(graph: _Placed, servers: _Servers, steps: Iterable[Node]) -> Iterator[Finding]:
    first: tuple[_Placed, str] | None = None
    for step in steps:
        name = step.get("serviceName")
        server = servers.find(graph, name.value) if name else None
        spoken = _protocol(server) if server else ""
        if name is None or server is None or not spoken:
            continue
        first = first or (server, spoken)
        if spoken != first[1]:
            message = f"{server.name} speaks {spoken}, and {first[0].name} before it {first[1]}"
            fix = "write the same protocolVersion in both"
            yield graph.wrong(name, message, fix, server, first[0])


def _models(server: _Placed) -> list[Node]:
    predictor = members(server.summary.fields, "predictor")
    return [predictor[key] for key in (MODEL, *FRAMEWORKS) if key in predictor]


def _protocol(server: _Placed) -> str:
    """The protocol that a service says itself."""
    return next((found for item in _models(server) if (found := text(item, "protocolVersion"))), "")


@rule("KSV621", Severity.ERROR, "Fleet", since=_SINCE)
def servers_of_models_are_there(fleet: Fleet) -> Iterator[Finding]:
    """`inferenceService` of a trained model is an InferenceService of its namespace.

    KServe deletes a trained model whose server is not there, and a GitOps controller makes it
    again: this goes on without end.
    """
    servers = _Servers(fleet)
    for model in _placed(fleet, TRAINED_MODEL):
        yield from servers.missing(model)


@rule("KSV622", Severity.ERROR, "Fleet", since=_SINCE)
def servers_take_several_models(fleet: Fleet) -> Iterator[Finding]:
    """The server of a trained model has no model of its own.

    KServe takes a predictor for a server of several models if it has no storage, and is not of the
    format huggingface; one with containers of its own needs the variable MULTI_MODEL_SERVER=true.
    Models on any other server are never loaded (IsNotMMSPredictor).
    """
    for model, server in _models_on_servers(fleet):
        if reason := _own_model(server):
            name = model.summary.fields.items["inferenceService"]
            fix = "delete its storage, or let it serve its model alone; add a server without one"
            yield model.wrong(name, f"{server.name} serves one model: {reason}", fix, server)


def _models_on_servers(fleet: Fleet) -> Iterator[tuple[_Placed, _Placed]]:
    servers = _Servers(fleet)
    for model in _placed(fleet, TRAINED_MODEL):
        if server := servers.find(model, text(model.summary.fields, "inferenceService")):
            yield model, server


def _own_model(server: _Placed) -> str:
    """Why KServe takes a service for one of a single model; empty if it does not."""
    fields = server.summary.fields
    if containers := elements(fields, "predictor", "containers"):
        for item in elements(containers[0], "env"):
            if text(item, "name") == "MULTI_MODEL_SERVER" and text(item, "value") == "true":
                return ""
        return "its container has no MULTI_MODEL_SERVER=true"
    given = [key for item in _models(server) for key in _STORED if item.get(key)]
    given += ["storageUris"] if elements(fields, "predictor", "storageUris") else []
    if given:
        return f"it has {given[0]}"
    formats = {text(item, "modelFormat", "name") for item in _models(server)}
    is_huggingface = "huggingface" in (*formats, *members(fields, "predictor"))
    return "its format is huggingface" if is_huggingface else ""


@rule("KSV623", Severity.ERROR, "Fleet", since=_SINCE)
def models_fit_their_server(fleet: Fleet) -> Iterator[Finding]:
    """The models of a server need no more memory than its limit.

    KServe adds up `model.memory` of all trained models of a server, and loads none more if the sum
    is above the memory limit of its container. Without a limit none fits. Limits that only a
    runtime sets do not count (MemoryResourceNotAvailable).
    """
    found: dict[tuple[str, ...], tuple[_Placed, list[_Placed]]] = {}
    for model, server in _models_on_servers(fleet):
        if not _own_model(server):
            found.setdefault((*server[:2], server.name), (server, []))[1].append(model)
    for server, some in found.values():
        yield from _crowded(server, some)


def _crowded(server: _Placed, some: Sequence[_Placed]) -> Iterator[Finding]:
    fields = server.summary.fields
    first = (*elements(fields, "predictor", "containers"), *_models(server))[:1]
    given = text(first[0], "resources", "limits", "memory") if first else ""
    room, taken = value(given) if given else Decimal(0), Decimal(0)
    for model in some:
        node = model.summary.fields.get("model", "memory")
        amount = value(str(node.value)) if node else None
        if node is None or amount is None or room is None:
            continue
        taken += amount
        if taken > room:
            names = listed(item.name for item in some)
            message = f"{names} need more than the memory limit of {server.name}, which is {given}"
            if not given:
                message = f"{server.name} has no memory limit, so that no model fits"
            yield model.wrong(node, message, "raise the limit, or use another server", server)
            return


def _caches(fleet: Fleet) -> Iterator[tuple[_Placed, _Placed]]:
    """Two caches of one cluster, in the order of their environments."""
    before: list[_Placed] = []
    for cache in _placed(fleet, CACHE):
        yield from ((item, cache) for item in before if item.cluster == cache.cluster)
        before.append(cache)


@rule("KSV642", Severity.ERROR, "Fleet", since=_SINCE)
def caches_have_their_own_models(fleet: Fleet) -> Iterator[Finding]:
    """No two caches of a cluster keep the same `sourceModelUri`.

    KServe's webhook refuses the second one.
    """
    for first, cache in _caches(fleet):
        node = cache.summary.fields.get("sourceModelUri")
        same = text(first.summary.fields, "sourceModelUri")
        if node and same == node.value and first.name != cache.name:
            message = f"the cache {first.name!r} keeps {same} already"
            yield cache.wrong(node, message, "delete one of the two", first)


@rule("KSV643", Severity.ERROR, "Fleet", since=_SINCE)
def claims_of_caches_have_their_own_names(fleet: Fleet) -> Iterator[Finding]:
    """No two caches of a cluster have claims of the same name.

    A claim is called CACHE-GROUP: the one of `a-b` on the nodes `c` is that of `a` on `b-c`.
    """
    for first, cache in _caches(fleet):
        taken = {_claim(first, item) for item in elements(first.summary.fields, "nodeGroups")}
        for group in elements(cache.summary.fields, "nodeGroups"):
            claim = _claim(cache, group)
            if claim in taken and first.name != cache.name:
                message = f"the claim {claim!r} is that of the cache {first.name!r} too"
                yield cache.wrong(group, message, "give one of the two another name", first)


def _claim(cache: _Placed, group: Node) -> str:
    return f"{cache.name}-{group.value}"


GRAPH_RULES = rules_with_source((services_of_steps_are_there, steps_speak_one_protocol), _SOURCE)
MODEL_RULES = rules_with_source(
    (servers_of_models_are_there, servers_take_several_models, models_fit_their_server), _SOURCE
)
CACHE_RULES = rules_with_source(
    (caches_have_their_own_models, claims_of_caches_have_their_own_names), _SOURCE
)
