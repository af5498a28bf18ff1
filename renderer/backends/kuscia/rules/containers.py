"""The containers of an AppImage: their names, ports and metrics."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import containers, ports
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source


@rule("KUS701", Severity.ERROR, "AppImage")
def ports_once_per_template(image: AppImage) -> Iterator[Finding]:
    """A port's name stands once in a deploy template, whichever container has it.

    Kuscia puts all ports of a template into one map and fails on the second
    (BuildPartyKitInfoFailed).

    Fails: containers: [{name: scorer, ports: [{name: http}, {name: http}]}]
    Passes: containers: [{name: scorer, ports: [{name: http}, {name: rpc}]}]
    """
    first: dict[tuple[Path, str], str] = {}
    for place, container in image.containers():
        for number, port in enumerate(container.ports):
            key = (place, port.name)
            if key in first:
                message = f"the port {port.name!r} is one of {first[key]!r} already"
                where = (*place, *container.path, "ports", number, "name")
                yield Finding(where, message, "rename one of the two")
            first.setdefault(key, container.name)


@rule("KUS704", Severity.WARNING, "AppImage")
def ports_have_no_numbers(image: AppImage) -> Iterator[Finding]:
    """A port has no number of its own.

    Kuscia ignores it since v0.9 and allocates one; a number in the AppImage only misleads.

    Fails: containers: [{name: scorer, ports: [{name: http, port: 8080}]}]
    Passes: containers: [{name: scorer, ports: [{name: http}]}]
    """
    for place, container in image.containers():
        for number, port in enumerate(container.ports):
            if port.number is not None:
                where = (*place, *container.path, "ports", number, "port")
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
    for place, container in image.containers():
        for number, port in enumerate(container.ports):
            if not container.node.get("ports", number, "scope"):
                where = (*place, *container.path, "ports", number)
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
                yield Finding(where, message, f"there is {listed(known)}")


@rule("KUS771", Severity.WARNING, "AppImage")
def metric_probe_is_whole(image: AppImage) -> Iterator[Finding]:
    """A metric probe has a path and the name of a port.

    Kuscia passes over one that lacks either, without a message, and nothing reads the metrics.

    Fails: containers: [{name: scorer, ports: [{name: metrics}], metricProbe: {path: /metrics}}]
    Passes with: containers: [{name: scorer, metricProbe: {port: metrics}}]
    """
    for place, container in image.containers():
        probe = container.node.get("metricProbe")
        lacking = [key for key in ("path", "port") if probe and not text(probe, key)]
        if lacking:
            message = f"the metric probe has no {listed(lacking)}, and so no effect"
            hint = nearest("metrics", [port.name for port in container.ports])
            fix = f"write port: {hint}" if lacking == ["port"] and hint else "add it"
            yield Finding((*place, *container.path, "metricProbe"), message, fix, at_key=True)


RULES = rules_with_source(
    (
        ports_once_per_template,
        ports_have_no_numbers,
        metrics_port_exists,
        metric_probe_is_whole,
        ports_say_their_scope,
    ),
    CONTROLLER,
)
