"""The config files of an AppImage, each with what the containers that mount it provide."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from renderer.backends.kuscia.appimage import AppImage, DeployTemplate
from renderer.backends.kuscia.configtemplates.faults import TemplateFault, clipped
from renderer.backends.kuscia.configtemplates.parsing import Template, parse
from renderer.backends.kuscia.configtemplates.variables import Mention, is_built_in, mentions
from renderer.backends.kuscia.pods import Container, containers, ports
from renderer.values.diagnostics import Finding, Origin
from renderer.values.tree import Node


class ConfigFile(NamedTuple):
    """A config template, the deploy templates that use it and the containers that mount it.

    `env` are the variables that the AppImage sets, in capitals; no value where it is not literal.
    """

    key: str
    node: Node
    users: tuple[DeployTemplate, ...]
    containers: tuple[Container, ...]
    env: Mapping[str, str | None]
    config_keys: frozenset[str]

    @property
    def text(self) -> str:
        return str(self.node.value)

    def at(self, offset: int, message: str, fix: str) -> Finding:
        """A finding at a place of the text."""
        path = ("configTemplates", self.key)
        origin = _within_file(self.node.origin, self.text, offset)
        return Finding(path, clipped(message), clipped(fix), inside=offset, origin=origin)

    @property
    def parsed(self) -> Template | TemplateFault:
        return parse(self.text)

    @property
    def mentions(self) -> list[Mention]:
        return mentions(self.parsed) if isinstance(self.parsed, Template) else []

    @property
    def ports(self) -> list[frozenset[str]]:
        """The names of the ports, for each deploy template."""
        return [frozenset(ports(template.node)) for template in self.users]

    @property
    def has_unknown_env(self) -> bool:
        """Whether variables come from ConfigMaps or Secrets that are not known here."""
        return any(_entries(item.node, "envFrom") for item in self.containers)

    def knows(self, name: str) -> bool:
        """Whether the environment of the container has a variable."""
        return is_built_in(name) or name in self.env


def config_files(image: AppImage) -> Iterator[ConfigFile]:
    """The config files in the order of the spec; one that nobody mounts is seen by all."""
    by_template = [(template, containers(template.node)) for template in image.templates]
    for key, node in image.config_templates.items():
        mounting = [
            (template, tuple(item for item in found if key in _mounted(item)))
            for template, found in by_template
        ]
        used = [(template, found) for template, found in mounting if found] or by_template
        users = tuple(template for template, _ in used)
        seen_by = tuple(item for _, found in used for item in found)
        yield ConfigFile(key, node, users, seen_by, _env(seen_by), image.config_keys)


def _within_file(origin: Origin, text: str, offset: int) -> Origin | None:
    """The place, if the text is a file of its own: no value of a spec stands at its very start."""
    if (origin.line, origin.column) != (1, 1):
        return None
    start = text.rfind("\n", 0, offset) + 1
    return origin._replace(line=text.count("\n", 0, offset) + 1, column=offset - start + 1)


def _env(seen_by: Iterable[Container]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for entry in (entry for item in seen_by for entry in _entries(item.node, "env")):
        name, value = entry.get("name"), entry.get("value")
        literal = value.value if value and isinstance(value.value, str) else None
        expanded = literal is not None and "$" in literal
        found.setdefault(str(name.value if name else "").upper(), None if expanded else literal)
    return found


def _mounted(container: Container) -> set[str]:
    given = (entry.get("subPath") for entry in _entries(container.node, "configVolumeMounts"))
    return {str(node.value) for node in given if node}


def _entries(node: Node, key: str) -> tuple[Node, ...]:
    found = node.get(key)
    return found.elements if found else ()
