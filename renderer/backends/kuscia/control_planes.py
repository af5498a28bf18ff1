"""Control planes: our own by cluster, a partner's by its domain."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.backends.kuscia.settings import PLATFORM, DestinationSettings, KusciaSettings, domains
from renderer.values.model import Destination, Environment


class ControlPlane(NamedTuple):
    """A control plane and the domains it owns; without destinations it is a partner's."""

    key: str
    title: str
    destinations: tuple[Destination, ...]
    domains: tuple[str, ...]

    @property
    def ours(self) -> bool:
        return bool(self.destinations)

    @property
    def tags(self) -> tuple[str, ...]:
        return ("control plane",) if self.ours else ("control plane", "not ours")


def control_planes(environment: Environment, taking_part: Iterable[str]) -> list[ControlPlane]:
    """Ours, then partners'; a domain that takes part and is nobody's is a partner's."""
    own = list(own_control_planes(environment))
    ours = {domain for plane in own for domain in plane.domains}
    others = (*KusciaSettings.of(environment).external_domains, *taking_part)
    foreign = dict.fromkeys(name for name in others if name not in ours)
    return [*own, *(ControlPlane(f"partner/{name}", name, (), (name,)) for name in foreign)]


def own_control_planes(environment: Environment) -> Iterator[ControlPlane]:
    """The control planes that the environment's destinations are; several may be one."""
    clusters: dict[str, list[Destination]] = {}
    for item in environment.platform_destinations(PLATFORM):
        clusters.setdefault(item.cluster, []).append(item)
    for cluster, items in clusters.items():
        title = cluster if DestinationSettings.of(items[0]).names_cluster else items[0].name
        owned = tuple(dict.fromkeys(domain for item in items for domain in domains(item)))
        yield ControlPlane(f"ours/{cluster}", title, tuple(items), owned)
