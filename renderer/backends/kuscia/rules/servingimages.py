"""What secretflow-serving needs of its AppImage."""

from collections.abc import Iterator

from renderer.backends.kuscia.pods import containers, ports
from renderer.backends.kuscia.serving import Party, Serving
from renderer.diagnostics import Finding, Path, Severity, rule

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
    for index, party in _parties(serving):
        known = ports(party.template.node) if party.template else {}
        where = _place(index, party)
        if "communication" not in known or known["communication"].scope != "Cluster":
            message = (
                f"the AppImage {party.image_name!r} has no port communication of scope Cluster"
            )
            yield Finding(where, message, "add {name: communication, scope: Cluster} to its ports")
        if "service" not in known:
            message = f"the AppImage {party.image_name!r} has no port service"
            yield Finding(where, message, "add {name: service, scope: Domain} to its ports")


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
    for index, party in _parties(serving):
        for container in containers(party.template.node) if party.template else ():
            known = {port.name for port in container.ports}
            asked = {str(probe.port.value) for probe in container.probes() if probe.port}
            for port in sorted(asked & known - {_HEALTH}):
                message = f"a probe of {party.image_name!r} asks the port {port!r}, not {_HEALTH}"
                yield Finding(_place(index, party), message, f"ask {_HEALTH} by name")


def _place(index: int, party: Party) -> Path:
    """Where the AppImage is named: by the party, or for all of them."""
    return ("parties", index, "app_image") if party.node.get("app_image") else ("app_image",)


def _parties(serving: Serving) -> Iterator[tuple[int, Party]]:
    if serving.app == _APP:
        yield from ((i, party) for i, party in enumerate(serving.parties) if party.template)


RULES = (serving_ports_exist, serving_probes_ask_its_health)
