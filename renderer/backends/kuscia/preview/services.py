"""The Services of a party, one for each port that others may call."""

from collections.abc import Iterator

from renderer.backends.kuscia.access import callers
from renderer.backends.kuscia.pods import Port
from renderer.backends.kuscia.preview.metadata import (
    DEPLOYMENT,
    PREFIX,
    annotations,
    labels,
    metadata,
)
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.text.wording import listed
from renderer.values.previews import Piece
from renderer.values.tree import Plain


def services(plane: Plane, kit: Kit) -> Iterator[Piece]:
    for port in kit.served:
        number = str(kit.numbers[port.name])
        summary = (
            ("port", f"{number} ({port.name}, {port.protocol})"),
            ("callers", reachable_from(plane, kit, port)),
        )
        yield Piece(_service(plane, kit, port), summary)


def reachable_from(plane: Plane, kit: Kit, port: Port) -> str:
    """Who may call a port, in words."""
    if port.scope == "Domain":
        return f"only {kit.domain}"
    allowed = _access(plane, kit, port)
    return listed(allowed) if allowed else "every domain that has a route"


def _service(plane: Plane, kit: Kit, port: Port) -> dict[str, Plain]:
    scope: dict[str, Plain] = {f"{PREFIX}port-scope": port.scope}
    if port.scope == "Cluster":
        scope[f"{PREFIX}loadbalancer"] = "domainroute"
    notes = {
        **annotations(plane),
        f"{PREFIX}protocol": port.protocol,
        f"{PREFIX}access-domain": ",".join(_access(plane, kit, port)),
        f"{PREFIX}sticky-session-cookie": "KUSCIA_SESSION",
        f"{PREFIX}sticky-session-ttl": "86400s",
    }
    target: Plain = {
        "name": port.name,
        "port": kit.numbers[port.name],
        "protocol": "TCP",
        "targetPort": port.name,
    }
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata(kit.service(port), kit, {**labels(plane, kit), **scope}, notes),
        "spec": {
            "type": "ClusterIP",
            "clusterIP": "None",
            "sessionAffinity": "None",
            "selector": {DEPLOYMENT: kit.deployment},
            "ports": [target],
        },
    }


def _access(plane: Plane, kit: Kit, port: Port) -> list[str]:
    """The domains of the annotation, in the order of the parties; Kuscia's order is random."""
    policy = kit.template.get("networkPolicy")
    if port.scope != "Cluster" and not policy:
        return []
    allowed = callers(plane.serving, kit.party, port.name)
    return [name for name in dict.fromkeys(item.domain for item in plane.kits) if name in allowed]
