"""The Service of the head: its ports are those of the head's first container, if it lists any."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, text
from renderer.backends.kuberay.rules import SERVICES
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import ENABLES_SERVE, Group, PlacelessWorkload
from renderer.kubernetes.forms.service import service_findings
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: The ports that Ray listens at: the operator's name and number, and the parameter that moves it.
_PORTS = (
    ("dashboard", 8265, "dashboard-port"),
    ("gcs-server", 6379, "port"),
    ("client", 10001, "ray-client-server-port"),
    ("metrics", 8080, "metrics-export-port"),
)


def _ports(head: Group) -> tuple[Field, ...]:
    return tuple(head.container.each("ports")) if head.container else ()


def _port_names(head: Group) -> list[str]:
    return [text(port.node, "name") for port in _ports(head)]


@rule("RAY230", Severity.ERROR, "RayCluster", reads=("headGroupSpec.template",))
def jobs_and_services_reach_the_dashboard(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The head of a job or service that lists ports has one called `dashboard`.

    The operator submits jobs and applications there, and looks for the port by its name in the
    head's Service. Ports that are listed replace those that it would have: the job or service never
    becomes ready, and no status or event says why (observed).

    Fails:
        rayClusterConfig:
          headGroupSpec:
            template:
              spec:
                containers: [{name: ray-head, ports: [{name: serve, containerPort: 8000}]}]
    Passes with:
        rayClusterConfig:
          headGroupSpec:
            template:
              spec:
                containers:
                  - name: ray-head
                    ports:
                      - {name: dashboard, containerPort: 8265}
                      - {name: gcs-server, containerPort: 6379}
                      - {name: client, containerPort: 10001}
    """
    head = workload.cluster.head
    if workload.kind == CLUSTER:
        return
    if (names := _port_names(head)) and "dashboard" not in names and head.container:
        message = "the head lists ports, and none is called dashboard"
        fix = "add {name: dashboard, containerPort: 8265}, or delete ports"
        yield workload.wrong((*head.container.path, "ports"), message, fix, at_key=True)


@rule("RAY231", Severity.WARNING, "RayCluster", reads=("headGroupSpec.template",))
def head_ports_are_complete(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A head that lists ports lists those of the dashboard, of the GCS and of clients.

    Ports that are listed replace the operator's: the head's Service has no others (observed), but
    one for metrics.

    Fails:
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, ports: [{name: metrics, containerPort: 8080}]}]}
    Passes:
        headGroupSpec:
          template:
            spec:
              containers:
                - name: ray-head
                  ports:
                    - {name: gcs-server, containerPort: 6379}
                    - {name: dashboard, containerPort: 8265}
                    - {name: client, containerPort: 10001}
    """
    head = workload.cluster.head
    if head.container is None or not _ports(head):
        return
    numbers = {text(port.node, "containerPort") for port in _ports(head)}
    names = _port_names(head)
    missing = [
        f"{name} ({_ray_port(head, number, parameter)})"
        for name, number, parameter in _PORTS[:3]
        if name not in names and str(_ray_port(head, number, parameter)) not in numbers
        if name != "dashboard" or workload.kind == CLUSTER
    ]
    if missing:
        message = f"the head's Service has no port {listed(missing, 'or')}, as none is listed"
        path = (*head.container.path, "ports")
        yield workload.wrong(path, message, "add it, or delete ports", at_key=True)


def _ray_port(head: Group, number: int, parameter: str) -> int:
    """Where Ray listens."""
    given = head.start_params.get(parameter, "")
    return int(given) if given.isdecimal() else number


@rule("RAY232", Severity.WARNING, "RayCluster", reads=("headGroupSpec.template",))
def ports_are_where_ray_listens(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The ports of the head are those that Ray listens at.

    The operator takes the numbers of the head's Service from the ports of its container, or its own
    if there are none, and does not look at `port`, `dashboard-port`, `ray-client-server-port` and
    `metrics-export-port` among the start parameters (observed).

    Fails: headGroupSpec: {rayStartParams: {dashboard-port: "8300"}}
    Passes with:
        headGroupSpec:
          template:
            spec:
              containers:
                - name: ray-head
                  ports:
                    - {name: dashboard, containerPort: 8300}
                    - {name: gcs-server, containerPort: 6379}
                    - {name: client, containerPort: 10001}
    """
    if workload.is_message:
        return
    head = workload.cluster.head
    by_name = {text(port.node, "name"): port for port in _ports(head)}
    for name, number, parameter in _PORTS:
        actual, port = _ray_port(head, number, parameter), by_name.get(name)
        if port and text(port.node, "containerPort") != str(actual):
            message = f"for the port {name} Ray listens at {actual}"
            fix = f"write {actual}, or change {parameter} among the start parameters"
            yield workload.wrong((*port.path, "containerPort"), message, fix)
        elif not by_name and actual != number:
            message = f"the head's Service leads to {number}, not to {actual}"
            fix = f"delete it, or list the ports of the container, {name} among them"
            yield workload.wrong((*head.path, "rayStartParams", parameter), message, fix)


