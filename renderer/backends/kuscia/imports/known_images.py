"""The AppImages that an import knows: those it brings along, and those of its environment."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, members, text
from renderer.backends.kuscia.app_image import APP_IMAGE, AppImage
from renderer.backends.kuscia.settings import PLATFORM, KusciaSettings
from renderer.backends.registries import original, registries_of
from renderer.text.digests import name_by_content
from renderer.text.expressions import expression
from renderer.values.identity_cache import cached_by_identity
from renderer.values.imports import Source, Surroundings
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

GROUP = "kuscia.secretflow"
DEPLOYMENT = "KusciaDeployment"
_BY_CONTENT = expression(r"(.+)-[0-9a-f]{10}")


class KnownImages(NamedTuple):
    """AppImages by the names of their specs, and the names that objects have, to those names."""

    images: Mapping[str, AppImage]
    names: Mapping[str, str]

    @classmethod
    @cached_by_identity
    def of(cls, around: Surroundings) -> "KnownImages":
        environment = around.environment
        images = dict(_environment_images(environment))
        names: dict[str, str] = {}
        for source in _image_sources(around):
            names[source.name] = name = plain_name(source, environment)
            images[name] = AppImage.read(image_spec(source, environment), name)
        return cls(images, names)

    def name_of(self, reference: str, environment: Environment) -> str:
        """What a spec calls the image that an object refers to."""
        if reference in self.names:
            return self.names[reference]
        return strip_digest(reference, environment)

    def get(self, name: str) -> AppImage | None:
        return self.images.get(name)


def strip_digest(name: str, environment: Environment) -> str:
    """The name of an AppImage of the environment that is named by its content in objects."""
    match = _BY_CONTENT.fullmatch(name)
    if match and KusciaSettings.of(environment).names_images_by_content:
        return match[1] if environment.spec_named(APP_IMAGE, match[1]) else name
    return name


def plain_name(source: Source, environment: Environment) -> str:
    """The name of an AppImage without the digest of its content, if it ends in that."""
    match = _BY_CONTENT.fullmatch(source.name)
    if not match or not KusciaSettings.of(environment).names_images_by_content:
        return source.name
    content = image_spec(source, environment).plain()
    return match[1] if name_by_content(match[1], content) == source.name else source.name


def image_spec(source: Source, environment: Environment) -> Node:
    """The fields of an AppImage, its image as it is called before a destination changes it."""
    spec = source.tree.get("spec") or source.tree.with_members({})
    name = spec.get("image", "name")
    image = spec.get("image")
    if not name or not image or not isinstance(name.value, str):
        return spec
    for destination in environment.platform_destinations(PLATFORM):
        there = original(name, registries_of(destination))
        if there is not name:
            return spec.with_members({**spec.items, "image": _renamed(image, there)})
    return spec


def _renamed(image: Node, name: Node) -> Node:
    return image.with_members({**image.items, "name": name})


def _image_sources(around: Surroundings) -> Iterator[Source]:
    for source in around.sources:
        if (source.group, source.kind) == (GROUP, APP_IMAGE) and source.name:
            yield source


def _environment_images(environment: Environment) -> Iterator[tuple[str, AppImage]]:
    for spec in environment.specs:
        if spec.kind.name == APP_IMAGE:
            yield spec.name, AppImage.of(spec)


def used_names(around: Surroundings) -> frozenset[str]:
    """The AppImages that the servings of an import refer to, as they call them."""
    parties = (
        party
        for source in around.sources
        for place in (("spec", "parties"), ("parties",), ("data", "parties"))
        for party in elements(source.tree, *place)
    )
    names = (
        text(party, key) for party in parties for key in ("appImageRef", "app_image", "appImage")
    )
    return frozenset(filter(None, names))


def is_used(name: str, around: Surroundings) -> bool:
    """Whether a serving of the environment, or of the import, refers to an AppImage."""
    references = {
        text(node, "app_image")
        for spec in around.environment.specs
        for node in (spec.tree, *elements(spec.tree, "parties"))
    }
    plain = KnownImages.of(around).names.get(name, name)
    return name in used_names(around) or plain in references


def container_amounts(image: AppImage | None, role: str) -> dict[str, Mapping[str, Node]]:
    """What the template of a role gives its containers, by their names."""
    template = image.template_for(role) if image else None
    if template is None:
        return {}
    found = {}
    for name in template.containers:
        nodes = template.node.get("spec", "containers")
        for node in nodes.elements if nodes else ():
            if text(node, "name") == name:
                found[name] = members(node, "resources")
    return found
