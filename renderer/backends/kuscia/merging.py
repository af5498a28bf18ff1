"""A deploy template with the few things that a party can really change about it."""

from renderer.values.tree import Node, Plain, constant

_EFFECTIVE = ("replicas", "strategy")
_ONE = constant(1, "the replicas that Kuscia makes where nobody says how many")
_QUARTERS: Plain = {"maxSurge": "25%", "maxUnavailable": "25%"}
_ROLLING = constant(
    {"type": "RollingUpdate", "rollingUpdate": _QUARTERS}, "the strategy that Kuscia sets"
)


def merged(template: Node, override: Node | None) -> Node:
    """Replicas, strategy and affinity of the party, and resources of containers by name."""
    given = override.items if override else {}
    members = {"replicas": _ONE, "strategy": _ROLLING, **template.items}
    members |= {key: given[key] for key in _EFFECTIVE if key in given}
    members["spec"] = _pod(template.get("spec"), override.get("spec") if override else None)
    return template.with_value(members)


def _pod(pod: Node | None, override: Node | None) -> Node:
    if pod is None:
        return constant({}, "the AppImage has no pod")
    members = dict(pod.items)
    if override and (affinity := override.get("affinity")):
        members["affinity"] = affinity
    containers = pod.get("containers")
    wanted = override.get("containers") if override else None
    if containers and wanted:
        done = tuple(_container(node, wanted.elements) for node in containers.elements)
        members["containers"] = containers.with_value(done)
    return pod.with_value(members)


def _container(container: Node, overrides: tuple[Node, ...]) -> Node:
    """Requests and limits are replaced as a whole, and only if the party gives any."""
    resources = container.get("resources")
    amounts = dict(resources.items) if resources else {}
    for override in overrides:
        if _name(override) == _name(container):
            given = {key: override.get("resources", key) for key in ("requests", "limits")}
            amounts |= {key: node for key, node in given.items() if node and node.items}
    if not amounts:
        return container
    origin = resources or container
    return container.with_value({**container.items, "resources": origin.with_value(amounts)})


def _name(container: Node) -> object:
    name = container.get("name")
    return name.value if name else None
