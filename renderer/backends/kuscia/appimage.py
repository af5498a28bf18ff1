"""An AppImage in Kuscia's terms, and which of its deploy templates a role gets."""

from collections.abc import Iterable
from dataclasses import dataclass

from renderer.model import Node, Spec


@dataclass(frozen=True, slots=True)
class DeployTemplate:
    """What Kuscia makes a Deployment from: the roles it is for and its containers."""

    role: str
    containers: tuple[str, ...]

    @property
    def roles(self) -> list[str]:
        """As Kuscia splits them: by comma, nothing trimmed but commas at the ends."""
        return self.role.strip(",").split(",")


@dataclass(frozen=True, slots=True)
class AppImage:
    """The parts of an AppImage that a serving depends on."""

    name: str
    templates: tuple[DeployTemplate, ...]

    @classmethod
    def of(cls, spec: Spec) -> "AppImage":
        templates = spec.tree.get("deployTemplates")
        elements = templates.elements if templates else ()
        return cls(spec.name, tuple(_template(node) for node in elements))

    def template_for(self, role: str) -> DeployTemplate | None:
        return choose(self.templates, role)


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
        str(role.value or "") if role else "", tuple(str(name.value) for name in names if name)
    )
