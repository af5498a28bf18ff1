"""Pods in other objects, as the API server stores them: canonical amounts, and its defaults.

The schemas of such objects are made from the types of Kubernetes, and bring a few defaults along.
"""

from collections.abc import Callable

from renderer.kubernetes.pods import PROBES
from renderer.kubernetes.quantities import canonical
from renderer.values.tree import Node, constant

Change = Callable[[Node], Node]
_DEFAULTED = "the default of the stored schema, which the API server would add"
_TCP = constant("TCP", _DEFAULTED)
_NO_SERVICE = constant("", _DEFAULTED)
_AMOUNTS = ("requests", "limits")
_CONTAINERS = ("containers", "initContainers")


def stored_pod(pod: Node) -> Node:
    """A pod's fields, or an object that has them among others."""
    done = replace_at(pod, ("overhead",), stored_amounts)
    done = replace_at(done, ("resources",), stored_resources)
    for key in _CONTAINERS:
        done = each(done, (key,), stored_container)
    return each(done, ("volumes",), _stored_volume)


def stored_container(container: Node) -> Node:
    """A container, or an object that has the fields of one among others."""
    done = replace_at(container, ("resources",), stored_resources)
    done = each(done, ("ports",), _stored_port)
    done = each(done, ("env",), _stored_variable)
    for probe in PROBES:
        done = replace_at(done, (probe, "grpc"), _stored_grpc)
    return done


def stored_resources(resources: Node) -> Node:
    for key in _AMOUNTS:
        resources = replace_at(resources, (key,), stored_amounts)
    return resources


def stored_amounts(amounts: Node) -> Node:
    """Amounts by name."""
    return amounts.with_value({key: quantity(node) for key, node in amounts.items.items()})


def quantity(node: Node) -> Node:
    """An amount in the form in which Kubernetes stores it."""
    return node.with_value(canonical(str(node.value)))


def _stored_port(port: Node) -> Node:
    return port.with_value({**port.items, "protocol": port.get("protocol") or _TCP})


def _stored_variable(variable: Node) -> Node:
    return replace_at(variable, ("valueFrom", "resourceFieldRef", "divisor"), quantity)


def _stored_grpc(grpc: Node) -> Node:
    return grpc.with_value({**grpc.items, "service": grpc.get("service") or _NO_SERVICE})


def _stored_volume(volume: Node) -> Node:
    claim = ("ephemeral", "volumeClaimTemplate", "spec", "resources")
    return replace_at(
        replace_at(volume, ("emptyDir", "sizeLimit"), quantity), claim, stored_resources
    )


def replace_at(node: Node, path: tuple[str, ...], change: Change) -> Node:
    """A tree with something else at a path; the same where there is nothing."""
    if not path:
        return change(node)
    child = node.get(path[0])
    if child is None:
        return node
    return node.with_members({**node.items, path[0]: replace_at(child, path[1:], change)})


def each(node: Node, path: tuple[str, ...], change: Change) -> Node:
    """A tree with something else in the place of each element of a list."""
    return replace_at(
        node, path, lambda items: items.with_members(tuple(map(change, items.elements)))
    )
