"""What rules about a serve config are given: the config of a service, and the nodes it runs on."""

from collections.abc import Iterator, Mapping
from math import inf

from renderer.backends.fields import elements, is_true, text, whole_number
from renderer.backends.kuberay.pod_numbers import hosts, most_replicas, pod_numbers
from renderer.backends.kuberay.serve_config.applications import (
    CPU,
    GPU,
    HTTP_PORT,
    MEMORY,
    Amounts,
    Application,
    Deployment,
    applications_of,
)
from renderer.backends.kuberay.serve_config.deployment_graph import convert_graph
from renderer.backends.kuberay.serve_config.document import ServeConfig, Version, read_serve_config
from renderer.backends.kuberay.start_params import detected_devices, node_resources, own_params
from renderer.backends.kuberay.workloads import Cluster, Group, PlacelessWorkload, Workload
from renderer.values.diagnostics import Finding, Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

FIELD, GRAPH = "serveConfigV2", "serveDeploymentGraphSpec"
SERVE = "serve"
#: What gives the amounts of a node: a start parameter, or a limit of the container.
_GIVEN_BY = (
    (CPU, "num-cpus", "cpu"),
    (GPU, "num-gpus", "nvidia.com/gpu"),
    (MEMORY, "memory", "memory"),
)
#: Of a group that nothing bounds.
_MOST_WORKERS = 2147483647


class NodeSize(NamedTuple):
    """What a Ray node of a group offers, and how many of them there are at `most`.

    A group that nothing scales has a `fixed` number of them. `places` are the files and lines that
    give CPU, GPU and memory. Nothing is known of an amount that is none. `memory` is in bytes,
    `resources` are by the names that Ray has for them.
    """

    group: str
    most: int
    cpus: float | None = None
    gpus: float | None = None
    memory: float | None = None
    resources: Mapping[str, float] = {}
    fixed: int | None = None
    places: Mapping[str, str] = {}

    @property
    def number(self) -> int:
        """How many there can be."""
        return self.most if self.fixed is None else self.fixed

    @property
    def offers(self) -> Amounts:
        """What is known of it, by Ray's names."""
        own = {CPU: self.cpus, GPU: self.gpus, MEMORY: self.memory}
        return {**{name: n for name, n in own.items() if n is not None}, **self.resources}

    def lacks(self, amounts: Amounts) -> list[str]:
        """What a node has less of than is asked for; only other resources must be named."""
        offers = {CPU: inf, GPU: inf, MEMORY: inf, **self.offers}
        return [name for name, amount in amounts.items() if amount > offers.get(name, 0)]


class ServeView(NamedTuple):
    """The config of a service, and where it will run.

    Without a version, it is not known. `serve_port` is the head's, if there is one. `nodes` are
    the head and the groups of workers. Workers that `probe_proxies` are ready when their proxy is.
    A head that is excluded gets no requests. `workload` is the service itself, for rules on
    language models: the accelerators and images that an environment describes count for them.
    """

    config: ServeConfig | None
    ray_version: Version | None = None
    kuberay_version: Version | None = None
    serve_port: int | None = None
    nodes: tuple[NodeSize, ...] = ()
    probe_proxies: bool = True
    is_head_excluded: bool = False
    workload: Workload | None = None

    @property
    def applications(self) -> tuple[Application, ...]:
        return applications_of(self.config) if self.config else ()

    @property
    def deployments(self) -> tuple[Deployment, ...]:
        return tuple(item for owner in self.applications for item in owner.deployments)

    def finding(self, path: Path, message: str, fix: str = "", *, at_key: bool = False) -> Finding:
        """A finding about a path in the config."""
        if self.config is None:
            return Finding((), message, fix)
        return self.config.finding(path, message, fix, at_key=at_key)


@cached_by_identity
def serve_config_of(workload: PlacelessWorkload) -> ServeConfig | None:
    """The serve config of a service; nothing if it has none."""
    given, graph = (workload.fields.get(key) for key in (FIELD, GRAPH))
    if given is not None:
        return _read_serve_config(given)
    return convert_graph(graph, (GRAPH,), workload.ray_version) if graph else None


@cached_by_identity
def _read_serve_config(given: Node) -> ServeConfig:
    return read_serve_config(given, (FIELD,))


@cached_by_identity
def serve_view(workload: PlacelessWorkload) -> ServeView:
    """The serve config with the nodes that it will run on."""
    cluster = workload.cluster
    return ServeView(
        serve_config_of(workload),
        workload.ray_version,
        workload.settings.dialect.version,
        serve_port(cluster.head) if workload.has_cluster else None,
        tuple(node_size(group, cluster) for group in workload.groups),
        probe_proxies=not workload.has_cluster or any(map(_is_probed, cluster.workers)),
        is_head_excluded=is_true(workload.fields, "excludeHeadPodFromServeSvc"),
    )


@cached_by_identity
def model_view(workload: Workload) -> ServeView:
    """The same for language models, which the environment matters to."""
    return serve_view(workload)._replace(workload=workload)


def serve_port(head: Group) -> int | None:
    """The port of the head for requests; nothing if it lists others and not that one."""
    ports = elements(head.container.node, "ports") if head.container else ()
    if not ports:
        return HTTP_PORT
    named = (port.get("containerPort") for port in ports if text(port, "name") == SERVE)
    return whole_number(next(named, None))


def _is_probed(group: Group) -> bool:
    """Whether the operator decides how it is found out that a pod is ready."""
    return group.container is None or group.container.node.get("readinessProbe") is None


@cached_by_identity
def node_size(group: Group, cluster: Cluster) -> NodeSize:
    """What a node of a group offers to Ray, and how many there are at most."""
    amounts = {**dict.fromkeys(detected_devices(group), inf), **node_resources(own_params(group))}
    cpus, gpus, memory = (amounts.pop(name, None) for name in (CPU, GPU, MEMORY))
    numbers = pod_numbers(group, is_scaled=cluster.is_scaled)
    is_moved = cluster.is_scaled and numbers.most != 0
    fixed = None if group.is_head or is_moved else numbers.start
    most, places = _most_allowed(group), dict(_places(group))
    return NodeSize(group.name, most, cpus, gpus, memory, amounts, fixed, places)


def _most_allowed(group: Group) -> int:
    """How many pods a group may have, also while it is suspended."""
    replicas = 1 if group.is_head else most_replicas(group)
    return (_MOST_WORKERS if replicas is None else replicas) * (
        1 if group.is_head else hosts(group)
    )


def _places(group: Group) -> Iterator[tuple[str, str]]:
    """The file and line of what a node offers: a start parameter, else a limit."""
    limits = ("template", "spec", "containers", 0, "resources", "limits")
    for name, parameter, limit in _GIVEN_BY:
        given = group.node.get("rayStartParams", parameter) or group.node.get(*limits, limit)
        if given and given.origin.file:
            yield name, f"{given.origin.file}:{given.origin.line}"
