"""The probes of an AppImage's containers: that they can ask, and ask a port that answers."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage, pods
from renderer.backends.kuscia.deploy_template import Container, Probe
from renderer.backends.kuscia.rules.sources import CONTROLLER, KUBERNETES
from renderer.kubernetes.pods import PROBES, Field
from renderer.kubernetes.probes import (
    counts_and_grace,
    every_probe,
    is_port_number,
    one_handler,
)
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

_BY_NAME = "ask by httpGet or tcpSocket, which take the name of a port"


@rule("KUS702", Severity.ERROR, "AppImage", reads=("deployTemplates.spec.containers.ports.name",))
def probes_name_a_port(image: AppImage) -> Iterator[Finding]:
    """A probe asks a port of its own container by name.

    Kuscia draws port numbers at run time and ignores those in an AppImage, so a probe of a declared
    number never succeeds and the pod never becomes ready. A number in quotes is taken for a name.

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
        asked: dict[str, list[Probe]] = {}
        for probe in container.probes():
            port = probe.port.value if probe.port else None
            if _asks_in_vain(container, probe):
                message = f"the probe asks the number {port}, which Kuscia does not use"
                name = next(item.name for item in container.ports if item.number == port)
                fix = _BY_NAME if probe.kind == "grpc" else f"write the name: {name}"
                yield Finding((*place, *probe.path), message, fix)
            elif isinstance(port, str) and port not in {item.name for item in container.ports}:
                asked.setdefault(port, []).append(probe)
        for port, probes in asked.items():
            yield _missing_port(place, container, port, probes)


def _asks_in_vain(container: Container, probe: Probe) -> bool:
    """Whether a probe asks the number that a port is written with."""
    port = probe.port.value if probe.port else None
    return isinstance(port, int) and port in {item.number for item in container.ports}


def _missing_port(place: Path, container: Container, port: str, probes: list[Probe]) -> Finding:
    """One cause however many probes ask."""
    names = [item.name for item in container.ports]
    hint = nearest(port, names)
    who = f", which {listed(_name(probe) for probe in probes)} ask" if len(probes) > 1 else ""
    is_name = port and not port.isdigit()
    add = f"add {{name: {port}, scope: Domain}} to its ports" if is_name else "name a port"
    instead = f"{add}; it has {listed(names)}"
    fix = f"did you mean {hint!r}?" if hint else instead
    message = f"the container {container.name!r} has no port {port!r}{who}"
    return Finding((*place, *probes[0].path), message, fix)


def _name(probe: Probe) -> str:
    return next(str(part) for part in probe.path if part in PROBES)


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
            if is_port and not _asks_in_vain(container, probe):
                message = f"the probe asks the fixed number {port}; Kuscia allocates ports"
                fix = _BY_NAME if probe.kind == "grpc" else "ask a declared port by its name"
                yield Finding((*place, *probe.path), f"{message} at run time", fix)


@rule("KUS741", Severity.ERROR, "AppImage")
def probes_ask_one_way(image: AppImage) -> Iterator[Finding]:
    """A probe asks in exactly one way: httpGet, tcpSocket, exec or grpc.

    Kubernetes refuses the Deployment otherwise (CreateDeploymentFailed).

    Fails:
        containers:
          - name: scorer
            ports: [{name: http}]
            livenessProbe: {httpGet: {port: http}, tcpSocket: {port: http}}
    Passes with: containers: [{name: scorer, livenessProbe: {tcpSocket: null}}]
    """
    for probe in _probes(image):
        yield from one_handler(probe)


@rule("KUS742", Severity.ERROR, "AppImage")
def probes_fit_their_kind(image: AppImage) -> Iterator[Finding]:
    """Only a readiness probe counts successes, and it grants no time to end.

    A single success is enough for livenessProbe and startupProbe, and a readinessProbe ends no
    container. Kubernetes refuses the Deployment otherwise (CreateDeploymentFailed).

    Fails:
        containers:
          - name: scorer
            ports: [{name: http}]
            livenessProbe: {httpGet: {port: http}, successThreshold: 2}
    Passes:
        containers:
          - name: scorer
            ports: [{name: http}]
            readinessProbe: {httpGet: {port: http}, successThreshold: 2}
    """
    for probe in _probes(image):
        yield from counts_and_grace(probe)


def _probes(image: AppImage) -> Iterator[Field]:
    for pod in pods(image):
        yield from every_probe(pod)


RULES = rules_with_source(
    (
        probes_name_a_port,
        probes_ask_no_number,
        probes_ask_one_way,
        probes_fit_their_kind,
    ),
    f"{CONTROLLER}; {KUBERNETES}",
)
