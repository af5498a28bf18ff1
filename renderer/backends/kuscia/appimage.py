"""An AppImage in Kuscia's terms, and which of its deploy templates a role gets."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec, Summary
from renderer.values.tree import Node


class DeployTemplate(NamedTuple):
    """What Kuscia makes a Deployment from: the roles it is for and its containers."""

    node: Node
    role: str
    containers: tuple[str, ...]

    @property
    def name(self) -> str:
        given = self.node.get("name")
        return str(given.value) if given else ""

    @property
    def roles(self) -> list[str]:
        """As Kuscia splits them: by comma, nothing trimmed but commas at the ends."""
        return self.role.strip(",").split(",")


class AppImage(NamedTuple):
    """The parts of an AppImage that a serving depends on."""

    tree: Node
    name: str
    templates: tuple[DeployTemplate, ...]
    environment: Environment | None = None
    users: Sequence[Summary] = ()

    @classmethod
    @cached_by_identity
    def of(
        cls, spec: Spec, environment: Environment | None = None, users: Sequence[Summary] = ()
    ) -> "AppImage":
        return cls.of_tree(spec.tree, spec.name, environment)._replace(users=users)

    @classmethod
    def of_tree(cls, tree: Node, name: str, environment: Environment | None = None) -> "AppImage":
        """From the fields of a spec, or of the object that is rendered from it."""
        return cls(tree, name, deploy_templates(tree), environment)

    @property
    def config_templates(self) -> dict[str, Node]:
        """The texts of the config templates by file name."""
        given = self.tree.get("configTemplates")
        texts = given.items.items() if given else ()
        return {key: node for key, node in texts if isinstance(node.value, str)}

    @property
    def config_keys(self) -> frozenset[str]:
        """What the environment says of the domains' configuration managers."""
        declared = self.environment and self.environment.tree.get("kuscia", "config_keys")
        return frozenset(str(node.value) for node in (declared.elements if declared else ()))

    def served(self) -> tuple[DeployTemplate, ...]:
        """The templates that parties of the environment's servings get; others are for jobs."""
        found = (self.template_for(role) for role in self.roles())
        return tuple(template for template in found if template)

    def partner_roles(self) -> set[str]:
        """The roles of all parties of the servings that use this image."""
        found: set[str] = set()
        for user in self.users:
            parties = user.fields.get("parties")
            roles = (party.get("role") for party in parties.elements) if parties else ()
            found |= {str(role.value or "") if role else "" for role in roles}
        return found

    def roles(self) -> set[str]:
        """The roles of the parties that use this image."""
        roles: set[str] = set()
        for user in self.users:
            for use in user.references:
                party = user.fields.get("parties", use.unit)
                role = party.get("role") if party and use.name == self.name else None
                if party and use.name == self.name:
                    roles.add(str(role.value or "") if role else "")
        return roles

    def template_for(self, role: str) -> DeployTemplate | None:
        return choose(self.templates, role)


def blanks(image: AppImage, role: str) -> Iterator[DeployTemplate]:
    """The templates that would be for a role if there were no blanks in their lists."""
    for template in image.templates:
        if any(item.strip() == role != item for item in template.roles):
            yield template


def deploy_templates(tree: Node) -> tuple[DeployTemplate, ...]:
    """The deploy templates of an AppImage's spec, or of what was rendered of it."""
    templates = tree.get("deployTemplates")
    return tuple(_template(node) for node in (templates.elements if templates else ()))


def choose(templates: Iterable[DeployTemplate], role: str) -> DeployTemplate | None:
    """The template of a role, exactly as the controller chooses it."""
    first = fallback = None
    for template in templates:
        if role in template.roles:
            return template
        if not template.role:
            fallback = template
        first = first or template
    return fallback or (None if role else first)


def _template(node: Node) -> DeployTemplate:
    containers = node.get("spec", "containers")
    names = (item.get("name") for item in (containers.elements if containers else ()))
    role = node.get("role")
    return DeployTemplate(
        node,
        str(role.value or "") if role else "",
        tuple(str(name.value) for name in names if name),
    )
