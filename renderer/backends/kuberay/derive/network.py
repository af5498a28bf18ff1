"""The Services of a Ray cluster, the Ingress of its dashboard, and where all of it is called."""

from collections.abc import Iterator

from renderer.backends.kuberay.derive.clusters import (
    KIND,
    NAME,
    cluster_annotations,
    origin_labels,
    selector_labels,
)
from renderer.backends.kuberay.derive.plan import (
    CLUSTER_LABEL,
    DASHBOARD,
    DOMAIN,
    RayPlan,
    clip_name,
)
from renderer.backends.kuberay.pod_numbers import hosts
from renderer.backends.kuberay.serve_config.applications import applications_of, grpc_port
from renderer.backends.kuberay.serve_config.document import ServeConfig
from renderer.backends.kuberay.vocabulary import CLUSTER, SERVICE
from renderer.kubernetes.data import Data, container_named, items, mapping, number, texts
from renderer.values.tree import Plain
from renderer.values.unit_details import Address

_SERVE_LABEL = "ray.io/serve"
_APPLICATION = "app.kubernetes.io/name"
_CLASS = "kubernetes.io/ingress.class"
#: Since when `ingressOptions` decide host, path and TLS; before, the path was fixed.
_SHAPED_INGRESS = (1, 7, 0)
_CALLERS = {
    "NodePort": "whoever reaches a node",
    "LoadBalancer": "whoever reaches the load balancer",
}
_INSIDE = "only within the cluster"
_NODES = "the workers, and drivers beside them"


def make_services(plan: RayPlan) -> Iterator[Data]:
    """All Services: of the head, of what serves, and of workers that are several hosts."""
    head = plan.head
    given = mapping(head, "template", "metadata", "labels")
    if plan.is_own:
        own = {key: str(value) for key, value in given.items() if key == _APPLICATION}
        labels = {**selector_labels(plan), **own}
        notes = texts(plan.content, "headServiceAnnotations")
        yield _head_service(plan, head, labels, notes)
    if plan.kind != CLUSTER and plan.is_own and plan.reaches_dashboard:
        made = _head_service(plan, head, selector_labels(plan), {})
        labels = {"ray.io/node-type": "head", "ray.io/identifier": f"{plan.name}-head"}
        about = {**mapping(made, "metadata"), "name": f"{plan.name}-head-svc"}
        yield {**made, "metadata": {**about, "labels": {**origin_labels(plan), **labels}}}
    if any(
        hosts(group) > 1 for group in plan.cluster.workers
    ):  # hosts of a replica find each other
        yield _headless_service(plan)
    yield from _serve_services(plan)


def _head_service(plan: RayPlan, head: Data, labels: dict[str, str], notes: dict[str, str]) -> Data:
    ports = [{**_port(name, port), "appProtocol": "tcp"} for name, port in plan.ports.items()]
    kind = head.get("serviceType") or "ClusterIP"
    if given := mapping(head, "headService"):
        made = _complete_service(given, plan.head_service, plan, labels, str(kind))
        about = mapping(made, "metadata")
        notes = {**texts(about, "annotations"), **notes}
        spec = mapping(made, "spec")
        spec |= {"selector": {**labels}, "ports": [*items(spec, "ports"), *ports]}
        return {**made, "metadata": {**about, **_annotations(notes)}, "spec": spec}
    spec = {"type": kind, "selector": {**labels}, "ports": list[Plain](ports)}
    if kind == "ClusterIP":  # headless: workers must find the head before it is ready
        spec |= {"clusterIP": "None", "publishNotReadyAddresses": True}
    about = {**_metadata(plan.head_service, plan), "labels": {**labels}, **_annotations(notes)}
    return _service(about, spec)


def _complete_service(
    given: Data, name: str, plan: RayPlan, labels: dict[str, str], kind: str
) -> Data:
    """A Service that the spec describes, with what the operator decides: names, labels, type."""
    about, spec = mapping(given, "metadata"), mapping(given, "spec")
    whole: Data = {
        **_metadata(str(about.get("name") or name), plan),
        **_annotations(texts(about, "annotations")),
        "labels": {**texts(about, "labels"), **labels},
    }
    ports = [{"targetPort": port.get("port"), **port} for port in items(spec, "ports")]
    listed: Data = {"ports": list[Plain](ports)} if ports else {}
    return _service(whole, {**spec, **listed, "type": spec.get("type") or kind})


def _headless_service(plan: RayPlan) -> Data:
    name = f"{plan.cluster_name}-headless"
    labels: Data = {"ray.io/headless-worker-svc": plan.cluster_name}
    selector: Data = {CLUSTER_LABEL: plan.cluster_name, "ray.io/node-type": "worker"}
    spec: Data = {
        "type": "ClusterIP",
        "clusterIP": "None",
        "selector": selector,
        "publishNotReadyAddresses": True,
    }
    return _service({**_metadata(name, plan), "labels": labels}, spec)


