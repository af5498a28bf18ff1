"""What a control plane gathers for every party of a KusciaDeployment before it makes objects."""

import json
from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import Port, apply_overrides, ports
from renderer.backends.kuscia.derive.planes import (
    Plane,
    app_images,
    require_template,
    serving_seen_by,
)
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE, APP_TYPE, DerivedNames
from renderer.backends.kuscia.dialect import Dialect
from renderer.backends.kuscia.serving import Party, Serving
from renderer.values.derivations import Applied, ObjectName
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
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
