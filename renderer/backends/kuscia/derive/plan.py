"""What a control plane gathers for every party of a KusciaDeployment before it makes objects."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import APP_IMAGE, AppImage
from renderer.backends.kuscia.deploy_template import Port, apply_overrides, ports
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE, APP_TYPE, DerivedNames
from renderer.backends.kuscia.dialect import Dialect
from renderer.backends.kuscia.serving import Party, Serving, rendered_parties
from renderer.backends.kuscia.settings import PLATFORM, ControlPlane, control_planes
from renderer.backends.kuscia.settings import domains as owned_domains
from renderer.values.derivations import Applied, ObjectName
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

PortKey = tuple[str, str, str]
"""Domain, role and name of a port."""
#: Where stand-ins for port numbers begin: far above any port, so that they can be found in texts.
_FIRST = 71_000_000
#: The one app type that Kuscia does not copy to the control planes of partners.
_UNSYNCHRONISED = "scql"


class PartyPlan(NamedTuple):
    """A party, its deploy template with what it overrides, its ports and their numbers."""

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


class DeploymentPlan(NamedTuple):
    """A control plane's view of a KusciaDeployment; its own domains are not partners to it."""

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
    """Why the controller makes nothing at all: a party lacks its AppImage, or a template there."""

    def __init__(self, reason: str, party: Party) -> None:
        super().__init__(reason)
        self.party = party


class Plane(NamedTuple):
    """A control plane as a serving sees it: its cluster, and the destinations of its domains.

    A partner's is no cluster of ours, and its domain has no destination.
    """

    cluster: str
    places: Mapping[str, str]

    @property
    def is_ours(self) -> bool:
        return any(self.places.values())

    def destination(self, domain: str) -> str:
        return self.places[domain]


def serving_planes(applied: Applied) -> list[Plane]:
    """The control planes that run a party; without any known one, that of the deployment."""
    parties = elements(applied.tree, "spec", "parties")
    domains = dict.fromkeys(text(party, "domainID") for party in parties)
    if not applied.environment.platform_destinations(PLATFORM):
        return [Plane(applied.cluster, dict.fromkeys(domains, applied.destination))]
    found = []
    for plane in control_planes(applied.environment, domains):
        taking_part = [domain for domain in plane.domains if domain in domains]
        places = {domain: _place(plane, domain) for domain in taking_part}
        cluster = plane.destinations[0].cluster if plane.ours else plane.key
        found += [Plane(cluster, places)] if places else []
    return found


def _place(plane: ControlPlane, domain: str) -> str:
    owning = (item.name for item in plane.destinations if domain in owned_domains(item))
    return next(owning, "")


def app_images(applied: Applied, plane: Plane) -> Mapping[ObjectName, Node]:
    """The AppImages of a control plane; of a partner's, ours are taken to be the same."""
    return applied.needed.get(plane.cluster if plane.is_ours else applied.cluster, {})


@cached_by_identity
def plan_deployment(applied: Applied, plane: Plane) -> DeploymentPlan:
    """What a control plane knows; Incomplete if it lacks something."""
    tree = applied.tree
    images = app_images(applied, plane)
    domains = frozenset(plane.places)
    serving = serving_seen_by(applied, plane)
    is_home = serving.initiator in domains or plane.cluster == applied.cluster
    app_type, affinity_mode = _synchronised(tree, here=is_home)
    return DeploymentPlan(
        serving,
        domains,
        app_type,
        affinity_mode,
        text(tree, "spec", "inputConfig"),
        serving.settings.dialect,
        tuple(_party_plans(serving, _text(tree) + _all_text(images))),
    )


def _synchronised(tree: Node, *, here: bool) -> tuple[str, str]:
    """Label and annotation: partners get the one, unless it says scql, and never the other."""
    app_type = text(tree, "metadata", "labels", APP_TYPE)
    if here:
        return app_type, text(tree, "metadata", "annotations", AFFINITY_MODE)
    return ("" if app_type == _UNSYNCHRONISED else app_type), ""


@cached_by_identity
def serving_seen_by(applied: Applied, plane: Plane) -> Serving:
    """The serving as it is applied, with the AppImages of a control plane."""
    images = app_images(applied, plane)

    def find(_domain: str, name: str) -> AppImage | None:
        image = images.get((APP_IMAGE, "", name))
        spec = image.get("spec") if image else None
        return AppImage.read(spec, name) if spec else None

    tree = applied.tree
    name, initiator = text(tree, "metadata", "name"), text(tree, "spec", "initiator")
    parties = rendered_parties(tree, find)
    return Serving(tree.get("spec") or tree, name, initiator, parties, applied.environment)


def _party_plans(serving: Serving, known: str) -> Iterator[PartyPlan]:
    numbers = _draw_numbers(_port_keys(serving), known)
    for party in serving.parties:
        template = apply_overrides(require_template(party), party.node.get("template"))
        named = ports(template)
        own = {port: numbers[party.domain, party.role, port] for port in named}
        yield PartyPlan(party, party.names_in(serving.name), template, named, own)


def _port_keys(serving: Serving) -> Iterator[PortKey]:
    for party in serving.parties:
        for name in ports(require_template(party)):
            yield party.domain, party.role, name


@cached_by_identity
def _all_text(images: Mapping[ObjectName, Node]) -> str:
    return "".join(map(_text, images.values()))


@cached_by_identity
def _text(tree: Node) -> str:
    return json.dumps(tree.plain())


def _draw_numbers(keys: Iterable[PortKey], known: str) -> dict[PortKey, int]:
    """Stand-ins for the numbers that Kuscia draws; their digits are not in the known text."""
    start = _FIRST
    while str(start) in known:
        start += 1
    return {key: start * 10_000 + index for index, key in enumerate(dict.fromkeys(keys))}


def require_template(party: Party) -> Node:
    """The deploy template of a party, without which the controller stops for all of them."""
    if not party.image:
        reason = f"there is no AppImage {party.image_name!r} for {party.domain}"
        raise Incomplete(reason, party)
    if not party.template:
        role = f"the role {party.role!r}" if party.role else "a party without a role"
        reason = f"the AppImage {party.image_name!r} has no deploy template for {role}"
        raise Incomplete(reason, party)
    return party.template.node
