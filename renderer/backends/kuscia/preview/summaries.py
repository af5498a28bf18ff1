"""A Deployment in a few lines, for people."""

from collections.abc import Iterator

from renderer.backends.kuscia.pods import Container, containers
from renderer.backends.kuscia.preview.definitions import known_ports
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.backends.kuscia.preview.pods import affinity, image
from renderer.backends.kuscia.preview.variables import variables
from renderer.backends.kuscia.serving import text
from renderer.values.tree import Node, Plain

_TOLD = ("CLUSTER_DEFINE", "ALLOCATED_PORTS")


def summary(plane: Plane, kit: Kit) -> Iterator[tuple[str, str]]:
    """What one looks for first in a Deployment."""
    yield "replicas", f"{text(kit.template, 'replicas')}, {_strategy(kit.template)}"
    yield "image", image(kit)
    for container in containers(kit.template):
        yield "container", f"{container.name}: {', '.join(_amounts(container))}"
    yield "affinity", _affinity(affinity(plane, kit))
    yield "scheduler", f"kuscia-scheduler, nodes of {kit.domain}"
    yield "CLUSTER_DEFINE", "\n".join(_parties(plane, kit))
    yield "ALLOCATED_PORTS", "\n".join(_ports(kit)) or "none"
    yield "variables", ", ".join(name for name in variables(plane, kit) if name not in _TOLD)


def _strategy(template: Node) -> str:
    kind = text(template, "strategy", "type")
    parts = {"surge": "maxSurge", "unavailable": "maxUnavailable"}
    found = {word: text(template, "strategy", "rollingUpdate", key) for word, key in parts.items()}
    return ", ".join([kind, *(f"{word} {value}" for word, value in found.items() if value)])


def _amounts(container: Container) -> Iterator[str]:
    for what in ("cpu", "memory"):
        ends = [container.amount(kind, what) for kind in ("requests", "limits")]
        low, high = (str(node.value) if node else "any" for node in ends)
        yield f"{what} {low} to {high}"


def _affinity(found: dict[str, Plain]) -> str:
    """`podAntiAffinity (preferred)`."""
    kinds = {kind: terms if isinstance(terms, dict) else {} for kind, terms in found.items()}
    words = {kind: [term.partition("During")[0] for term in terms] for kind, terms in kinds.items()}
    return ", ".join(f"{kind} ({', '.join(said)})" for kind, said in words.items()) or "none"


def _parties(plane: Plane, kit: Kit) -> Iterator[str]:
    for other in plane.kits:
        known = known_ports(other, plane)
        mine = " (this one)" if other is kit else ""
        partner = " (partner: only Cluster ports)" if other.domain not in plane.own else ""
        yield f"{other.unit}{mine}{partner}"
        width = max((len(port.name) for port in known), default=0)
        yield from (f"  {port.name:{width}}  {other.endpoint(port)}" for port in known)


def _ports(kit: Kit) -> Iterator[str]:
    width = max(map(len, kit.ports), default=0)
    for name, port in kit.ports.items():
        yield f"{name:{width}}  {kit.numbers[name]} {port.scope} {port.protocol}"
