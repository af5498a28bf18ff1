"""The ports of an AppImage's containers, and the probes that ask them."""

from collections.abc import Iterator

from renderer.backends.kuscia.appimage import AppImage
from renderer.backends.kuscia.pods import Container, Probe, containers, ports
from renderer.diagnostics import Finding, Path, Severity, rule
from renderer.wording import listed, nearest


@rule("KUS701", Severity.ERROR, "AppImage")
def ports_once_per_template(image: AppImage) -> Iterator[Finding]:
    """A port's name stands once in a deploy template, whichever container has it.

    Kuscia puts all ports of a template into one map and fails on the second
    (BuildPartyKitInfoFailed).

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers:
                - {name: a, workingDir: "", ports: [{name: http}, {name: http}]}

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers:
                - {name: a, workingDir: "", ports: [{name: http}, {name: rpc}]}
    """
    for place, template in _templates(image):
        seen: dict[str, str] = {}
        for container in template:
            for number, port in enumerate(container.ports):
                if port.name in seen:
                    message = f"the port {port.name!r} is one of {seen[port.name]!r} already"
                    where = (*place, *container.path, "ports", number, "name")
                    yield Finding(where, message, "rename one of the two")
                seen.setdefault(port.name, container.name)


@rule("KUS702", Severity.ERROR, "AppImage", reads=("deployTemplates.spec.containers.ports.name",))
def probes_name_a_port(image: AppImage) -> Iterator[Finding]:
    """A probe asks a port of its own container by name.

    Kuscia draws port numbers at run time and ignores those in an AppImage, so a probe of a declared
    number never succeeds and the pod never becomes ready. A number in quotes is taken for a name.

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers:
                - name: a
                  workingDir: ""
                  ports: [{name: http, port: 8080}]
                  livenessProbe: {httpGet: {path: /health, port: 8080}}

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers:
                - name: a
                  workingDir: ""
                  ports: [{name: http}]
                  livenessProbe: {httpGet: {path: /health, port: http}}
    """
    for place, container, probe in _probes(image):
        names = [port.name for port in container.ports]
        numbers = [port.number for port in container.ports]
        port = probe.port.value if probe.port else None
        if isinstance(port, int) and port in numbers and probe.kind != "grpc":
            name = container.ports[numbers.index(port)].name
            message = f"the probe asks the number {port}, which Kuscia does not use"
            yield Finding((*place, *probe.path), message, f"write the name: {name}")
        elif isinstance(port, str) and port not in names:
            hint = nearest(port, names)
            known = f"{container.name!r} has {listed(names)}"
            message = f"the container {container.name!r} has no port {port!r}"
            fix = f"did you mean {hint!r}?" if hint else known
            yield Finding((*place, *probe.path), message, fix)


@rule("KUS703", Severity.WARNING, "AppImage")
def probes_ask_no_number(image: AppImage) -> Iterator[Finding]:
    """A probe does not ask a fixed number.

    Kuscia allocates the numbers of all declared ports; a fixed one is right only for something that
    listens without being declared. A gRPC probe can only ask a number, and so no allocated port.

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers:
                - name: a
                  workingDir: ""
                  readinessProbe: {tcpSocket: {port: 9000}}

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers:
                - name: a
                  workingDir: ""
                  ports: [{name: http}]
                  readinessProbe: {tcpSocket: {port: http}}
    """
    for place, container, probe in _probes(image):
        numbers = [port.number for port in container.ports]
        port = probe.port.value if probe.port else None
        if isinstance(port, int) and (probe.kind == "grpc" or port not in numbers):
            message = f"the probe asks the fixed number {port}; Kuscia allocates ports at run time"
            yield Finding((*place, *probe.path), message, "ask a declared port by its name")


@rule("KUS704", Severity.WARNING, "AppImage")
def ports_have_no_numbers(image: AppImage) -> Iterator[Finding]:
    """A port has no number of its own.

    Kuscia ignores it since v0.9 and allocates one; a number in the AppImage only misleads.

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", ports: [{name: http, port: 8080}]}]

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", ports: [{name: http}]}]
    """
    for place, template in _templates(image):
        for container in template:
            for number, port in enumerate(container.ports):
                if port.number is not None:
                    where = (*place, *container.path, "ports", number, "port")
                    message = f"the number {port.number} of the port {port.name!r} is ignored"
                    yield Finding(where, message, "delete it; read ALLOCATED_PORTS at run time")


@rule("KUS709", Severity.ERROR, "AppImage")
def metrics_port_exists(image: AppImage) -> Iterator[Finding]:
    """A metric probe names a port of its deploy template.

    Kuscia fails the deployment otherwise (CreateDeploymentFailed).

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers:
                - {name: a, workingDir: "", metricProbe: {path: /metrics, port: metrics}}

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers:
                - name: a
                  workingDir: ""
                  ports: [{name: metrics}]
                  metricProbe: {path: /metrics, port: metrics}
    """
    for index, template in enumerate(image.templates):
        known = ports(template.node)
        for container in containers(template.node):
            port = container.node.get("metricProbe", "port")
            if port and port.value and str(port.value) not in known:
                where = ("deployTemplates", index, *container.path, "metricProbe", "port")
                message = f"the template has no port {str(port.value)!r}"
                yield Finding(where, message, f"there is {listed(known)}")


def _templates(image: AppImage) -> Iterator[tuple[Path, tuple[Container, ...]]]:
    for index, template in enumerate(image.templates):
        yield ("deployTemplates", index), containers(template.node)


def _probes(image: AppImage) -> Iterator[tuple[Path, Container, Probe]]:
    for place, template in _templates(image):
        for container in template:
            for probe in container.probes():
                yield place, container, probe


RULES = (
    ports_once_per_template,
    probes_name_a_port,
    probes_ask_no_number,
    ports_have_no_numbers,
    metrics_port_exists,
)
