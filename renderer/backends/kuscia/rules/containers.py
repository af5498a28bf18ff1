"""The containers of an AppImage: their names, ports and metrics."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import AppImage, pods
from renderer.backends.kuscia.deploy_template import Container, Port, Probe, containers, ports
from renderer.backends.kuscia.rules.sources import CONTROLLER, KUBERNETES
from renderer.kubernetes.names import is_plain_variable, is_variable
from renderer.kubernetes.pod_rules.containers import names_twice
from renderer.kubernetes.pod_rules.probes import is_port_number
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed, nearest, visible
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

_BY_NAME = "ask by httpGet or tcpSocket, which take the name of a port"


@rule("KUS701", Severity.ERROR, "AppImage")
def ports_once_per_template(image: AppImage) -> Iterator[Finding]:
    """A port's name stands once in a deploy template, whichever container has it.

    Kuscia puts all ports of a template into one map and fails on the second
    (BuildPartyKitInfoFailed).

    Fails: containers: [{name: scorer, ports: [{name: http}, {name: http}]}]
    Passes: containers: [{name: scorer, ports: [{name: http}, {name: rpc}]}]
    """
    first: dict[tuple[Path, str], str] = {}
    for container in image.containers():
        for number, port in enumerate(container.ports):
            key = (container.path[:2], port.name)
            if key in first:
                message = f"the port {port.name!r} is one of {first[key]!r} already"
                where = (*container.path, "ports", number, "name")
                yield Finding(where, message, "rename one of the two")
            first.setdefault(key, container.name)


@rule("KUS704", Severity.WARNING, "AppImage")
def ports_have_no_numbers(image: AppImage) -> Iterator[Finding]:
    """A port has no number of its own.

    Kuscia ignores it since v0.9 and allocates one; a number in the AppImage only misleads.

    Fails: containers: [{name: scorer, ports: [{name: http, port: 8080}]}]
    Passes: containers: [{name: scorer, ports: [{name: http}]}]
    """
    for container in image.containers():
        for number, port in enumerate(container.ports):
            if port.number is not None:
                where = (*container.path, "ports", number, "port")
                message = f"the number {port.number} of the port {port.name!r} is ignored"
                yield Finding(where, message, "delete it; read ALLOCATED_PORTS at run time")


@rule(
    "KUS746", Severity.WARNING, "AppImage", reads=("deployTemplates.spec.containers.ports.scope",)
)
def ports_say_their_scope(image: AppImage) -> Iterator[Finding]:
    """A port says its scope.

    Without one it is Local: it gets no Service, and nobody outside the pod can call it.

    Fails: containers: [{name: scorer, ports: [{name: http}]}]
    Passes: containers: [{name: scorer, ports: [{name: http, scope: Local}]}]
    """
    for container in image.containers():
        for number, port in enumerate(container.ports):
            if not container.node.get("ports", number, "scope"):
                where = (*container.path, "ports", number)
                message = f"the port {port.name!r} is Local, so nobody can call it from outside"
                yield Finding(where, message, "write scope: Local, Domain or Cluster")


@rule("KUS709", Severity.ERROR, "AppImage")
def metrics_port_exists(image: AppImage) -> Iterator[Finding]:
    """A metric probe names a port of its deploy template.

    Kuscia fails the deployment otherwise (CreateDeploymentFailed).

    Fails: containers: [{name: scorer, metricProbe: {path: /metrics, port: metrics}}]
    Passes with: containers: [{name: scorer, ports: [{name: metrics}]}]
    """
    for index, template in enumerate(image.templates):
        known = ports(template.node)
        for container in containers(template.node):
            port = container.node.get("metricProbe", "port")
            if port and port.value and str(port.value) not in known:
                where = ("deployTemplates", index, *container.path, "metricProbe", "port")
                message = f"the template has no port {str(port.value)!r}"
                fix = f"use {listed(known, 'or')}" if known else "add the port to a container"
                yield Finding(where, message, fix)


@rule("KUS771", Severity.WARNING, "AppImage")
def metric_probe_is_whole(image: AppImage) -> Iterator[Finding]:
    """A metric probe has a path and the name of a port.

    Kuscia passes over one that lacks either, without a message, and nothing reads the metrics.

    Fails: containers: [{name: scorer, ports: [{name: metrics}], metricProbe: {path: /metrics}}]
    Passes with: containers: [{name: scorer, metricProbe: {port: metrics}}]
    """
    for container in image.containers():
        probe = container.node.get("metricProbe")
        lacking = [key for key in ("path", "port") if probe and not text(probe, key)]
        if lacking:
            message = f"the metric probe has no {listed(lacking)}, and so no effect"
            hint = nearest("metrics", [port.name for port in container.ports])
            fix = f"write port: {hint}" if lacking == ["port"] and hint else "add it"
            yield Finding((*container.path, "metricProbe"), message, fix, at_key=True)


@rule("KUS747", Severity.WARNING, "AppImage")
def variables_once(image: AppImage) -> Iterator[Finding]:
    """The name of a variable stands once in its container.

    Kubernetes takes the last of several, and says nothing.

    Fails: containers: [{name: scorer, env: [{name: A, value: x}, {name: A, value: z}]}]
    Passes: containers: [{name: scorer, env: [{name: A, value: z}]}]
    """
    for container in image.containers():
        field = Field(container.path, container.node)
        yield from names_twice(field.each("env"), "variable")


@rule("KUS743", Severity.ERROR, "AppImage")
def variable_names_are_taken(image: AppImage) -> Iterator[Finding]:
    """The name of a variable is one that Kubernetes takes.

    It takes printable ASCII characters but `=`. The Kubernetes in Kuscia before 1.1.0b0 takes
    letters, digits, `_`, `-` and `.` only, not a digit first. It refuses the Deployment otherwise
    (CreateDeploymentFailed).

    Fails: containers: [{name: scorer, env: [{name: A=B, value: x}]}]
    Passes: containers: [{name: scorer, env: [{name: A_B, value: x}]}]
    """
    relaxed = image.settings.dialect.relaxed_variables
    for variable in _variables(image):
        name = variable.get("name")
        if name and name.text and not is_variable(name.text, relaxed=relaxed):
            message = f"Kubernetes does not take {visible(name.text)!r} as the name of a variable"
            yield name.wrong(message, "write letters, digits and _")


@rule("KUS744", Severity.WARNING, "AppImage")
def variable_names_are_plain(image: AppImage) -> Iterator[Finding]:
    """The name of a variable has letters, digits, `_`, `-` and `.` only, and no digit first.

    No config template and hardly any shell can read another one, and a host cluster before
    Kubernetes 1.32 refuses it.

    Fails: containers: [{name: scorer, env: [{name: A B, value: x}]}]
    Passes: containers: [{name: scorer, env: [{name: A_B, value: x}]}]
    """
    relaxed = image.settings.dialect.relaxed_variables
    for variable in _variables(image) if relaxed else ():
        name = variable.get("name")
        if name and is_variable(name.text, relaxed=True) and not is_plain_variable(name.text):
            message = f"hardly anything can read a variable that is called {name.text!r}"
            yield name.wrong(message, "write letters, digits and _")


def _variables(image: AppImage) -> Iterator[Field]:
    for pod in pods(image):
        yield from pod.container_items("env")


@rule("KUS702", Severity.ERROR, "AppImage")
def probes_name_a_port(image: AppImage) -> Iterator[Finding]:
    """A probe asks a port of its own container by name.

    Kuscia draws port numbers at run time and ignores those in an AppImage, so a probe of a declared
    number never succeeds and the pod never becomes ready.

    Fails:
        containers:
          - name: scorer
            ports: [{name: http, port: 8080}]
            livenessProbe: {httpGet: {path: /health, port: 8080}}
    Passes:
        containers:
          - name: scorer
            ports: [{name: http}]
            livenessProbe: {httpGet: {path: /health, port: http}}
    """
    for container in image.containers():
        for probe in container.probes():
            if port := _declared_port(container, probe):
                message = f"the probe asks the number {port.number}, which Kuscia does not use"
                fix = _BY_NAME if probe.kind == "grpc" else f"write the name: {port.name}"
                yield Finding(probe.path, message, fix)


def _declared_port(container: Container, probe: Probe) -> Port | None:
    """The port whose written number a probe asks, if it does."""
    asked = probe.port.value if probe.port else None
    is_number = isinstance(asked, int)
    return next((port for port in container.ports if is_number and port.number == asked), None)


@rule("KUS703", Severity.WARNING, "AppImage")
def probes_ask_no_number(image: AppImage) -> Iterator[Finding]:
    """A probe does not ask a fixed number.

    Kuscia allocates the numbers of all declared ports; a fixed one is right only for something that
    listens without being declared. A gRPC probe can only ask a number, and so no allocated port.

    Fails: containers: [{name: scorer, readinessProbe: {tcpSocket: {port: 9000}}}]
    Passes:
        containers:
          - {name: scorer, ports: [{name: http}], readinessProbe: {tcpSocket: {port: http}}}
    """
    for container in image.containers():
        for probe in container.probes():
            port = probe.port.value if probe.port else None
            is_port = isinstance(port, int) and is_port_number(port)  # MAN111 finds others
            if is_port and not _declared_port(container, probe):
                message = f"the probe asks the fixed number {port}; Kuscia allocates ports"
                fix = _BY_NAME if probe.kind == "grpc" else "ask a declared port by its name"
                yield Finding(probe.path, f"{message} at run time", fix)


RULES = (
    *rules_with_source(
        (
            ports_once_per_template,
            ports_have_no_numbers,
            metrics_port_exists,
            metric_probe_is_whole,
            ports_say_their_scope,
        ),
        CONTROLLER,
    ),
    *rules_with_source(
        (variables_once, variable_names_are_taken, variable_names_are_plain), KUBERNETES
    ),
    *rules_with_source((probes_name_a_port, probes_ask_no_number), f"{CONTROLLER}; {KUBERNETES}"),
)
