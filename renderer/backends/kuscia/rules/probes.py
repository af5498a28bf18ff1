"""The probes of an AppImage's containers: that they can ask, and ask a port that answers."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import Container, Port, Probe
from renderer.backends.kuscia.rules.sources import CONTROLLER, KUBERNETES
from renderer.kubernetes.pod_rules.probes import is_port_number
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_BY_NAME = "ask by httpGet or tcpSocket, which take the name of a port"


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
    for place, container in image.containers():
        for probe in container.probes():
            if port := _declared_port(container, probe):
                message = f"the probe asks the number {port.number}, which Kuscia does not use"
                fix = _BY_NAME if probe.kind == "grpc" else f"write the name: {port.name}"
                yield Finding((*place, *probe.path), message, fix)


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
    for place, container in image.containers():
        for probe in container.probes():
            port = probe.port.value if probe.port else None
            is_port = isinstance(port, int) and is_port_number(port)  # MAN111 tells others
            if is_port and not _declared_port(container, probe):
                message = f"the probe asks the fixed number {port}; Kuscia allocates ports"
                fix = _BY_NAME if probe.kind == "grpc" else "ask a declared port by its name"
                yield Finding((*place, *probe.path), f"{message} at run time", fix)


RULES = rules_with_source((probes_name_a_port, probes_ask_no_number), f"{CONTROLLER}; {KUBERNETES}")
