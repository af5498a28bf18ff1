"""`CLUSTER_DEFINE` and `ALLOCATED_PORTS`: who takes part, and on which ports."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from renderer.backends.kuscia.pods import Port
    from renderer.backends.kuscia.preview.planes import Kit, Plane
    from renderer.values.tree import Plain


def cluster_define(plane: Plane, kit: Kit) -> str:
    """All parties in order, with those of their Services that the control plane knows."""
    names = [(other.domain, other.party.role) for other in plane.kits]
    return definition(_parties(plane), names.index((kit.domain, kit.party.role)))


def definition(parties: list[Plain], own: int) -> str:
    """The text of a cluster definition, for the party of that number."""
    return compact({"parties": parties, "selfPartyIdx": own, "selfEndpointIdx": 0})


def party(name: str, role: str, endpoints: Mapping[str, str]) -> Plain:
    """A party of a cluster definition, with the address of each port."""
    services: list[Plain] = [
        {"portName": port, "endpoints": [address]} for port, address in endpoints.items()
    ]
    return {"name": name, "role": role, "services": services}


def known_ports(kit: Kit, plane: Plane) -> list[Port]:
    """The ports that stand in the cluster definition: of a partner, only those for others."""
    partner = kit.domain not in plane.own
    return [port for port in kit.served if not partner or port.scope == "Cluster"]


def allocated_ports(ports: Iterable[Port], numbers: Mapping[str, int]) -> str:
    """All ports of a party, those without a Service too."""
    listing: list[Plain] = [
        {
            "name": port.name,
            "port": numbers[port.name],
            "scope": port.scope,
            "protocol": port.protocol,
        }
        for port in ports
    ]
    return compact({"ports": listing})


def compact(data: Plain) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=1)
def _parties(plane: Plane) -> list[Plain]:
    """All parties, which are the same for each of them."""
    return [_party(kit, plane) for kit in plane.kits]


def _party(kit: Kit, plane: Plane) -> Plain:
    endpoints = {port.name: kit.endpoint(port) for port in known_ports(kit, plane)}
    return party(kit.domain, kit.party.role, endpoints)
