"""A serving in Kuscia's terms: its parties, with their AppImages and control planes looked up."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import APP_IMAGE, SECRETFLOW_SERVING, AppImage, image_named
from renderer.backends.kuscia.deploy_template import DeployTemplate
from renderer.backends.kuscia.derived_objects import DerivedNames
from renderer.backends.kuscia.dialect import Version, oldest, parse_version
from renderer.backends.kuscia.settings import PLATFORM, KusciaSettings, owners
from renderer.backends.kuscia.summaries import unit_name
from renderer.kubernetes.pods import Field, Pod, Replicas
from renderer.text.digests import canonical
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Destination, Environment, Reference, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Placement
from renderer.values.tree import Node, constant

FIELD = "serving_input_config"
_NOTHING = constant({}, "what an AppImage says")
#: The words of the Serving API, and what they are called in objects of Kubernetes.
AMOUNTS = {
    "min_cpu": ("requests", "cpu"),
    "max_cpu": ("limits", "cpu"),
    "min_memory": ("requests", "memory"),
    "max_memory": ("limits", "memory"),
}
STRATEGY_AMOUNTS = {"max_surge": "maxSurge", "max_unavailable": "maxUnavailable"}
EVERYONE: frozenset[str] = frozenset()
FindImage = Callable[[str, str], AppImage | None]
"""The AppImage of a party, by its domain and the image's name."""


class Resource(NamedTuple):
    """One entry of a party's resources; without a container it is meant for all of them."""

    container: str
    amounts: Mapping[str, Node]


class Party(NamedTuple):
    """A domain that takes part, in a role or without one, in a spec or in what is rendered of it.

    `node` is where it is described, the item of that number in the list of parties. Without a
    template it has no image, or none for its role.
    """

    node: Node
    number: int
    domain: str
    role: str
    image_name: str
    service_prefix: str
    image: AppImage | None
    template: DeployTemplate | None
    resources: tuple[Resource, ...] = ()

    @property
    def unit(self) -> str:
        return unit_name(self.domain, self.role)

    @property
    def given_replicas(self) -> Node | None:
        """The party's number of replicas, else that of its template; nothing if neither says it."""
        template = self.template.node.get("replicas") if self.template else None
        return self.node.get("replicas") or template

    @property
    def replicas(self) -> int:
        """How many pods the controller makes: one if no number is given."""
        given = self.given_replicas
        return given.value if given and isinstance(given.value, int) else 1

    def names_in(self, serving: str) -> DerivedNames:
        """The names of what Kuscia makes for it."""
        return DerivedNames.of(serving, self.role, self.service_prefix)

    def amounts_of(self, container: str) -> Mapping[str, Node]:
        """What a container gets: its own entry's amounts, else the common entry's."""
        last = {entry.container: entry.amounts for entry in self.resources}
        common, own = last.get("", {}), last.get(container, {})
        return {**common, **own} if common and own else common or own


class Serving(NamedTuple):
    """A serving of one environment; it is equal to itself only, so that it can be a key."""

    tree: Node
    name: str
    initiator: str
    parties: tuple[Party, ...]
    environment: Environment

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @classmethod
    @cached_by_identity
    def of(cls, spec: Spec, environment: Environment) -> "Serving":
        common = text(spec.tree, "app_image")
        parties = tuple(
            _spec_party(node, index, common, environment)
            for index, node in enumerate(elements(spec.tree, "parties"))
        )
        return cls(spec.tree, spec.name, text(spec.tree, "initiator"), parties, environment)

    @property
    def app(self) -> str:
        """The application: as the spec says, or by the name of an image."""
        stated = text(self.tree, "app")
        return stated or (SECRETFLOW_SERVING if self._named_serving else "other")

    @property
    def is_guessed(self) -> bool:
        """Whether the application is known from the name of an image only."""
        return not text(self.tree, "app")

    @property
    def version(self) -> Version | None:
        """The oldest version among the parties, who all read the whole input config."""
        if stated := text(self.tree, "app_version"):
            return parse_version(stated, f"app_version {stated}")
        images = self._named_serving or self.images
        tags = ((image.name, text(image.tree, "image", "tag")) for image in images)
        return oldest(
            parse_version(tag, f"the AppImage {name!r} with the tag {tag}") for name, tag in tags
        )

    @property
    def images(self) -> tuple[AppImage, ...]:
        """The AppImages of the parties, as far as the environment has them."""
        return tuple(party.image for party in self.parties if party.image)

    @property
    def _named_serving(self) -> list[AppImage]:
        """The images that are called as those of secretflow-serving are."""
        return [item for item in self.images if item.is_named_serving]

    @property
    def settings(self) -> KusciaSettings:
        return KusciaSettings.of(self.environment)

    @property
    def control_planes(self) -> tuple[Destination, ...]:
        return self.environment.platform_destinations(PLATFORM)

    def knows(self, domain: str) -> bool:
        """Whether a destination of ours or a partner owns a domain."""
        return bool(self.owners(domain)) or domain in self.settings.external_domains

    def owners(self, domain: str) -> tuple[Destination, ...]:
        return owners(self.environment).get(domain, ())

    def callers(self, party: Party, port: str) -> frozenset[str]:
        """The domains that may call a port of the scope Cluster, as Kuscia works it out.

        None means every domain.
        """
        if len(self.parties) <= 1 or not party.template:
            return EVERYONE
        if policy := party.template.node.get("networkPolicy"):
            roles = set(_calling_roles(policy, port))
            return frozenset(item.domain for item in self.parties if item.role in roles)
        domains = frozenset(item.domain for item in self.parties)
        return domains if len(domains) > 1 else EVERYONE


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> Serving:  # noqa: ARG001
    """What the rules of a serving are given; nothing refers to one."""
    return Serving.of(spec, environment)


