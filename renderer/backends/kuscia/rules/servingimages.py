"""What secretflow-serving needs of its AppImage."""

from collections.abc import Iterator

from renderer.backends.kuscia.pods import containers, ports
from renderer.backends.kuscia.serving import Serving
from renderer.diagnostics import Finding, Origin, Severity, rule
from renderer.tree import Node

_APP = "secretflow-serving"
_HEALTH = "brpc-builtin"


@rule("KUS731", Severity.ERROR, "Serving")
def serving_ports_exist(serving: Serving) -> Iterator[Finding]:
    """The AppImage of secretflow-serving has the ports `communication` and `service`.

    Every release from 0.2.0b0 on refuses to start without `communication`, which partners see only
    if its scope is Cluster; `service` is where predictions are asked for.

    Fails:

        app: secretflow-serving
        parties:
          - {domain_id: alice, app_image: sized}
          - {domain_id: bob, app_image: sized}

    Passes:

        initiator: alice
    """
    for template in _templates(serving):
        known = ports(template)
        if "communication" not in known or known["communication"].scope != "Cluster":
            message = "secretflow-serving needs a port communication of scope Cluster"
            fix = "add {name: communication, scope: Cluster} to the ports"
            yield Finding((), message, fix, origin=_ports_of(template))
        if "service" not in known:
            message = "secretflow-serving needs a port service"
            fix = "add {name: service, scope: Domain} to the ports"
            yield Finding((), message, fix, origin=_ports_of(template))


@rule("KUS732", Severity.WARNING, "Serving")
def serving_probes_ask_its_health(serving: Serving) -> Iterator[Finding]:
    """The probes of secretflow-serving ask `/health` on the port `brpc-builtin`.

    No other port answers them; the pod then never becomes ready.

    Fails:

        app: secretflow-serving
        parties:
          - {domain_id: alice, app_image: probed}
          - {domain_id: bob, app_image: probed}

    Passes:

        initiator: alice
    """
    for template in _templates(serving):
        for container in containers(template):
            known = {port.name for port in container.ports}
            for probe in container.probes():
                port = str(probe.port.value) if probe.port else _HEALTH
                if port in known - {_HEALTH}:
                    message = f"this asks the port {port!r}, and secretflow-serving answers probes"
                    where = template.locate(probe.path)
                    fix = f"write {_HEALTH}"
                    yield Finding((), f"{message} on {_HEALTH} only", fix, origin=where)


def _templates(serving: Serving) -> Iterator[Node]:
    """The deploy templates of its parties, if it is a serving of secretflow-serving."""
    if serving.app == _APP:
        yield from (party.template.node for party in serving.parties if party.template)


def _ports_of(template: Node) -> Origin:
    """Where the ports of the first container stand, or would."""
    return template.locate(("spec", "containers", 0, "ports"), at_key=True)


RULES = (serving_ports_exist, serving_probes_ask_its_health)
