"""Where a Ray cluster and its applications are called."""

from collections.abc import Iterator

from renderer.backends.kuberay.derive.plan import DASHBOARD, DOMAIN, RayPlan
from renderer.backends.kuberay.serve_config.applications import applications_of, grpc_port
from renderer.backends.kuberay.serve_config.document import ServeConfig
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.kubernetes.data import Data, items, mapping, number
from renderer.values.derivations import Address

_CALLERS = {
    "NodePort": "whoever reaches a node",
    "LoadBalancer": "whoever reaches the load balancer",
}
_INSIDE = "only within the cluster"
_NODES = "the workers, and drivers beside them"


def find_addresses(
    plan: RayPlan, services: list[Data], config: ServeConfig | None
) -> Iterator[Address]:
    """Of the head, then of the applications behind the Service that serves."""
    yield from _of_head(plan)
    for service in services:
        if is_serve_service(service):
            yield from _of_applications(service, config)


def is_serve_service(service: Data) -> bool:
    return "ray.io/serve" in mapping(service, "metadata", "labels")


def host_of(service: Data) -> str:
    about = mapping(service, "metadata")
    return f"{about.get('name')}.{about.get('namespace')}.{DOMAIN}"


def stable_head_host(plan: RayPlan) -> str:
    """The host of the head that stays the same when a job or service gets another cluster."""
    own = plan.head_service if plan.kind == CLUSTER else f"{plan.name}-head-svc"
    return f"{own}.{plan.namespace}.{DOMAIN}"


def callers_of(service_type: str) -> str:
    return _CALLERS.get(service_type, _INSIDE)


def _of_head(plan: RayPlan) -> Iterator[Address]:
    host, ports = stable_head_host(plan), plan.ports
    callers = callers_of(str(plan.head.get("serviceType")))
    if DASHBOARD in ports:
        url = f"http://{host}:{ports[DASHBOARD]}/api/version"
        yield Address(DASHBOARD, url, callers, method="GET")
    if "client" in ports:
        yield Address("client", f"ray://{host}:{ports['client']}", callers)
    if "gcs-server" in ports:
        yield Address("gcs", f"{host}:{ports['gcs-server']}", _NODES)


def _of_applications(service: Data, config: ServeConfig | None) -> Iterator[Address]:
    spec = mapping(service, "spec")
    callers = callers_of(str(spec.get("type")))
    ports = {str(item.get("name")): number(item, "port") for item in items(spec, "ports")}
    host, port = host_of(service), ports.get("serve") or next(iter(ports.values()), None)
    root = f"http://{host}:{port}"
    yield Address("proxy", f"{root}/-/healthz", callers, method="GET")
    yield Address("routes", f"{root}/-/routes", callers, method="GET")
    for item in applications_of(config) if config else ():
        if item.route_prefix is not None:
            yield Address(f"application {item.name}", f"{root}{item.route_prefix}", callers)
    if config and (grpc := grpc_port(config)) in ports.values():
        yield Address("gRPC", f"grpc://{host}:{grpc}", callers)
