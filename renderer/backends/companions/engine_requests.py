"""What companions ask of engines of language models: ports of Services, names of models."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from urllib.parse import urlsplit

from renderer.backends.companions.selection_rules import ENGINE_PORT, MODEL_NAME, SERVED_TOGETHER
from renderer.backends.companions.table import ROWS, Path
from renderer.backends.fields import elements, text
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.running import Running, RunningPods, RunningService
from renderer.values.tree import Node

#: Variables by which clients find a server that speaks the API of OpenAI, and what they ask it for.
_ADDRESSES = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_BASE_URL")
_MODELS = ("OPENAI_MODEL", "OPENAI_MODEL_NAME", "OPENAI_API_MODEL", "OPENAI_DEFAULT_MODEL",
           "LLM_MODEL", "LLM_MODEL_NAME")  # fmt: skip
#: What begins the value of another variable.
_FROM_VARIABLE = "$("
#: What some clients put before the name of a model, for the API that they are to speak.
_PROVIDERS = ("openai/", "hosted_vllm/", "litellm_proxy/")
#: The inference extension of Gateway API copies the model of a request's body into this header.
_HEADER = "x-gateway-model-name"
_ROUTES, _SERVICE, _POOL = ("HTTPRoute",), "Service", "InferencePool"
_PODS: dict[str, tuple[Path, ...]] = {row.kind: row.pods for row in ROWS if row.pods}


class Around(NamedTuple):
    """The Services and all else that runs in the cluster of an object, and its namespace."""

    namespace: str
    services: Sequence[RunningService]
    running: Sequence[Running]

    def behind(self, name: str, namespace: str = "") -> list[RunningPods]:
        """The pods that a Service sends requests to."""
        place = namespace or self.namespace
        wanted = [i for i in self.services if (i.name, i.namespace) == (name, place)]
        return [
            pods
            for found in wanted[:1]
            for item in self.running
            for pods in item.pods
            if found.selector and pods.namespace == place and {*found.selector} <= {*pods.labels}
        ]

    def in_pool(self, name: str, namespace: str) -> list[RunningPods]:
        """The engines that a platform makes an InferencePool for."""
        made = [item for item in self.running if (_POOL, namespace, name) in item.objects]
        return [pods for item in made for pods in item.pods if pods.engine_port or pods.models]


def asks_engines(environment: Environment) -> bool:
    """Whether a companion may be a client of an engine."""
    return any(
        name in _ADDRESSES
        for spec in environment.specs
        if spec.kind.name in _PODS
        for container in _containers(spec.kind.name, spec.tree)
        for name in _variables(container)
    )


def _containers(kind: str, tree: Node) -> Iterator[Node]:
    for place in _PODS.get(kind, ()):
        for key in ("initContainers", "containers"):
            yield from elements(tree, *place, key)


def _variables(container: Node) -> dict[str, Node]:
    given = ((text(item, "name"), item.get("value")) for item in elements(container, "env"))
    return {name: value for name, value in given if value}


def check_service(tree: Node, selected: Sequence[RunningPods]) -> Iterator[Diagnostic]:
    """A Service that goes past the engines which it selects, or to engines of several models."""
    listening = {pods.engine_port for pods in selected}
    ports = elements(tree, "spec", "ports")
    known = [node for item in ports if (node := item.get("targetPort") or item.get("port"))]
    if known and "" not in listening and listening:
        reached = {number for node in known for number in _numbers(node, selected)}
        if reached.isdisjoint(listening):
            owners = listed(dict.fromkeys(pods.owner for pods in selected))
            numbers = listed(sorted(listening), "or")
            whose = f"the engine of {owners} listens on {numbers}"
            message = f"requests go to {known[0].value}, and {whose}"
            yield ENGINE_PORT.at(known[0].origin, message, f"write targetPort: {numbers}")
    yield from _served_together(tree, selected)


def _numbers(target: Node, selected: Iterable[RunningPods]) -> Iterator[str]:
    for pods in selected:
        named = (str(number) for name, number in pods.ports if name == target.value)
        yield next(named, str(target.value))


def _served_together(tree: Node, selected: Sequence[RunningPods]) -> Iterator[Diagnostic]:
    known = [pods for pods in selected if pods.models]
    selector = tree.get("spec", "selector")
    for first, pods in pairwise(known) if selector else ():
        if {*first.models}.isdisjoint(pods.models):
            one, other = (f"{i.owner} ({listed(i.models)})" for i in (first, pods))
            message = f"requests go to {one} and to {other}, and neither has the other's model"
            yield SERVED_TOGETHER.at((selector or tree).origin, message, "select one of them")
            return


def check_clients(item: Manifest, around: Around) -> Iterator[Diagnostic]:
    """Clients and routes that ask engines for models which these do not have."""
    kind = item.spec.kind.name
    for container in _containers(kind, item.tree):
        variables = _variables(container)
        addresses = [variables[name] for name in _ADDRESSES if name in variables]
        for name in _MODELS if addresses else ():
            model = variables.get(name)
            if model and model.value and _FROM_VARIABLE not in str(model.value):
                yield from _unserved(model, _called(addresses[0], around))
    if kind in _ROUTES:
        yield from _check_route(item.tree, around)


def _called(address: Node, around: Around) -> list[RunningPods]:
    """The pods at an address, if it is that of a Service in the cluster."""
    try:
        host = urlsplit(str(address.value)).hostname or ""
    except ValueError:
        return []
    name, _, rest = host.partition(".")
    namespace, _, domain = rest.partition(".")
    is_inside = domain in ("", "svc") or domain.startswith("svc.cluster.local")
    return around.behind(name, namespace) if is_inside else []


def _check_route(tree: Node, around: Around) -> Iterator[Diagnostic]:
    for rule in elements(tree, "spec", "rules"):
        backends = [_behind_backend(item, around) for item in elements(rule, "backendRefs")]
        pods = [one for some in backends for one in some] if all(backends) else []
        for match in elements(rule, "matches"):
            for header in elements(match, "headers"):
                value, is_plain = header.get("value"), text(header, "type") in ("", "Exact")
                if value and is_plain and text(header, "name").lower() == _HEADER:
                    yield from _unserved(value, pods)


def _behind_backend(backend: Node, around: Around) -> list[RunningPods]:
    name, namespace = text(backend, "name"), text(backend, "namespace") or around.namespace
    if text(backend, "kind") in ("", _SERVICE):
        return around.behind(name, namespace)
    return around.in_pool(name, namespace) if text(backend, "kind") == _POOL else []


def _unserved(model: Node, pods: Sequence[RunningPods]) -> Iterator[Diagnostic]:
    """A name that none of some pods serves a model by, if all of them are known."""
    asked = str(model.value)
    for start in _PROVIDERS:
        asked = asked.removeprefix(start)
    known = [*dict.fromkeys(name for one in pods for name in one.models)]
    if pods and all(one.models for one in pods) and asked not in known:
        owners = listed(dict.fromkeys(one.owner for one in pods))
        fix = suggest(asked, known, f"write {listed(known, 'or')}")
        yield MODEL_NAME.at(model.origin, f"{owners} serves no model {asked!r}", fix)