def pods(serving: Serving) -> Iterator[Pod]:
    """How many pods each party has; all else AppImages say, and is checked there."""
    for party in serving.parties:
        if party.given_replicas or party.template:
            place = ("parties", party.number)
            owner = "a party" if _shares_replicas(party) else f"the party {party.domain!r}"
            count = Replicas(owner, party.replicas, (*place, "replicas"), serves_others=True)
            yield Pod(Field(place, _NOTHING), replicas=count)


def _shares_replicas(party: Party) -> bool:
    """Whether its number of replicas is written elsewhere, and so may be that of several."""
    if party.given_replicas is None:
        return False
    here, there = party.node.origin, party.given_replicas.origin
    return here.file != there.file or here.line > there.line


def references(spec: Spec, environment: Environment) -> Iterator[Reference]:  # noqa: ARG001
    """The AppImages of a serving's parties."""
    common = spec.tree.get("app_image")
    for index, party in enumerate(elements(spec.tree, "parties")):
        own = party.get("app_image")
        node = own or common
        if node and isinstance(node.value, str):
            path = ("parties", index, "app_image") if own else ("app_image",)
            yield Reference(APP_IMAGE, node.value, path, index)


def placement(spec: Spec, environment: Environment) -> Placement:
    """The deployment goes to the initiator's control plane, its images to every party's."""
    owned = owners(environment)
    domains = (text(party, "domain_id") for party in elements(spec.tree, "parties"))
    needed = {item.name: item for domain in domains for item in owned.get(domain, ())}
    return Placement(owned.get(text(spec.tree, "initiator"), ()), tuple(needed.values()))


def rendered_parties(deployment: Node, find_image: FindImage) -> tuple[Party, ...]:
    """The parties of a KusciaDeployment, in the words of its CRD."""
    return tuple(
        _party(
            node,
            index,
            text(node, "domainID"),
            text(node, "appImageRef"),
            text(node, "serviceNamePrefix"),
            find_image,
        )
        for index, node in enumerate(elements(deployment, "spec", "parties"))
    )


def input_config_text(config: Node) -> str:
    """The input config as it is stored: a text byte for byte, a mapping as compact JSON."""
    return config.value if isinstance(config.value, str) else _compact(config)


@cached_by_identity
def _compact(config: Node) -> str:
    """Asked for twice: the rules want to know how long it is."""
    return canonical(config.plain())


def _calling_roles(policy: Node, port: str) -> Iterator[str]:
    """The roles that the ingresses of a port name."""
    for ingress in elements(policy, "ingresses"):
        names = (item.get("port") for item in elements(ingress, "ports"))
        if any(name and name.value == port for name in names):
            yield from (str(role.value or "") for role in elements(ingress, "from", "roles"))


def _spec_party(node: Node, index: int, common: str, environment: Environment) -> Party:
    party = _party(
        node,
        index,
        text(node, "domain_id"),
        text(node, "app_image") or common,
        text(node, "service_name_prefix"),
        lambda _, name: image_named(name, environment),
    )
    resources = elements(node, "resources")
    return party._replace(resources=tuple(map(_resource, resources))) if resources else party


def _party(
    node: Node, index: int, domain: str, image_name: str, prefix: str, find_image: FindImage
) -> Party:
    image = find_image(domain, image_name)
    role = text(node, "role")
    template = image.template_for(role) if image else None
    return Party(node, index, domain, role, image_name, prefix, image, template)


def _resource(entry: Node) -> Resource:
    given = {name: entry.get(name) for name in AMOUNTS}
    return Resource(
        text(entry, "container_name"),
        {name: node for name, node in given.items() if node and node.value},
    )
