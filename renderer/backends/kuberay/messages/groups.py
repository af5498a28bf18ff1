"""The groups of a message as they are written, for what is to be said of them."""

from collections.abc import Iterator

from renderer.kubernetes.pods import Field
from renderer.values.tree import Node

_CLUSTER, _HEAD, _WORKERS = "clusterSpec", "headGroupSpec", "workerGroupSpec"


def written_head(tree: Node) -> Field | None:
    return Field((), tree).get(_CLUSTER, _HEAD)


def written_workers(tree: Node) -> Iterator[Field]:
    return Field((), tree).each(_CLUSTER, _WORKERS)


def written_groups(tree: Node) -> Iterator[Field]:
    """The head if there is one, then the workers, in order."""
    head = written_head(tree)
    yield from (head,) if head else ()
    yield from written_workers(tree)
