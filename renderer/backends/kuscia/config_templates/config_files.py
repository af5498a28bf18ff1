"""The config files of an AppImage: what they mention, who mounts them, what they need."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import APP_IMAGE, AppImage
from renderer.backends.kuscia.config_templates.json_files import JsonFile, json_file
from renderer.backends.kuscia.config_templates.template import Query, Template, parse
from renderer.backends.kuscia.config_templates.tokens import TemplateFault, clip
from renderer.backends.kuscia.deploy_template import Container, DeployTemplate, containers, ports
from renderer.backends.kuscia.pod_variables import OF_JOBS, is_built_in, is_port_variable
from renderer.backends.kuscia.serving import Serving
from renderer.backends.kuscia.settings import KusciaSettings
from renderer.backends.kuscia.summaries import serving_summaries
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Origin
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_NAMED_PORT = expression(r"ports\[name=(.+)\]")
#: The keys that it does not start without, and the variable that each is filled from.
REQUIRED = {
    "serving_id": "SERVING_ID",
    "input_config": "INPUT_CONFIG",
    "cluster_def": "CLUSTER_DEFINE",
    "allocated_ports": "ALLOCATED_PORTS",
}
_FLAG = expression(r"--serving_config_file[= ](\S+)")
_BEFORE_VALUE = expression(rf'"({"|".join(REQUIRED)})"\s*:\s*\{{+\s*$')
_NEAR = 100


class Mention(NamedTuple):
    """A template's use of a variable: by itself, or with a path below it."""

    name: str
    offset: int
    path: tuple[str, ...] = ()
    query: Query | None = None

    @property
    def port(self) -> str:
        """The port whose number is asked for: `ports[name=x]`, or the variable of a port."""
        segments = self.query.segments if self.query else ()
        named = _NAMED_PORT.fullmatch(segments[1]) if len(segments) > 1 else None
        if self.name == "ALLOCATED_PORTS" and named:
            return named[1].replace("#", ".")
        return self.name if is_port_variable(self.name) else ""


def mentions(template: Template) -> list[Mention]:
    """Every use of a variable, in order of place."""
    fields = (Mention(item.names[0], item.offset, item.names[1:]) for item in template.fields)
    queries = (Mention(item.variable, item.offset, query=item) for item in template.queries)
    return sorted((item for item in (*fields, *queries) if item.name), key=lambda m: m.offset)


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

    def finding(self, offset: int, message: str, fix: str) -> Finding:
        """A finding at a place of the text."""
        path = ("configTemplates", self.key)
        origin = _file_position(self.node.origin, self.text, offset)
        return Finding(path, clip(message), clip(fix), inside=offset, origin=origin)

    @property
    def parsed(self) -> Template | TemplateFault:
        return parse(self.text)

    @property
    def json(self) -> JsonFile | None:
        """The file as JSON, if it is JSON around its placeholders."""
        return json_file(self.parsed) if isinstance(self.parsed, Template) else None

    @property
    def needed(self) -> frozenset[str]:
        """The variables that Kuscia looks up, with the configuration manager if need be."""
        return self.parsed.needed if isinstance(self.parsed, Template) else frozenset()

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
        return any(elements(item.node, "envFrom") for item in self.containers)

    def knows(self, name: str) -> bool:
        """Whether the environment of the container has a variable."""
        return is_built_in(name) or name in self.env

    def is_of_jobs(self, name: str) -> bool:
        """Whether a variable exists in the pods of jobs only."""
        known = name in self.env or name in self.config_keys
        return name.startswith(OF_JOBS) and not known

    def is_small(self, name: str) -> bool:
        """Whether a variable is one that would be found in capitals."""
        capitals = name.upper()
        return name != capitals and self.knows(capitals) and name not in self.config_keys


@cached_by_identity
def config_files(image: AppImage) -> tuple[ConfigFile, ...]:
    """The config files in the order of the spec; one that is mounted nowhere counts everywhere."""
    return tuple(_config_file(image, key, node) for key, node in image.config_templates.items())


