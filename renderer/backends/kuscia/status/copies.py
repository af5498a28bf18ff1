"""A KusciaDeployment at each control plane, and the numbers of ports that it notes there."""

import json
from collections.abc import Iterable, Mapping

from renderer.backends.fields import text
from renderer.backends.kuscia.derived_objects import PREFIX
from renderer.values.live import NOTHING_LIVE, LiveObject
from renderer.values.statuses import ObservedObject

NAMESPACE = "cross-domain"
GROUP = "kuscia.secretflow"
KIND = "KusciaDeployment"
PORTS = f"{PREFIX}allocated-ports"
Numbers = Mapping[tuple[str, str], Mapping[str, int]]
"""By domain and role, the ports by their names."""


def copy_at(observed: ObservedObject, places: Iterable[str]) -> LiveObject | None:
    """The KusciaDeployment at a control plane: our own, or the copy that Kuscia brought there."""
    found = (observed.live.get(name, NOTHING_LIVE) for name in places)
    copies = (item.find(KIND, NAMESPACE, observed.object.name, GROUP) for item in found)
    return next(filter(None, copies), None)


def drawn_numbers(deployment: LiveObject) -> Numbers:
    """The numbers of ports that a KusciaDeployment notes; nothing that cannot be understood."""
    noted = text(deployment.tree, "metadata", "annotations", PORTS)
    try:
        entries = json.loads(noted) if noted else []
    except (ValueError, RecursionError):
        return {}
    found: dict[tuple[str, str], Mapping[str, int]] = {}
    for entry in entries if isinstance(entries, list) else ():
        ports = entry.get("namedPort") if isinstance(entry, dict) else None
        if isinstance(ports, dict):
            numbers = {name: port for name, port in ports.items() if isinstance(port, int)}
            found[str(entry.get("domainID", "")), str(entry.get("role") or "")] = numbers
    return found
