"""An LLMInferenceService or LLMInferenceServiceConfig: what its rules are given, what it names."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import elements, text
from renderer.backends.kserve import LLM_PRESETS
from renderer.backends.kserve.mentions import GATEWAY
from renderer.backends.kserve.settings import PLATFORM, KServeSettings
from renderer.values.model import Environment, Reference, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

LLM_SERVICE, LLM_CONFIG = "LLMInferenceService", "LLMInferenceServiceConfig"
PREFILL, SCHEDULER = "prefill", ("router", "scheduler")
#: Where a service names what its route belongs to, or another route.
_GATEWAYS = (
    ("gateway", "refs"),
    ("route", "http", "refs"),
    ("route", "http", "spec", "parentRefs"),
)
#: The pods that a spec describes: of the server, of its other nodes, and of the scheduler.
POD_PLACES = (
    ("template",),
    ("worker",),
    (PREFILL, "template"),
    (PREFILL, "worker"),
    (*SCHEDULER, "template"),
)


class LlmView(NamedTuple):
    """What the rules of an LLM service or of a configuration are given."""

    spec: Spec
    environment: Environment
    settings: KServeSettings
    users: tuple[Summary, ...] = ()

    @property
    def tree(self) -> Node:
        return self.spec.tree


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> LlmView:
    return LlmView(spec, environment, KServeSettings.of(environment), tuple(users))


def base_names(tree: Node) -> Iterator[tuple[int, str]]:
    """The configurations that a service builds on, each with its place in the list."""
    for index, item in enumerate(elements(tree, "baseRefs")):
        if name := text(item, "name"):
            yield index, name


def references(spec: Spec, environment: Environment) -> Iterator[Reference]:
    """The configurations that a service builds on, and the gateway that KServe routes it by.

    One of the repository that is called as a preset takes its place in the service's namespace.
    """
    for index, name in base_names(spec.tree):
        yield Reference(LLM_CONFIG, name, ("baseRefs", index, "name"))
    own = [name for kind, name in environment.by_name if kind == LLM_CONFIG]
    if any(name.startswith(LLM_PRESETS) for name in own):
        from renderer.backends.kserve.llm.effective import preset_suffixes

        for suffix in preset_suffixes(spec.tree):
            if f"{LLM_PRESETS}{suffix}" in own:
                yield Reference(LLM_CONFIG, f"{LLM_PRESETS}{suffix}", ("model",))
    yield from _ingress_gateway(spec, environment)


def _ingress_gateway(spec: Spec, environment: Environment) -> Iterator[Reference]:
    """The gateway of the cluster's own configuration, for a route that names none."""
    route = spec.tree.get("router", "route")
    if route is None or any(spec.tree.get("router", *path) for path in _GATEWAYS):
        return
    from renderer.backends.kserve.llm.cluster import cluster_of

    for place in environment.routed_destinations(PLATFORM, spec):
        cluster = cluster_of(environment, place.name)
        if cluster.is_own:
            path = ("router", "route")
            name, namespace = cluster.gateway_name, cluster.gateway_namespace
            where = spec.tree.locate(path, at_key=True)
            yield Reference(GATEWAY, name, path, namespace=namespace, origin=where)
