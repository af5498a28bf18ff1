"""The settings of environments and destinations that are Kuscia's, each read in one place."""

from collections.abc import Iterable, Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.dialect import Dialect
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Destination, Environment
from renderer.values.named_tuple import NamedTuple

PLATFORM = "kuscia"


class KusciaSettings(NamedTuple):
    """What an environment says of Kuscia, with the defaults for what it does not say.

    `external_domains` are partners whose control plane is not ours, `config_keys` what the domains'
    configuration managers provide.
    """

    dialect: Dialect = Dialect()
    names_images_by_content: bool = False
    external_domains: tuple[str, ...] = ()
    config_keys: frozenset[str] = frozenset()

    @classmethod
    @cached_by_identity
    def of(cls, environment: Environment | None) -> "KusciaSettings":
        given = environment.tree.get("kuscia") if environment else None
        if given is None:
            return cls()
        return cls(
            Dialect.of(text(given, "version"), text(given, "runtime") or "runc"),
            text(given, "appimage_naming") == "hashed",
            tuple(str(node.value) for node in elements(given, "external_domains")),
            frozenset(str(node.value) for node in elements(given, "config_keys")),
        )


class DestinationSettings(NamedTuple):
    """What a destination says of its control plane.

    `names_cluster` says that the control plane is known by another name than the destination's.
    """

    domains: tuple[str, ...]
    names_cluster: bool

    @classmethod
    @cached_by_identity
    def of(cls, destination: Destination) -> "DestinationSettings":
        tree = destination.tree
        return cls(
            tuple(str(node.value) for node in elements(tree, "domains")),
            tree.get("cluster") is not None,
        )


def domains(destination: Destination) -> tuple[str, ...]:
    """The domains that a control plane owns."""
    return DestinationSettings.of(destination).domains


@cached_by_identity
def owners(environment: Environment) -> Mapping[str, tuple[Destination, ...]]:
    """The control planes by the domains that they own."""
    found: dict[str, list[Destination]] = {}
    for item in environment.platform_destinations(PLATFORM):
        for domain in dict.fromkeys(domains(item)):
            found.setdefault(domain, []).append(item)
    return {domain: tuple(items) for domain, items in found.items()}


class ControlPlane(NamedTuple):
    """A control plane and the domains it owns; without destinations it is a partner's."""

    key: str
    title: str
    destinations: tuple[Destination, ...]
    domains: tuple[str, ...]

    @property
    def ours(self) -> bool:
        return bool(self.destinations)


def control_planes(environment: Environment, taking_part: Iterable[str]) -> list[ControlPlane]:
    """Ours, then partners'; a domain that takes part and has no owner here is a partner's."""
    own = own_control_planes(environment)
    ours = {domain for plane in own for domain in plane.domains}
    others = (*KusciaSettings.of(environment).external_domains, *taking_part)
    foreign = dict.fromkeys(name for name in others if name not in ours)
    return [*own, *(ControlPlane(f"partner/{name}", name, (), (name,)) for name in foreign)]


@cached_by_identity
def own_control_planes(environment: Environment) -> tuple[ControlPlane, ...]:
    """The control planes that the environment's destinations are; several may be one."""
    clusters: dict[str, list[Destination]] = {}
    for item in environment.platform_destinations(PLATFORM):
        clusters.setdefault(item.cluster, []).append(item)
    found = []
    for cluster, items in clusters.items():
        title = cluster if DestinationSettings.of(items[0]).names_cluster else items[0].name
        owned = tuple(dict.fromkeys(domain for item in items for domain in domains(item)))
        found.append(ControlPlane(f"ours/{cluster}", title, tuple(items), owned))
    return tuple(found)
