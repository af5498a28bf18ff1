"""What secretflow-serving needs of its AppImage."""

from collections.abc import Iterator

from renderer.backends.kuscia.deploy_template import containers, ports
from renderer.backends.kuscia.input_config.document import runs_secretflow_serving
from renderer.backends.kuscia.rules.sources import SERVING
from renderer.backends.kuscia.serving import Serving
from renderer.values.diagnostics import Finding, Origin, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

_HEALTH = "brpc-builtin"


@rule("KUS731", Severity.ERROR, "Serving")
def serving_ports_exist(serving: Serving) -> Iterator[Finding]:
    """The AppImage of secretflow-serving has the ports `communication` and `service`.

    Every release from 0.2.0b0 on refuses to start without `communication`, which partners see only
    if its scope is Cluster; `service` is where predictions are asked for.

    Fails:
        app: secretflow-serving
        parties: [{domain_id: alice, app_image: sized}]
    Passes with: parties: [{domain_id: alice, app_image: scorer}]
    """
    for template in _templates(serving):
        yield from _port_findings(template)


@cached_by_identity
def _port_findings(template: Node) -> tuple[Finding, ...]:
    """What the ports of a deploy template lack."""
    found: list[Finding] = []
    known = ports(template)
    for name, scope in (("communication", "Cluster"), ("service", "Domain")):
        if name not in known:
            message = f"secretflow-serving needs a port {name} of scope {scope}"
            fix = f"add {{name: {name}, scope: {scope}}} to the ports"
            found.append(Finding((), message, fix, origin=_ports_origin(template)))
    if known.get("communication") and known["communication"].scope != "Cluster":
        message = "partners see the port communication only if its scope is Cluster"
        where = _scope_origin(template, "communication")
        found.append(Finding((), message, "write scope: Cluster", origin=where))
    return tuple(found)


@rule("KUS732", Severity.WARNING, "Serving")
def serving_probes_ask_its_health(serving: Serving) -> Iterator[Finding]:
    """The probes of secretflow-serving ask `/health` on the port `brpc-builtin`.

    No other port answers them; the pod then never becomes ready.

    Fails:
        app: secretflow-serving
        parties: [{domain_id: alice, app_image: probed}]
    Passes with: parties: [{domain_id: alice, app_image: scorer}]
    """
    for template in _templates(serving):
        yield from _probe_findings(template)


@cached_by_identity
def _probe_findings(template: Node) -> tuple[Finding, ...]:
    """The probes of a deploy template that ask another port."""
    found: list[Finding] = []
    for container in containers(template):
        known = {port.name for port in container.ports}
        for probe in container.probes():
            port = str(probe.port.value) if probe.port else _HEALTH
            if port in known - {_HEALTH}:
                message = f"this asks the port {port!r}, and secretflow-serving answers probes"
                where = template.locate(probe.path)
                fix = f"write {_HEALTH}"
                found.append(Finding((), f"{message} on {_HEALTH} only", fix, origin=where))
    return tuple(found)


def _templates(serving: Serving) -> list[Node]:
    """The deploy templates of its parties, if it is a serving of secretflow-serving."""
    if not runs_secretflow_serving(serving):
        return []
    return [party.template.node for party in serving.parties if party.template]


def _scope_origin(template: Node, name: str) -> Origin | None:
    """Where a port says its scope, or stands."""
    for container in containers(template):
        for number, port in enumerate(container.ports):
            if port.name == name:
                return template.locate((*container.path, "ports", number, "scope"))
    return None


def _ports_origin(template: Node) -> Origin:
    """Where the ports of the first container stand, or would."""
    return template.locate(("spec", "containers", 0, "ports"), at_key=True)


RULES = rules_with_source((serving_ports_exist, serving_probes_ask_its_health), SERVING)
