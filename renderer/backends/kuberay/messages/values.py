"""Values of messages as JSON may have them, and the groups that they are written in."""

from collections.abc import Iterator
from functools import cache

from renderer.backends.api_messages import MessageShape
from renderer.backends.kuberay.vocabulary import MESSAGE_SCHEMA
from renderer.kubernetes.pods import Field
from renderer.values.tree import Node

#: The messages that have enumerations, by the names of these fields.
_OWNERS = {"environment": "RayMessageCluster", "source": "RayMessageEnvironmentSource"}
_VOLUME = "RayMessageVolume"
_CLUSTER, _HEAD, _WORKERS = "clusterSpec", "headGroupSpec", "workerGroupSpec"


@cache
def names_of(field: str) -> tuple[str, ...]:
    """The names of an enumeration, in the order of their numbers."""
    return MessageShape.of(MESSAGE_SCHEMA, _OWNERS.get(field, _VOLUME)).member(field).names


def name_of(node: Node | None, field: str) -> str:
    """The name that a value of an enumeration means; the first one where there is no value."""
    names, value = names_of(field), node.value if node else 0
    if isinstance(value, int) and not isinstance(value, bool):
        return names[value] if 0 <= value < len(names) else ""
    return value if isinstance(value, str) and value in names else ""


def nonempty(node: Node, *path: str) -> Node | None:
    """A value of a message; an empty one is the same to the API server as one that is missing."""
    found = node.get(*path)
    return found if found and found.value else None


def parse_number(node: Node | None) -> Node | None:
    """A whole number, which may be written as text."""
    if node is None or not isinstance(node.value, str) or not node.value.isdecimal():
        return node
    return node.with_value(int(node.value))


def written_head(tree: Node) -> Field | None:
    return Field((), tree).get(_CLUSTER, _HEAD)


def written_workers(tree: Node) -> Iterator[Field]:
    return Field((), tree).each(_CLUSTER, _WORKERS)


def written_groups(tree: Node) -> Iterator[Field]:
    """The head if there is one, then the workers, in order."""
    head = written_head(tree)
    yield from (head,) if head else ()
    yield from written_workers(tree)