def _config_file(image: AppImage, key: str, node: Node) -> ConfigFile:
    everyone = [(template, containers(template.node)) for template in image.templates]
    mounting = [
        (template, tuple(item for item in found if _mounts(item, key)))
        for template, found in everyone
    ]
    used = [(template, found) for template, found in mounting if found] or everyone
    users = tuple(template for template, _ in used)
    seen_by = tuple(item for _, found in used for item in found)
    return ConfigFile(key, node, users, seen_by, _env(seen_by), image.settings.config_keys)


def _mounts(container: Container, key: str) -> bool:
    entries = elements(container.node, "configVolumeMounts")
    return any(text(entry, "subPath") == key for entry in entries)


def _file_position(origin: Origin, text: str, offset: int) -> Origin | None:
    """The place, if the text is a file of its own: no value of a spec stands at its very start."""
    if (origin.line, origin.column) != (1, 1):
        return None
    start = text.rfind("\n", 0, offset) + 1
    return origin._replace(line=text.count("\n", 0, offset) + 1, column=offset - start + 1)


def _env(seen_by: Iterable[Container]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for entry in (entry for item in seen_by for entry in elements(item.node, "env")):
        name, value = entry.get("name"), entry.get("value")
        literal = value.value if value and isinstance(value.value, str) else None
        expanded = literal is not None and "$" in literal
        found.setdefault(str(name.value if name else "").upper(), None if expanded else literal)
    return found


class ConfigKey(NamedTuple):
    """A key, whether `kuscia.config_keys` declares it, and who needs it for what."""

    name: str
    declared: bool
    domains: tuple[str, ...]
    files: tuple[str, ...]


def config_keys(environment: Environment) -> tuple[ConfigKey, ...]:
    """The keys that the environment's servings need, by name.

    A file is given as `AppImage: key`. Variables that may come from an `envFrom` are left
    out, and so are those that Kuscia would not fetch.
    """
    domains: dict[str, set[str]] = {}
    files: dict[str, set[str]] = {}
    for image, users in _users(environment):
        for file in config_files(image):
            for name in missing(file):
                domains.setdefault(name, set()).update(users)
                files.setdefault(name, set()).add(f"{image.name}: {file.key}")
    declared = KusciaSettings.of(environment).config_keys
    return tuple(
        ConfigKey(name, name in declared, tuple(sorted(domains[name])), tuple(sorted(files[name])))
        for name in sorted(domains)
    )


def missing(file: ConfigFile) -> set[str]:
    """The variables of a file that Kuscia asks the configuration manager for."""
    if file.has_unknown_env:
        return set()
    asked = {mention.name for mention in file.mentions} & file.needed
    return {name for name in asked if not file.knows(name)}


def _users(environment: Environment) -> Iterator[tuple[AppImage, set[str]]]:
    """The AppImages that servings use, with the domains that use them."""
    domains: dict[str, set[str]] = {}
    for party in (party for item in serving_summaries(environment) for party in item.parties):
        domains.setdefault(party.image_name, set()).add(party.domain)
    for name, users in domains.items():
        if used := environment.spec_named(APP_IMAGE, name):
            yield AppImage.of(used, environment), users


def files_with(variable: str, serving: Serving) -> Iterator[str]:
    """The names of the files that a party's containers get and that mention a variable."""
    for party in serving.parties:
        for file in config_files(party.image) if party.image and party.template else ():
            is_got = any(user is party.template for user in file.users)
            if is_got and any(mention.name == variable for mention in file.mentions):
                yield file.key


def serving_configs(image: AppImage) -> Iterator[ConfigFile]:
    """The file that the command of a secretflow-serving image names, else the usual one."""
    if not image.runs_secretflow_serving:
        return
    files = {file.key: file for file in config_files(image)}
    named = {key for file in files.values() for key in _named_by_commands(file)}
    for key in sorted(named or {"serving-config.conf"}):
        if key in files:
            yield files[key]


def is_unquoted_value(file: ConfigFile, offset: int) -> bool:
    """Whether a placeholder stands without quotes as the value of a key that is required."""
    return bool(_BEFORE_VALUE.search(file.text[max(offset - _NEAR, 0) : offset]))


def _named_by_commands(file: ConfigFile) -> Iterator[str]:
    for container in file.containers:
        words = (*elements(container.node, "command"), *elements(container.node, "args"))
        paths = set(_FLAG.findall(" ".join(str(word.value) for word in words)))
        yield from (item.key for item in container.mounts if item.key and item.path in paths)
