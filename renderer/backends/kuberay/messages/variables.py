"""Environment variables of messages: values, and where values are taken from."""

from collections.abc import Iterator

from renderer.backends.fields import made, members
from renderer.backends.kuberay.messages.values import name_of
from renderer.values.tree import Node


def variables(given: Node | None) -> Iterator[Node]:
    """The variables of a message, values first, each by name: the order of a map means nothing."""
    for name, value in sorted(members(given, "values").items()):
        yield made(value, {"name": _key(name, value), "value": value})
    for name, source in sorted(members(given, "valuesFrom").items()):
        yield made(source, {"name": _key(name, source), "valueFrom": _taken(source)})


def _key(name: str, node: Node) -> Node:
    return Node(name, node.key or node.origin)


def _taken(source: Node) -> Node:
    """Where a value is taken from, as Kubernetes says it."""
    name, key = source.get("name"), source.get("key")
    match name_of(source.get("source"), "source"):
        case "CONFIGMAP":
            return made(source, {"configMapKeyRef": made(source, {"name": name, "key": key})})
        case "SECRET":
            return made(source, {"secretKeyRef": made(source, {"name": name, "key": key})})
        case "RESOURCEFIELD":
            place = made(source, {"containerName": name, "resource": key})
            return made(source, {"resourceFieldRef": place})
        case _:
            path = key if key and key.value else name  # people write it in either
            return made(source, {"fieldRef": made(source, {"fieldPath": path})})


def whole_sources(given: Node | None) -> Iterator[Node]:
    """The objects all of whose keys become variables, as the autoscaler takes them."""
    for _, source in sorted(members(given, "valuesFrom").items()):
        kinds = {"CONFIGMAP": "configMapRef", "SECRET": "secretRef"}
        if kind := kinds.get(name_of(source.get("source"), "source")):
            yield made(source, {kind: made(source, {"name": source.get("name")})})
