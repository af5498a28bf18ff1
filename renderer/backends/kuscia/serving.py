"""A serving in Kuscia's terms, its AppImages and control planes looked up."""

from collections.abc import Mapping
from typing import NamedTuple

from renderer.backends.kuscia.appimage import AppImage, DeployTemplate
from renderer.backends.kuscia.versions import Version, parse
from renderer.values.identity_cache import cached_by_identity, widely_cached_by_identity
from renderer.values.model import Destination, Environment, Spec
from renderer.values.tree import Node

FIELD = "serving_input_config"
_NUMBERS = (int, float)
AMOUNTS = ("min_cpu", "max_cpu", "min_memory", "max_memory")


class Resource(NamedTuple):
    """One entry of a party's resources; without a container it is meant for all of them."""

    container: str
    amounts: Mapping[str, Node]


class Party(NamedTuple):
    """A domain that takes part, in a role or without one."""

    node: Node
    domain: str
    role: str
    image_name: str
    image: AppImage | None
    template: DeployTemplate | None
    resources: tuple[Resource, ...] = ()

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
    @widely_cached_by_identity
    def of(cls, spec: Spec, environment: Environment) -> "Serving":
        parties = spec.tree.get("parties")
        return cls(
            spec.tree,
            spec.name,
            text(spec.tree, "initiator"),
            tuple(
                _party(node, spec.tree, environment)
                for node in (parties.elements if parties else ())
            ),
            environment,
        )

    @property
    def app(self) -> str:
        """The application: as the spec says, or by the name of an image that has work to do."""
        if stated := text(self.tree, "app"):
            return stated
        config = self.tree.get(FIELD)
        given = config.value if config else None
        idle = not given or (isinstance(given, str) and "".join(given.split()) in ("", "{}"))
        return "secretflow-serving" if self._named_serving and not idle else "other"

    @property
    def is_guessed(self) -> bool:
        """Whether only the name of an image tells the application."""
        return not text(self.tree, "app")

    @property
    def version(self) -> Version | None:
        """The oldest version among the parties, who all read the whole input config."""
        if stated := text(self.tree, "app_version"):
            return parse(stated, f"app_version {stated}")
        images = self._named_serving or self.images
        tags = ((image.name, text(image.tree, "image", "tag")) for image in images)
        read = [parse(tag, f"the AppImage {name!r} with the tag {tag}") for name, tag in tags]
        return min((version for version in read if version), default=None)

    @property
    def images(self) -> tuple[AppImage, ...]:
        """The AppImages of the parties, as far as the environment has them."""
        return tuple(party.image for party in self.parties if party.image)

    @property
    def _named_serving(self) -> list[AppImage]:
        return [item for item in self.images if "serving" in text(item.tree, "image", "name")]

    @property
    def control_planes(self) -> tuple[Destination, ...]:
        return self.environment.of_platform("kuscia")

    @property
    def external(self) -> tuple[str, ...]:
        return external_domains(self.environment)

    def knows(self, domain: str) -> bool:
        """Whether a destination of ours or a partner owns a domain."""
        return bool(self.owners(domain)) or domain in self.external

    def owners(self, domain: str) -> tuple[Destination, ...]:
        return owners(self.environment).get(domain, ())


@cached_by_identity
def owners(environment: Environment) -> dict[str, tuple[Destination, ...]]:
    """The control planes by the domains that they own."""
    ours = environment.of_platform("kuscia")
    found: dict[str, list[Destination]] = {}
    for item in ours:
        for domain in dict.fromkeys(domains(item)):
            found.setdefault(domain, []).append(item)
    return {domain: tuple(items) for domain, items in found.items()}


@cached_by_identity
def external_domains(environment: Environment) -> tuple[str, ...]:
    """Partners whose control plane is not ours."""
    listing = environment.tree.get("kuscia", "external_domains")
    return tuple(str(node.value) for node in (listing.elements if listing else ()))


@cached_by_identity
def domains(destination: Destination) -> list[str]:
    """The domains a control plane owns."""
    owned = destination.tree.get("domains")
    return [str(node.value) for node in (owned.elements if owned else ())]


def text(node: Node, *path: str | int) -> str:
    """The text at a path; empty where there is none, as in the API's messages."""
    found = node.get(*path)
    value = found.value if found else None
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, _NUMBERS) else ""


def _party(node: Node, serving: Node, environment: Environment) -> Party:
    name = text(node, "app_image") or text(serving, "app_image")
    spec = environment.named("AppImage", name)
    image = AppImage.of(spec) if spec and not spec.unreliable else None
    role = text(node, "role")
    resources = node.get("resources")
    return Party(
        node,
        text(node, "domain_id"),
        role,
        name,
        image,
        image.template_for(role) if image else None,
        tuple(_resource(entry) for entry in (resources.elements if resources else ())),
    )


def _resource(entry: Node) -> Resource:
    given = {name: entry.get(name) for name in AMOUNTS}
    return Resource(
        text(entry, "container_name"),
        {name: node for name, node in given.items() if node and node.value},
    )
