"""The applications and deployments of a serve config, as typed values."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from renderer.backends.fields import elements, members, text
from renderer.backends.kuberay.serve_config.document import ServeConfig
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

HTTP_PORT, GRPC_PORT = 8000, 9000
EVERY_NODE, HEAD_ONLY, DISABLED = "EveryNode", "HeadOnly", "Disabled"
AUTO = "auto"
_MOST_OF_AUTO = 100
_NUMBERS = (int, float)
CPU, GPU, MEMORY = "CPU", "GPU", "memory"
#: What is asked of a node by Ray's names; what is left to the code is not among it.
Amounts: TypeAlias = Mapping[str, float]


class ReplicaBounds(NamedTuple):
    """How many there are: at least, at first, at most."""

    fewest: int
    first: int
    most: int


class Deployment(NamedTuple):
    """A deployment, with its path in the config.

    `pieces` are what each replica asks of a node at once: itself, or each of its bundles.
    """

    name: str
    path: Path
    node: Node
    replicas: ReplicaBounds
    pieces: tuple[Amounts, ...]

    @property
    def replica(self) -> Amounts:
        """What a replica asks of all nodes together."""
        return sum_amounts((piece, 1) for piece in self.pieces)


class Application(NamedTuple):
    """An application with its path in the config; without a route it takes no requests."""

    name: str
    path: Path
    node: Node
    route_prefix: str | None
    deployments: tuple[Deployment, ...]


@cached_by_identity  # as nearly every rule about serve configs asks for them
def applications_of(config: ServeConfig) -> tuple[Application, ...]:
    listed = enumerate(elements(config.tree, "applications"))
    return tuple(_application(node, ("applications", index)) for index, node in listed)


def _application(node: Node, path: Path) -> Application:
    route = node.items.get("route_prefix")
    return Application(
        text(node, "name") or "default",
        path,
        node,
        None if route and route.value is None else text(node, "route_prefix") or "/",
        tuple(
            _deployment(child, (*path, "deployments", index))
            for index, child in enumerate(elements(node, "deployments"))
        ),
    )


def _deployment(node: Node, path: Path) -> Deployment:
    return Deployment(text(node, "name"), path, node, replica_bounds(node), _replica_pieces(node))


def is_autoscaled(node: Node) -> bool:
    """Whether a deployment's replicas follow the requests."""
    given = node.items.get("autoscaling_config")
    return text(node, "num_replicas") == AUTO or bool(given and given.value is not None)


def replica_bounds(node: Node) -> ReplicaBounds:
    """As the config has them; what it leaves to the code is taken to be one."""
    if not is_autoscaled(node):
        count = _whole_number(node, "num_replicas", 1)
        return ReplicaBounds(count, count, count)
    is_auto = text(node, "num_replicas") == AUTO
    fewest = _whole_number(node, "autoscaling_config", "min_replicas", 1)
    most = _whole_number(
        node, "autoscaling_config", "max_replicas", _MOST_OF_AUTO if is_auto else 1
    )
    return ReplicaBounds(
        fewest, _whole_number(node, "autoscaling_config", "initial_replicas", fewest), most
    )


def _replica_pieces(node: Node) -> tuple[Amounts, ...]:
    bundles = tuple(amounts_of(item.items) for item in elements(node, "placement_group_bundles"))
    if not bundles:
        options = members(node, "ray_actor_options")
        own = {CPU: options.get("num_cpus"), GPU: options.get("num_gpus")}
        named = {**own, MEMORY: options.get("memory"), **members(options.get("resources"))}
        return (amounts_of(named),)
    together = text(node, "placement_group_strategy") == "STRICT_PACK"
    return (sum_amounts((bundle, 1) for bundle in bundles),) if together else bundles


def amounts_of(given: Mapping[str, Node | None]) -> Amounts:
    """The numbers of a mapping; what is none is left out, and so is 0."""
    values = {name: node.value for name, node in given.items() if node}
    return {name: n for name, n in values.items() if n and isinstance(n, _NUMBERS)}


def sum_amounts(some: Iterable[tuple[Amounts, int]]) -> Amounts:
    """Amounts together, each so many times."""
    found: dict[str, float] = {}
    for amounts, count in some:
        for name, amount in amounts.items():
            found[name] = found.get(name, 0) + amount * count
    return found


def _whole_number(node: Node, *path_and_default: str | int) -> int:
    *path, default = path_and_default
    found = node.get(*path)
    value = found.value if found else None
    return value if isinstance(value, int) else int(default)


def http_port(config: ServeConfig) -> int:
    """The port of HTTP requests."""
    return _whole_number(config.tree, "http_options", "port", HTTP_PORT)


def grpc_port(config: ServeConfig) -> int | None:
    """The port of gRPC requests; nothing if there is no server, as there is none to call."""
    if not elements(config.tree, "grpc_options", "grpc_servicer_functions"):
        return None
    return _whole_number(config.tree, "grpc_options", "port", GRPC_PORT)


def proxy_location(config: ServeConfig) -> str:
    return text(config.tree, "proxy_location") or EVERY_NODE


def runtime_environments(application: Application) -> Iterator[tuple[Path, Node]]:
    """Those of an application and of its deployments, with their paths in the config."""
    options = ((*item.path, "ray_actor_options") for item in application.deployments)
    for path in (application.path, *options):
        found = application.node.get(*path[len(application.path) :], "runtime_env")
        if found:
            yield (*path, "runtime_env"), found