def _serve_services(plan: RayPlan) -> Iterator[Data]:
    """Of a service, and of a cluster that asks for one."""
    if plan.kind == SERVICE and plan.reaches_dashboard:
        name = plan.cluster_name if plan.is_incremental else plan.name
        given = {} if plan.is_incremental else mapping(plan.spec, "serveService")
        yield from _serve_service(plan, {**origin_labels(plan), NAME: name}, given)
    if plan.wants_serve_service:
        yield from _serve_service(plan, {NAME: plan.cluster_name, KIND: CLUSTER}, {})


def _serve_service(plan: RayPlan, labels: dict[str, str], given: Data) -> Iterator[Data]:
    """Where requests come in; there is none if the head lists ports and none of them serves."""
    ports = [_port(name, port) for name, port in plan.serve_ports.items()]
    if not ports and not given:  # recorded: service-ports-without-serve
        return
    selector: Data = {CLUSTER_LABEL: plan.cluster_name}
    if labels[KIND] == SERVICE:
        selector[_SERVE_LABEL] = "true"
    owner = labels[NAME]
    labels = {**labels, _SERVE_LABEL: f"{owner}-serve"}
    kind = plan.head.get("serviceType")
    made = _complete_service(given, f"{owner}-serve-svc", plan, labels, str(kind or "ClusterIP"))
    spec = {**mapping(made, "spec"), "selector": selector}
    own = items(spec, "ports")
    if ports:
        spec["ports"] = [container_named(own, str(port["name"])) or port for port in ports]
    yield {**made, "spec": spec}


def make_ingress(plan: RayPlan) -> Iterator[Data]:
    """The way to the dashboard from outside, if the spec asks for one."""
    head = plan.head
    if not plan.is_own or head.get("enableIngress") is not True:
        return
    options = mapping(head, "ingressOptions")
    is_shaped = plan.dialect.knows(_SHAPED_INGRESS)
    name = f"{plan.cluster_name}-head-ingress"
    notes = cluster_annotations(plan)
    controller = notes.pop(_CLASS, "")
    port: Data = {"number": plan.ports.get(DASHBOARD, 8265)}
    path: Data = {
        "path": options.get("path", "/") if is_shaped else f"/{plan.cluster_name}/(.*)",
        "pathType": options.get("pathType", "Prefix") if is_shaped else "Exact",
        "backend": {"service": {"name": plan.head_service, "port": port}},
    }
    rule: Data = {"http": {"paths": [path]}}
    labels = {key: text for key, text in selector_labels(plan).items() if key != "ray.io/node-type"}
    yield {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {
            **_metadata(clip_name(name) if is_shaped else name, plan),
            "labels": {**labels},
            **_annotations(notes),
        },
        "spec": {
            **({"ingressClassName": controller} if controller else {}),
            "rules": [{**({"host": options["host"]} if "host" in options else {}), **rule}],
            **({"tls": options["tls"]} if "tls" in options else {}),
        },
    }


def _metadata(name: str, plan: RayPlan) -> Data:
    return {"name": name, "namespace": plan.namespace}


def _annotations(notes: dict[str, str]) -> Data:
    return {"annotations": {**notes}} if notes else {}


def _service(about: Data, spec: Data) -> Data:
    return {"apiVersion": "v1", "kind": "Service", "metadata": about, "spec": spec}


def _port(name: str, port: int) -> Data:
    return {"name": name, "port": port, "targetPort": port}


def find_addresses(
    plan: RayPlan, services: list[Data], config: ServeConfig | None
) -> Iterator[Address]:
    """Of the head, then of the applications behind the Service that serves."""
    yield from _head_addresses(plan)
    for service in services:
        if is_serve_service(service):
            yield from _application_addresses(service, config)


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


def _head_addresses(plan: RayPlan) -> Iterator[Address]:
    host, ports = stable_head_host(plan), plan.ports
    callers = callers_of(str(plan.head.get("serviceType")))
    if DASHBOARD in ports:
        url = f"http://{host}:{ports[DASHBOARD]}/api/version"
        yield Address(DASHBOARD, url, callers, method="GET")
    if "client" in ports:
        yield Address("client", f"ray://{host}:{ports['client']}", callers)
    if "gcs-server" in ports:
        yield Address("gcs", f"{host}:{ports['gcs-server']}", _NODES)


def _application_addresses(service: Data, config: ServeConfig | None) -> Iterator[Address]:
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
