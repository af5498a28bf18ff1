"""The control planes that run a serving, and the serving as each of them sees it."""

from collections.abc import Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import APP_IMAGE, AppImage
from renderer.backends.kuscia.serving import Party, Serving, rendered_parties
from renderer.backends.kuscia.settings import PLATFORM, ControlPlane, control_planes
from renderer.backends.kuscia.settings import domains as owned_domains
from renderer.values.derivations import Applied, ObjectIdentity, ObjectName
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


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


class Incomplete(Exception):
    """Why the controller makes nothing at all: a party lacks its AppImage, or a template there."""

    def __init__(self, reason: str, party: Party) -> None:
        super().__init__(reason)
        self.party = party


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


def party_workload(party: Party, serving: str) -> ObjectIdentity:
    """The Deployment of a party, which is the first of its objects."""
    return "apps", "Deployment", party.domain, party.names_in(serving).deployment
