"""Services: what they serve, and how requests reach it."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, text
from renderer.backends.kuberay.rules import SERVICES, VALIDATION
from renderer.backends.kuberay.serve_config.view import FIELD, GRAPH, serve_config_of
from renderer.backends.kuberay.vocabulary import SERVICE
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.kubernetes.forms.service import service_findings
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_CLUSTER = "rayClusterConfig"
_THRESHOLDS = ("serviceUnhealthySecondThreshold", "deploymentUnhealthySecondThreshold")


@rule("RAY400", Severity.ERROR, SERVICE, reads=(FIELD, GRAPH))
def service_serves_something(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A service says once what it serves: `serveConfigV2`, or an older `serveDeploymentGraphSpec`.

    The operator makes a cluster even without, and then there is nothing to send requests to. With a
    list of no applications the service never becomes ready (observed). Only one of the two can be
    rendered.

    Fails: serveConfigV2: null
    Passes with: serveConfigV2: {applications: [{import_path: 'scorer:app'}]}
    """
    tree = workload.spec.tree
    given = [key for key in (FIELD, GRAPH) if (n := tree.get(key)) and n.value]
    if not given and FIELD not in tree.items:
        yield Finding((), "the service serves nothing", f"add {FIELD}, with applications")
    elif len(given) > 1:
        message = f"{FIELD} says already what is served"
        yield Finding((GRAPH,), message, "keep one of them", at_key=True)
    config = serve_config_of(workload)
    listing = config.tree.items.get("applications") if config else None
    if config and listing and listing.value == ():
        found = config.finding(
            ("applications",), "the service serves nothing", "add an application"
        )
        yield found._replace(since="0.2.0")


@rule("RAY401", Severity.ERROR, SERVICE, reads=(_CLUSTER,))
def head_service_is_named_by_the_operator(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The head's Service in a RayService has no name of its own.

    An update brings a second cluster, whose Service would have the same name. The operator refuses
    the service otherwise.

    Fails: rayClusterConfig: {headGroupSpec: {headService: {metadata: {name: mine}}}}
    Passes: rayClusterConfig: {headGroupSpec: {headService: {metadata: {labels: {a: b}}}}}
    """
    path = (_CLUSTER, "headGroupSpec", "headService", "metadata", "name")
    if text(workload.fields, *path):
        message = "the old and the new cluster of an update cannot have a Service of one name"
        yield workload.wrong(path, message, "delete it", at_key=True)


@rule("RAY402", Severity.ERROR, SERVICE, reads=(_CLUSTER, "serveService"))
def head_has_a_port_to_serve(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The container of the head has a port called `serve`, or no ports at all.

    Ports that are listed replace those that the operator knows by itself. Without one called
    `serve` (since 1.6 also `serve-` and more, as in serve-grpc) it never makes the Service that
    requests are sent to, unless `serveService` lists such a port.

    Fails:
        rayClusterConfig:
          headGroupSpec:
            template:
              spec:
                containers: [{name: ray-head, ports: [{name: dashboard, containerPort: 8265}]}]
    Passes with:
        rayClusterConfig:
          headGroupSpec:
            template:
              spec: {containers: [{name: ray-head, ports: [{name: serve, containerPort: 8000}]}]}
    """
    container = workload.cluster.head.container
    ports = [*container.each("ports")] if container else []
    own = [*Field((), workload.fields).each("serveService", "spec", "ports")]
    if container and ports and not any(_serves(workload, port) for port in (*ports, *own)):
        message = "no port of the head is called serve: nothing is reached by requests"
        fix = "add {name: serve, containerPort: 8000}, or delete all ports"
        yield workload.wrong((*container.path, "ports"), message, fix, at_key=True)


def _serves(workload: PlacelessWorkload, port: Field) -> bool:
    return workload.settings.dialect.is_serve_port(text(port.node, "name"))


@rule("RAY403", Severity.WARNING, SERVICE, reads=("serveService",))
def serve_service_keeps_what_counts(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A `serveService` has no selector, and only ports that are called `serve`.

    The operator writes the selector, as pods change with every update, and takes the ports from the
    head; of those given here, only ones with the names of such ports count.

    Fails: serveService: {spec: {selector: {app: mine}}}
    Passes: serveService: {spec: {ports: [{name: serve, port: 8000}]}}
    """
    spec = Field((), workload.fields).get("serveService", "spec")
    if spec and (selector := spec.get("selector")) and selector.node.items:
        message = "the operator writes its own selector over this"
        yield workload.wrong(selector.path, message, "delete it", at_key=True)
    for port in spec.each("ports") if spec else ():
        if not _serves(workload, port):
            message = "a port that is not called serve is left out"
            yield workload.wrong(port.path, message, "write name: serve, or delete it")


@rule("RAY404", Severity.INFO, SERVICE)
def thresholds_are_left_out(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The two thresholds of a service have no effect any more.

    The operator ignores `serviceUnhealthySecondThreshold` and `deploymentUnhealthySecondThreshold`:
    it waits for a new cluster until it is ready.

    Fails: serviceUnhealthySecondThreshold: 900
    Passes: serviceUnhealthySecondThreshold: null
    """
    for key in _THRESHOLDS:
        if key in workload.fields.items:
            message = f"{key} has no effect: the operator ignores it"
            yield workload.wrong((key,), message, "delete it", at_key=True)


@rule("RAY406", Severity.ERROR, SERVICE, reads=(_CLUSTER,))
def requests_have_somewhere_to_go(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A service that keeps requests away from its head has workers.

    With `excludeHeadPodFromServeSvc: true` and no group of workers, or none that can have any, its
    Service has no pods.

    Fails:
        excludeHeadPodFromServeSvc: true
        rayClusterConfig: {workerGroupSpecs: null}
    Passes: excludeHeadPodFromServeSvc: true
    """
    is_excluded = is_true(workload.fields, "excludeHeadPodFromServeSvc")
    can_have_workers = any(group.number("maxReplicas") != 0 for group in workload.workers)
    if workload.has_cluster and is_excluded and not can_have_workers:
        message = "requests do not go to the head, and there are no workers"
        fix = "add a group of workers, or delete it"
        yield workload.wrong(("excludeHeadPodFromServeSvc",), message, fix, at_key=True)


@rule("RAY408", Severity.ERROR, SERVICE, reads=(_CLUSTER, "serveService"), since="0.2.0")
def serve_service_can_be_made(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The Service that `serveService` describes is one that Kubernetes takes.

    Kubernetes refuses it otherwise, and no request arrives.

    Fails: serveService: {metadata: {name: My_Service}}
    Passes: serveService: {metadata: {name: my-service}}
    """
    given = Field((), workload.fields).get("serveService")
    if given is None:
        return
    kind = text(workload.cluster.head.node, "serviceType")
    left_out = {port.path for port in given.each("spec", "ports") if not _serves(workload, port)}
    for finding in service_findings(given.node, given.path, kind):
        # ports that serve nothing are left out, whatever they are (observed)
        if finding.path[: len(given.path) + 3] not in left_out:
            yield finding._replace(tree=workload.fields)


RULES = (
    *rules_with_source(
        (
            service_serves_something,
            head_has_a_port_to_serve,
            serve_service_keeps_what_counts,
            requests_have_somewhere_to_go,
            serve_service_can_be_made,
            thresholds_are_left_out,
        ),
        SERVICES,
    ),
    *rules_with_source((head_service_is_named_by_the_operator,), VALIDATION),
)
