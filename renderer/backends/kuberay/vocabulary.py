"""The two ways to write a spec: as a message of the API server, or as the custom resource."""

from collections.abc import Iterator
from functools import cache

from renderer.backends.api_messages import MessageShape
from renderer.schema.bundle import Schema
from renderer.values.diagnostics import Origin
from renderer.values.model import PlacelessSpec
from renderer.values.tree import Node

CLUSTER, JOB, SERVICE = "RayCluster", "RayJob", "RayService"
TEMPLATE = "ComputeTemplate"
#: The message that describes a cluster; a spec with this field is a message.
MESSAGE = "clusterSpec"
#: Where each kind of custom resource has its cluster; nowhere in particular if it is one.
CLUSTER_FIELD = {CLUSTER: (), JOB: ("rayClusterSpec",), SERVICE: ("rayClusterConfig",)}
#: Where a job names the cluster that it uses; the other keys of a selector are ignored.
SELECTED = ("clusterSelector", "ray.io/cluster")
MESSAGE_SCHEMA = "shared/ray-message.json"
#: Fields that specs have in either form, and that are not fields of the custom resource.
_HEADER = frozenset((
    "apiVersion", "kind", "name", "namespace", "destination", "labels", "annotations",
    "name_suffix", "prune",
))  # fmt: skip


def message_shape(kind: str) -> MessageShape:
    """The message of a kind; what it shares with the custom resource is described there."""
    if kind == TEMPLATE:
        return MessageShape.of("spec/computetemplate.json")
    return MessageShape.of(MESSAGE_SCHEMA, kind.replace("Ray", "RayMessage"))


@cache
def answer_fields() -> frozenset[str]:
    """What the API server writes into its answers, and does not read."""
    return frozenset(key for key, part in _message_fields() if part.get("readOnly"))


@cache
def _message_only_fields() -> frozenset[str]:
    """The fields that only messages have."""
    return frozenset(key for key, _ in _message_fields()) - answer_fields()


def _message_fields() -> Iterator[tuple[str, Schema]]:
    for kind in (CLUSTER, JOB, SERVICE):
        yield from message_shape(kind).part["properties"].items()


@cache
def shared_fields(kind: str) -> tuple[str, ...]:
    """The fields of a message that are called the same in the custom resource, in its order."""
    others = _HEADER | _message_only_fields()
    return tuple(key for key in message_shape(kind).fields if key not in others)


def is_written_as_message(tree: Node, kind: str) -> bool:
    """Whether a spec is a message; one with fields of neither form is a custom resource."""
    if MESSAGE in tree.items:
        return True
    return not resource_only_fields(tree, kind) and not _message_only_fields().isdisjoint(
        tree.items
    )


def resource_fields(tree: Node) -> dict[str, Node]:
    """The fields of a spec that are those of a custom resource's spec."""
    others = _foreign_fields()
    return {key: node for key, node in tree.items.items() if key not in others}


@cache
def _foreign_fields() -> frozenset[str]:
    """What is no field of a custom resource."""
    return _HEADER | _message_only_fields() | answer_fields()


def mixed_fields(spec: PlacelessSpec) -> tuple[str, str, Origin] | None:
    """Two fields of different forms in one spec, the later one second, and its place."""
    tree, kind = spec.tree, spec.kind.name
    layers = {file: number for number, file in enumerate(reversed(spec.files))}
    message_fields = [(word, True) for word in _message_only_fields() if word in tree.items]
    resource_fields_only = [(word, False) for word in resource_only_fields(tree, kind)]

    def place(word: tuple[str, bool]) -> tuple[int, int, int]:
        origin = tree.locate((word[0],), at_key=True)
        return layers.get(origin.file, 0), origin.line, origin.column

    written = sorted((*message_fields, *resource_fields_only), key=place)
    later = next((word for word, way in written if way is not written[0][1]), "") if written else ""
    return (written[0][0], later, tree.locate((later,), at_key=True)) if later else None


def resource_only_fields(tree: Node, kind: str) -> list[str]:
    """The fields of a spec that only a custom resource has."""
    return [word for word in resource_fields(tree) if word not in shared_fields(kind)]


def is_placeholder(value: object) -> bool:
    """Whether a text is what the API server's documentation has instead of values."""
    return value == "string"
