"""The deploy templates of an AppImage: which one a role gets, its containers and their ports."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.fields import elements, text
from renderer.kubernetes.pods import PROBES
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

_EFFECTIVE = ("replicas", "strategy")
_ONE = constant(1, "the replicas that Kuscia makes where nobody says how many")
_QUARTERS: Plain = {"maxSurge": "25%", "maxUnavailable": "25%"}
_ROLLING = constant(
    {"type": "RollingUpdate", "rollingUpdate": _QUARTERS}, "the strategy that Kuscia sets"
)


class DeployTemplate(NamedTuple):
    """What Kuscia makes a Deployment from: the roles it is for and its containers."""

    node: Node
    role: str
    containers: tuple[str, ...]

    @property
    def name(self) -> str:
        return text(self.node, "name")

    @property
    def roles(self) -> list[str]:
        """As Kuscia splits them: by comma, nothing trimmed but commas at the ends."""
        return self.role.strip(",").split(",")


class Port(NamedTuple):
    """A port; Kuscia knows it by its name and draws its number."""

    name: str
    scope: str
    protocol: str
    number: int | None

    @property
    def is_served(self) -> bool:
        """Whether it gets a Service."""
        return self.scope in ("Cluster", "Domain")


class Probe(NamedTuple):
    """A probe of a container: how it asks, and the port it asks."""

    path: Path
    kind: str
    port: Node | None


class Mount(NamedTuple):
    """A config file of a container: the key of its template, and where the file is."""

    key: str
    path: str


class Container(NamedTuple):
    """A container of a deploy template, and where it stands below the template."""

    node: Node
    path: Path
    name: str
    ports: tuple[Port, ...]

    def amount(self, kind: str, what: str) -> Node | None:
        """`requests` or `limits` of something."""
        return self.node.get("resources", kind, what)

    @property
    def mounts(self) -> tuple[Mount, ...]:
        nodes = elements(self.node, "configVolumeMounts")
        return tuple(Mount(text(node, "subPath"), text(node, "mountPath")) for node in nodes)

    def probes(self) -> Iterator[Probe]:
        for name in PROBES:
            for kind in ("httpGet", "tcpSocket", "grpc"):
                if asked := self.node.get(name, kind):
                    yield Probe((*self.path, name, kind, "port"), kind, asked.get("port"))


def deploy_templates(tree: Node) -> tuple[DeployTemplate, ...]:
    """The deploy templates of an AppImage's spec, or of what was rendered of it."""
    return tuple(_template(node) for node in elements(tree, "deployTemplates"))


def choose_template(templates: Iterable[DeployTemplate], role: str) -> DeployTemplate | None:
    """The template of a role, exactly as the controller chooses it.

    The first that names the role; else the last without roles; else, for no role, the first of all.
    """
    first = fallback = None
    for template in templates:
        if role in template.roles:
            return template
        if not template.role:
            fallback = template
        first = first or template
    return fallback or (None if role else first)


@cached_by_identity
def containers(template: Node) -> tuple[Container, ...]:
    """The containers of a deploy template."""
    return tuple(
        Container(node, ("spec", "containers", index), text(node, "name"), tuple(_ports(node)))
        for index, node in enumerate(elements(template, "spec", "containers"))
    )


@cached_by_identity
def ports(template: Node) -> Mapping[str, Port]:
    """All ports of a deploy template by name."""
    return {port.name: port for item in containers(template) for port in item.ports}


@cached_by_identity
def served_ports(template: Node) -> tuple[str, ...]:
    """The names of the ports that get a Service."""
    return tuple(port.name for port in ports(template).values() if port.is_served)


@cached_by_identity
def apply_overrides(template: Node, override: Node | None) -> Node:
    """A template with the few things that a party can really change about it.

    These are replicas, strategy and affinity, and the resources of containers by name. Parties that
    change nothing share the result, and so all that is worked out of it.
    """
    given = override.items if override else {}
    members = {"replicas": _ONE, "strategy": _ROLLING, **template.items}
    members |= {key: given[key] for key in _EFFECTIVE if key in given}
    members["spec"] = _pod(template.get("spec"), override.get("spec") if override else None)
    return template.with_value(members)


def _template(node: Node) -> DeployTemplate:
    names = (item.get("name") for item in elements(node, "spec", "containers"))
    return DeployTemplate(
        node, text(node, "role"), tuple(str(name.value) for name in names if name)
    )


def _ports(container: Node) -> Iterator[Port]:
    for node in elements(container, "ports"):
        number = node.get("port")
        value = number.value if number and isinstance(number.value, int) else None
        scope, protocol = text(node, "scope") or "Local", text(node, "protocol") or "HTTP"
        yield Port(text(node, "name"), scope, protocol, value)


def _pod(pod: Node | None, override: Node | None) -> Node:
    if pod is None:
        return constant({}, "the AppImage has no pod")
    members = dict(pod.items)
    if override and (affinity := override.get("affinity")):
        members["affinity"] = affinity
    listing = pod.get("containers")
    wanted = override.get("containers") if override else None
    if listing and wanted:
        done = tuple(_container(node, wanted.elements) for node in listing.elements)
        members["containers"] = listing.with_value(done)
    return pod.with_value(members)


def _container(container: Node, overrides: tuple[Node, ...]) -> Node:
    """Requests and limits are replaced as a whole, and only if the party gives any."""
    resources = container.get("resources")
    amounts = dict(resources.items) if resources else {}
    for override in overrides:
        if text(override, "name") == text(container, "name"):
            given = {key: override.get("resources", key) for key in ("requests", "limits")}
            amounts |= {key: node for key, node in given.items() if node and node.items}
    if not amounts:
        return container
    origin = resources or container
    return container.with_value({**container.items, "resources": origin.with_value(amounts)})