@rule("RAY233", Severity.ERROR, "RayCluster", reads=("headGroupSpec.template",))
def clusters_that_serve_have_a_port(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A head with ports, in a cluster that shall have a Service for applications, has one for them.

    With the annotation ray.io/enable-serve-service the operator makes that Service for a port
    called serve (since 1.6 also serve-SOMETHING). Without one it makes neither the Service nor any
    pod of the cluster (observed), and nothing but its log says why.

    Fails:
        annotations: {ray.io/enable-serve-service: "true"}
        headGroupSpec:
          template:
            spec:
              containers: [{name: ray-head, ports: [{name: dashboard, containerPort: 8265}]}]
    Passes with:
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, ports: [{name: serve, containerPort: 8000}]}]}
    """
    head = workload.cluster.head
    is_wanted = workload.annotation(ENABLES_SERVE) == "true" and workload.kind == CLUSTER
    if head.container is None or not is_wanted:
        return
    names = _port_names(head)
    if names and not any(map(workload.settings.dialect.is_serve_port, names)):
        message = "the head lists ports, and none is called serve"
        fix = "add {name: serve, containerPort: 8000}, or delete ports"
        path = (*head.container.path, "ports")
        yield workload.wrong(path, message, fix, at_key=True)


@rule("RAY234", Severity.WARNING, "RayCluster")
def service_type_counts(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Settings of the head's Service and its Ingress have an effect.

    The type in headService counts before serviceType, and ingressOptions are only read with
    `enableIngress: true`.

    Fails: headGroupSpec: {serviceType: NodePort, headService: {spec: {type: ClusterIP}}}
    Passes: headGroupSpec: {headService: {spec: {type: ClusterIP}}}
    """
    head = workload.cluster.head
    own, given = text(head.node, "headService", "spec", "type"), text(head.node, "serviceType")
    if own and given and own != given:
        message = f"serviceType has no effect: headService has the type {own}"
        yield workload.wrong((*head.path, "serviceType"), message, "delete one of the two")
    if "ingressOptions" in head.node.items and not is_true(head.node, "enableIngress"):
        message = "without enableIngress there is no Ingress"
        path = (*head.path, "ingressOptions")
        yield workload.wrong(path, message, "add enableIngress: true, or delete it", at_key=True)


@rule("RAY235", Severity.ERROR, "RayCluster", reads=("headGroupSpec.template",), since="0.2.0")
def head_service_can_be_made(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The Service that `headService` describes is one that Kubernetes takes.

    The operator adds its own ports to those that are listed, so that each needs a name, and none
    has the name or the number of another one. Kubernetes refuses the Service otherwise,
    and the operator makes no pod without it.

    Fails: headGroupSpec: {headService: {metadata: {name: My_Head}}}
    Passes: headGroupSpec: {headService: {metadata: {name: my-head}}}
    """
    head = workload.cluster.head
    given = Field(head.path, head.node).get("headService")
    if given is None:
        return
    kind = text(head.node, "serviceType")
    for finding in service_findings(given.node, given.path, kind):
        yield finding._replace(tree=workload.fields)
    yield from _twice(workload, list(given.each("spec", "ports")))


def _twice(workload: PlacelessWorkload, given: list[Field]) -> Iterator[Finding]:
    """Ports that are the operator's already, or that nobody can tell from those."""
    own = _operator_ports(workload.cluster.head)
    for port in given:
        name, port_number = text(port.node, "name"), text(port.node, "port")
        if not name:
            message = "the port has no name, and the operator adds others"
            yield workload.wrong((*port.path, "port"), message, "add a name", at_key=True)
        elif name in own:
            message = f"the operator adds a port {name} itself"
            yield workload.wrong((*port.path, "name"), message, "delete the port")
        elif port_number in own.values() and text(port.node, "protocol") in ("", "TCP"):
            message = f"the operator adds a port with the number {port_number} itself"
            yield workload.wrong((*port.path, "port"), message, "delete the port")


def _operator_ports(head: Group) -> dict[str, str]:
    """The ports of the head's Service, by name: those that its container lists, or Ray's own."""
    listed_ports = {
        text(port.node, "name"): text(port.node, "containerPort") for port in _ports(head)
    }
    usual = {name: str(port) for name, port, _ in _PORTS} | {"serve": "8000"}
    return {"metrics": usual["metrics"], **(listed_ports or usual)}


RULES = rules_with_source(
    (
        jobs_and_services_reach_the_dashboard,
        head_ports_are_complete,
        ports_are_where_ray_listens,
        clusters_that_serve_have_a_port,
        service_type_counts,
        head_service_can_be_made,
    ),
    SERVICES,
)
