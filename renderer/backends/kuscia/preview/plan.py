"""What a control plane gathers for every party of a KusciaDeployment before it makes objects."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import APP_IMAGE, AppImage
from renderer.backends.kuscia.control_planes import ControlPlane
from renderer.backends.kuscia.deploy_template import Port, ports, with_overrides
from renderer.backends.kuscia.derived_objects import DerivedNames
from renderer.backends.kuscia.dialect import Dialect
from renderer.backends.kuscia.labels import AFFINITY_MODE, APP_TYPE
from renderer.backends.kuscia.serving import Party, Serving, rendered_parties
from renderer.values.derivations import Applied, ObjectName
from renderer.values.tree import Node

PortKey = tuple[str, str, str]
"""Domain, role and name of a port."""
_FIRST = 71_000_000
_UNSYNCHRONISED = "scql"


@dataclass(frozen=True, slots=True, eq=False)
class PartyPlan:
    """A party, its deploy template with what it overrides, its ports and their numbers.

    It is equal to itself only, so that it can be a key.
    """

    entry: Party
    names: DerivedNames
    template: Node
    ports: Mapping[str, Port]
    numbers: Mapping[str, int]

    @property
    def domain(self) -> str:
        return self.entry.domain

    @property
    def role(self) -> str:
        return self.entry.role

    @property
    def unit(self) -> str:
        return self.entry.unit

    @property
    def image(self) -> AppImage | None:
        return self.entry.image

    @property
    def served(self) -> list[Port]:
        return [port for port in self.ports.values() if port.is_served]

    def endpoint(self, port: Port) -> str:
        """The address of a Service; through the gateway for those of the scope Cluster."""
        host = f"{self.names.service(port.name)}.{self.domain}.svc"
        return host if port.scope == "Cluster" else f"{host}:{self.numbers[port.name]}"


@dataclass(frozen=True, slots=True, eq=False)
class DeploymentPlan:
    """A control plane's view of a KusciaDeployment; its own domains are not partners to it.

    It too is equal to itself only.
    """

    serving: Serving
    domains: frozenset[str]
    app_type: str
    affinity_mode: str
    input_config: str
    dialect: Dialect
    parties: tuple[PartyPlan, ...]

    @property
    def initiator(self) -> str:
        return self.serving.initiator

    def own_parties(self) -> Iterator[PartyPlan]:
        return (party for party in self.parties if party.domain in self.domains)


class Incomplete(Exception):
    """Why the controller makes nothing at all."""


def plan_deployment(applied: Applied, plane: ControlPlane) -> DeploymentPlan:
    """What a control plane of ours knows; Incomplete if it lacks something."""
    tree = applied.tree
    images = applied.needed.get(plane.destinations[0].cluster, {})
    domains = frozenset(plane.domains)
    serving = _serving(applied, images)
    app_type, affinity_mode = _synchronised(tree, here=serving.initiator in domains)
    return DeploymentPlan(
        serving,
        domains,
        app_type,
        affinity_mode,
        text(tree, "spec", "inputConfig"),
        serving.settings.dialect,
        tuple(_party_plans(serving, [tree, *images.values()])),
    )


def _synchronised(tree: Node, *, here: bool) -> tuple[str, str]:
    """Label and annotation: partners get the one, unless it says scql, and never the other."""
    app_type = text(tree, "metadata", "labels", APP_TYPE)
    if here:
        return app_type, text(tree, "metadata", "annotations", AFFINITY_MODE)
    return ("" if app_type == _UNSYNCHRONISED else app_type), ""


def _serving(applied: Applied, images: Mapping[ObjectName, Node]) -> Serving:
    def find(_domain: str, name: str) -> AppImage | None:
        image = images.get((APP_IMAGE, "", name))
        spec = image.get("spec") if image else None
        return AppImage.of_tree(spec, name) if spec else None

    tree = applied.tree
    name, initiator = text(tree, "metadata", "name"), text(tree, "spec", "initiator")
    parties = rendered_parties(tree, find)
    return Serving(tree.get("spec") or tree, name, initiator, parties, applied.environment)


def _party_plans(serving: Serving, trees: Sequence[Node]) -> Iterator[PartyPlan]:
    numbers = _draw_numbers(_port_keys(serving), trees)
    for party in serving.parties:
        template = with_overrides(_template(party), party.node.get("template"))
        named = ports(template)
        own = {port: numbers[party.domain, party.role, port] for port in named}
        yield PartyPlan(party, party.names_in(serving.name), template, named, own)


def _port_keys(serving: Serving) -> Iterator[PortKey]:
    for party in serving.parties:
        for name in ports(_template(party)):
            yield party.domain, party.role, name


def _draw_numbers(keys: Iterable[PortKey], trees: Sequence[Node]) -> dict[PortKey, int]:
    """Stand-ins for the numbers that Kuscia draws; their digits occur nowhere in the trees."""
    known = "".join(json.dumps(tree.plain()) for tree in trees)
    start = _FIRST
    while str(start) in known:
        start += 1
    return {key: start * 10_000 + index for index, key in enumerate(dict.fromkeys(keys))}


def _template(party: Party) -> Node:
    """The deploy template of a party, without which the controller stops for all of them."""
    if not party.image:
        raise Incomplete(f"there is no AppImage {party.image_name!r} for {party.domain}")
    if not party.template:
        role = f"the role {party.role!r}" if party.role else "a party without a role"
        raise Incomplete(f"the AppImage {party.image_name!r} has no deploy template for {role}")
    return party.template.node
