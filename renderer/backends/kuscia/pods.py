"""The containers of a deploy template: ports, probes, mounts and amounts, with their places."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

PROBES = ("livenessProbe", "readinessProbe", "startupProbe")


class Port(NamedTuple):
    """A port; Kuscia knows it by its name and draws its number."""

    name: str
    scope: str
    protocol: str
    number: int | None

    @property
    def is_served(self) -> bool:
        """Whether it gets a Service."""
        return self.scope in ("Cluster", "Domain")


class Probe(NamedTuple):
    """A probe of a container: how it asks, and the port it asks."""

    path: Path
    kind: str
    port: Node | None


class Mount(NamedTuple):
    """A config file of a container: the key of its template, and where the file is."""

    key: str
    path: str


class Container(NamedTuple):
    """A container of a deploy template, and where it stands below the template."""

    node: Node
    path: Path
    name: str
    ports: tuple[Port, ...]

    def amount(self, kind: str, what: str) -> Node | None:
        """`requests` or `limits` of something."""
        return self.node.get("resources", kind, what)

    @property
    def mounts(self) -> tuple[Mount, ...]:
        listing = self.node.get("configVolumeMounts")
        nodes = listing.elements if listing else ()
        return tuple(Mount(_text(node, "subPath"), _text(node, "mountPath")) for node in nodes)

    def probes(self) -> Iterator[Probe]:
        for name in PROBES:
            for kind in ("httpGet", "tcpSocket", "grpc"):
                if asked := self.node.get(name, kind):
                    yield Probe((*self.path, name, kind, "port"), kind, asked.get("port"))


@cached_by_identity
def containers(template: Node) -> tuple[Container, ...]:
    """The containers of a deploy template."""
    listing = template.get("spec", "containers")
    return tuple(
        Container(node, ("spec", "containers", index), _text(node, "name"), tuple(_ports(node)))
        for index, node in enumerate(listing.elements if listing else ())
    )


@cached_by_identity
def ports(template: Node) -> Mapping[str, Port]:
    """All ports of a deploy template by name."""
    return {port.name: port for item in containers(template) for port in item.ports}


@cached_by_identity
def served_ports(template: Node) -> tuple[str, ...]:
    """The names of the ports that get a Service."""
    return tuple(port.name for port in ports(template).values() if port.is_served)


def _ports(container: Node) -> Iterator[Port]:
    listing = container.get("ports")
    for node in listing.elements if listing else ():
        number = node.get("port")
        value = number.value if number and isinstance(number.value, int) else None
        scope, protocol = _text(node, "scope") or "Local", _text(node, "protocol") or "HTTP"
        yield Port(_text(node, "name"), scope, protocol, value)


def _text(node: Node, key: str) -> str:
    found = node.get(key)
    return str(found.value) if found and found.value is not None else ""
