"""The Deployment of a party."""

from collections.abc import Iterator

from renderer.backends.kuscia.deployments import APP_TYPE
from renderer.backends.kuscia.pods import Container, containers
from renderer.backends.kuscia.preview.definitions import known_ports
from renderer.backends.kuscia.preview.metadata import PREFIX, annotations, labels, metadata
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.backends.kuscia.preview.pods import VOLUME, affinity, image, mounts_files, pod
from renderer.backends.kuscia.preview.variables import variables
from renderer.backends.kuscia.serving import text
from renderer.previews import Piece
from renderer.tree import Node, Plain


def deployment(plane: Plane, kit: Kit) -> Piece:
    marks = {
        **labels(plane, kit),
        f"{PREFIX}communication-role-client": "true",
        f"{PREFIX}communication-role-server": "true",
        **({APP_TYPE: plane.app_type} if plane.app_type else {}),
    }
    about: dict[str, Plain] = {"labels": {**marks}}
    about |= {"annotations": notes} if (notes := _pod_annotations(kit)) else {}
    content: dict[str, Plain] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(kit.deployment, kit, marks, annotations(plane)),
        "spec": {
            "replicas": _plain(kit.template, "replicas"),
            "strategy": _plain(kit.template, "strategy"),
            "selector": {"matchLabels": {**marks}},
            "template": {"metadata": about, "spec": pod(plane, kit)},
        },
    }
    return Piece(content, tuple(_summary(plane, kit)))


def metric_probe(kit: Kit) -> tuple[str, str]:
    """Path and port of the metrics; of several containers the last one counts."""
    asked = (item.node.get("metricProbe") for item in containers(kit.template))
    probes = [(text(node, "path"), text(node, "port")) for node in asked if node]
    whole = [probe for probe in probes if all(probe) and probe[1] in kit.numbers]
    return whole[-1] if whole else ("", "")


def _pod_annotations(kit: Kit) -> dict[str, Plain]:
    notes: dict[str, Plain] = {}
    if kit.party.image and (identity := text(kit.party.image.tree, "image", "id")):
        notes[f"{PREFIX}image-id"] = identity
    path, port = metric_probe(kit)
    if path:
        notes[f"{PREFIX}should_be_scraped"] = "true"
        notes[f"{PREFIX}metric_path"] = path
        notes[f"{PREFIX}metric_port"] = str(kit.numbers[port])
    if mounts_files(kit):
        notes[f"{PREFIX}config-template-volumes"] = VOLUME
    return notes


def _plain(node: Node, key: str) -> Plain:
    found = node.get(key)
    return found.plain() if found else None


def _summary(plane: Plane, kit: Kit) -> Iterator[tuple[str, str]]:
    """What one looks for first in a Deployment."""
    yield "replicas", f"{_plain(kit.template, 'replicas')}, {_strategy(kit.template)}"
    yield "image", image(kit)
    for container in containers(kit.template):
        yield "container", f"{container.name}: {', '.join(_amounts(container))}"
    yield "affinity", _affinity(affinity(plane, kit))
    yield "scheduler", f"kuscia-scheduler, nodes of {kit.domain}"
    yield "CLUSTER_DEFINE", "\n".join(_parties(plane, kit))
    ports = kit.ports.values()
    width = max((len(port.name) for port in ports), default=0)
    rows = (f"{p.name:{width}}  {kit.numbers[p.name]} {p.scope} {p.protocol}" for p in ports)
    yield "ALLOCATED_PORTS", "\n".join(rows) or "none"
    own = ", ".join(name for name in variables(plane, kit) if name not in _TOLD)
    yield "variables", own


_TOLD = ("CLUSTER_DEFINE", "ALLOCATED_PORTS")


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
