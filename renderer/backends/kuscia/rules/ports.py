"""The ports of an AppImage's containers."""

from collections.abc import Iterator

from renderer.backends.kuscia.appimage import AppImage
from renderer.backends.kuscia.pods import Container, containers, ports
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path, Severity, rule


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


@rule("KUS746", Severity.WARNING, "AppImage")
def ports_say_their_scope(image: AppImage) -> Iterator[Finding]:
    """A port says its scope.

    Without one it is Local: it gets no Service, and nobody outside the pod can call it.

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", ports: [{name: http}]}]

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", ports: [{name: http, scope: Local}]}]
    """
    for place, template in _templates(image):
        for container in template:
            for number, port in enumerate(container.ports):
                where = (*place, *container.path, "ports", number)
                if not container.node.get("ports", number, "scope"):
                    message = f"the port {port.name!r} is Local, so nobody can call it from outside"
                    yield Finding(where, message, "write scope: Local, Domain or Cluster")


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


RULES = (
    ports_once_per_template,
    ports_have_no_numbers,
    metrics_port_exists,
    ports_say_their_scope,
)
