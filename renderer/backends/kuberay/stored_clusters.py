"""Clusters as the API server stores them: its defaults written down, amounts in canonical form."""

from renderer.backends.kuberay.dialect import Dialect
from renderer.backends.registries import Registries, registries_of, relocated
from renderer.kubernetes.stored_pods import each, replace_at, stored_pod, stored_resources
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Destination
from renderer.values.tree import Node, constant

_DEFAULT = "the default of KubeRay's schema, which the API server would add"
_NO_PARAMETERS = constant({}, "versions before 1.4 refuse a group without")
_ZERO = constant(0, _DEFAULT)
_MANY = constant(2147483647, _DEFAULT)
_ONE = constant(1, _DEFAULT)
_TCP = constant("TCP", _DEFAULT)
#: Since when the CRD has `numOfHosts`.
_HOSTS = (1, 1, 0)
_CONTAINERS = ("containers", "initContainers")
#: The order in Git is for readers: short fields first, pod templates last.
_FIRST = ("groupName", "replicas", "minReplicas", "maxReplicas", "numOfHosts")
_LAST = ("rayStartParams", "template")


def stored_cluster(
    node: Node, dialect: Dialect, where: Destination | None, *, keeps_replicas: bool = True
) -> Node:
    """A cluster's spec; without replicas where nothing in Git may decide them."""
    return _stored_cluster(node, registries_of(where), dialect.knows(_HOSTS), keeps_replicas)


@cached_by_identity
def _stored_cluster(
    node: Node,
    registries: Registries,
    has_hosts: bool,
    keeps_replicas: bool,
) -> Node:
    """The same for all places and versions that make no difference to it."""

    def group(given: Node) -> Node:
        return _stored_group(given, registries)

    def worker(given: Node) -> Node:
        stored = group(given)
        return _stored_worker(stored, has_hosts=has_hosts, keeps_replicas=keeps_replicas)

    node = replace_at(node, ("headGroupSpec",), group)
    node = replace_at(node, ("headGroupSpec", "headService"), stored_service)
    node = each(node, ("workerGroupSpecs",), worker)
    node = replace_at(node, ("autoscalerOptions", "resources"), stored_resources)
    return replace_at(
        node, ("autoscalerOptions",), lambda options: _relocate_image(options, registries)
    )


def _stored_group(group: Node, registries: Registries) -> Node:
    group = replace_at(group, ("template",), lambda pod: stored_template(pod, registries))
    params = group.get("rayStartParams") or _NO_PARAMETERS
    whole = group.with_members({**group.items, "rayStartParams": params})
    return _order_fields(_drop_empty(whole, "scaleStrategy"))


def _order_fields(group: Node) -> Node:
    between = [key for key in group.items if key not in (*_FIRST, *_LAST)]
    keys = (key for key in (*_FIRST, *between, *_LAST) if key in group.items)
    return group.with_members({key: group.items[key] for key in keys})


def _stored_worker(group: Node, *, has_hosts: bool, keeps_replicas: bool) -> Node:
    """A group of workers with the numbers that its schema has by default."""
    defaults = {"minReplicas": _ZERO, "maxReplicas": _MANY}
    if keeps_replicas:
        defaults["replicas"] = _ZERO
    if has_hosts:
        defaults["numOfHosts"] = _ONE
    kept = {key: n for key, n in group.items.items() if keeps_replicas or key != "replicas"}
    more = {key: node for key, node in defaults.items() if key not in kept}
    return _order_fields(group.with_members({**kept, **more}))


def stored_template(template: Node, registries: Registries) -> Node:
    """The template of a pod, with images that its destination can reach."""
    order: dict[str, Node] = {
        key: template.items[key] for key in ("metadata", "spec") if key in template.items
    }
    template = replace_at(template.with_members(order), ("spec",), stored_pod)
    template = _drop_empty(template, "metadata")
    for key in _CONTAINERS:
        template = each(
            template, ("spec", key), lambda container: _relocate_image(container, registries)
        )
    return template


def stored_service(service: Node) -> Node:
    """A service within another object: its ports have a protocol."""
    return each(
        service,
        ("spec", "ports"),
        lambda port: port.with_members({**port.items, "protocol": port.get("protocol") or _TCP}),
    )


def _relocate_image(container: Node, registries: Registries) -> Node:
    container = _drop_empty(container, "resources")
    return replace_at(container, ("image",), lambda image: relocated(image, registries))


def _drop_empty(node: Node, key: str) -> Node:
    """Without an empty mapping: the operator writes some where a user wrote none."""
    found = node.get(key)
    if found is None or found.value != {}:
        return node
    return node.with_members({name: n for name, n in node.items.items() if name != key})
