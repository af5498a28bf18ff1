"""A KusciaDeployment as one control plane knows it, with what it gathers for every party."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from renderer.backends.kuscia.appimage import AppImage
from renderer.backends.kuscia.deployments import AFFINITY_MODE, APP_TYPE
from renderer.backends.kuscia.merging import merged
from renderer.backends.kuscia.names import deployment_name, service_name
from renderer.backends.kuscia.pods import Port, ports
from renderer.backends.kuscia.preview.numbers import draw
from renderer.backends.kuscia.serving import Party, Serving, domains, text
from renderer.values.model import Destination
from renderer.values.previews import Applied
from renderer.values.tree import Node

_UNSYNCHRONISED = "scql"


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """A party, the deploy template merged with what it overrides, its ports and their numbers."""

    party: Party
    deployment: str
    prefix: str
    template: Node
    ports: Mapping[str, Port]
    numbers: Mapping[str, int]

    @property
    def domain(self) -> str:
        return self.party.domain

    @property
    def unit(self) -> str:
        return "/".join(filter(None, (self.party.domain, self.party.role)))

    @property
    def served(self) -> list[Port]:
        return [port for port in self.ports.values() if port.is_served]

    def service(self, port: Port) -> str:
        return service_name(self.deployment, port.name, self.prefix)

    def endpoint(self, port: Port) -> str:
        """The address of a Service; through the gateway for those of the scope Cluster."""
        host = f"{self.service(port)}.{self.domain}.svc"
        return host if port.scope == "Cluster" else f"{host}:{self.numbers[port.name]}"


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A control plane's view of a KusciaDeployment; its own domains are not partners to it.

    Like a kit it is equal to itself only, so that it can be a key.
    """

    serving: Serving
    own: frozenset[str]
    app_type: str
    affinity_mode: str
    input_config: str
    runtime: str
    kits: tuple[Kit, ...]

    @property
    def initiator(self) -> str:
        return self.serving.initiator

    def own_kits(self) -> Iterator[Kit]:
        return (kit for kit in self.kits if kit.domain in self.own)


class Incomplete(Exception):
    """Why the controller makes nothing at all."""


def look(applied: Applied, destinations: Sequence[Destination]) -> Plane:
    """What the control plane of these destinations knows; Incomplete if it lacks something."""
    tree = applied.tree
    images = applied.needed.get(destinations[0].cluster, {})
    own = frozenset(domain for item in destinations for domain in domains(item))
    serving = _serving(applied, images)
    app_type, affinity_mode = _synchronised(tree, here=serving.initiator in own)
    runtime = applied.environment.setting("kuscia", "runtime")
    return Plane(
        serving,
        own,
        app_type,
        affinity_mode,
        text(tree, "spec", "inputConfig"),
        str(runtime or "runc"),
        tuple(_kits(serving, tree, images)),
    )


def _synchronised(tree: Node, *, here: bool) -> tuple[str, str]:
    """Label and annotation: partners get the one, unless it says scql, and never the other."""
    app_type = text(tree, "metadata", "labels", APP_TYPE)
    if here:
        return app_type, text(tree, "metadata", "annotations", AFFINITY_MODE)
    return ("" if app_type == _UNSYNCHRONISED else app_type), ""


def _serving(applied: Applied, images: Mapping[tuple[str, str], Node]) -> Serving:
    spec = applied.tree.get("spec") or applied.tree
    listing = spec.get("parties")
    parties = tuple(_party(node, images) for node in (listing.elements if listing else ()))
    name = text(applied.tree, "metadata", "name")
    return Serving(spec, name, text(spec, "initiator"), parties, applied.environment)


def _party(node: Node, images: Mapping[tuple[str, str], Node]) -> Party:
    name = text(node, "appImageRef")
    image = images.get(("AppImage", name))
    spec = image.get("spec") if image else None
    made = AppImage.of_tree(spec, name) if spec else None
    role = text(node, "role")
    template = made.template_for(role) if made else None
    return Party(node, text(node, "domainID"), role, name, made, template)


def _kits(serving: Serving, tree: Node, images: Mapping[tuple[str, str], Node]) -> Iterator[Kit]:
    numbers = draw(_named_ports(serving), [tree, *images.values()])
    for party in serving.parties:
        deployment = deployment_name(serving.name, party.role)
        prefix = text(party.node, "serviceNamePrefix")
        template = merged(_template(party), party.node.get("template"))
        named = ports(template)
        own = {port: numbers[party.domain, party.role, port] for port in named}
        yield Kit(party, deployment, prefix, template, named, own)


def _named_ports(serving: Serving) -> Iterator[tuple[str, str, str]]:
    for party in serving.parties:
        for name in ports(_template(party)):
            yield party.domain, party.role, name


def _template(party: Party) -> Node:
    """The deploy template of a party, without which the controller stops for all of them."""
    if not party.image:
        raise Incomplete(f"there is no AppImage {party.image_name!r} for {party.domain}")
    if not party.template:
        role = f"the role {party.role!r}" if party.role else "a party without a role"
        raise Incomplete(f"the AppImage {party.image_name!r} has no deploy template for {role}")
    return party.template.node
