"""A companion: what its rules are given, what is rendered, and which objects are there by it."""

from collections.abc import Iterator, Sequence

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.settings import CompanionSettings
from renderer.backends.fields import ABSENT, text
from renderer.backends.object_places import object_labels
from renderer.values.kinds import NAMING, STEERING
from renderer.values.model import Environment, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant

#: The value of `$naming` by which an edit gives an object another name.
HASHED = "hashed"
#: The kind whose objects may be named so.
NAMED_BY_CONTENT = "ConfigMap"
_TEMPLATE = "companions/object.yaml.j2"
_SCHEMA = "manifests/companions/object.json"
_HEAD = ("apiVersion", "kind", "metadata")
_METADATA = ("name", "namespace", "labels", "annotations")
_KEPT = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))


class CompanionView(NamedTuple):
    """What the rules of companions are given."""

    spec: Spec
    environment: Environment
    settings: CompanionSettings
    users: tuple[Summary, ...] = ()


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> CompanionView:
    return CompanionView(spec, environment, CompanionSettings.of(environment), tuple(users))


def plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The object: all that its file says, but for what steers it."""
    tree = spec.tree
    fields = [(k, v) for k, v in tree.items.items() if k not in (*_HEAD, *STEERING)]
    namespace = _namespace(spec, scene)
    values = {
        "version": tree.get("apiVersion") or ABSENT,
        "kind": tree.get("kind") or ABSENT,
        "metadata": _metadata(spec, scene, namespace),
        "fields": Node(tuple(_field(key, node, tree) for key, node in fields), tree.origin),
    }
    row = row_of(spec.kind.name)
    folder = f"{row.kind}.{row.group}".rstrip(".").lower()
    yield Render(
        _TEMPLATE,
        values,
        _SCHEMA,
        folder,
        _file_name(spec, scene, namespace),
        _KEPT,
        is_kept=CompanionSettings.of(scene.environment).keeps(spec.kind),
        has_generations=names_by_content(spec, scene.environment),
    )


def names_by_content(spec: Spec, environment: Environment) -> bool:  # noqa: ARG001
    """Whether the name ends in a digest of what the object holds."""
    return text(spec.tree, NAMING) == HASHED


def _field(key: str, node: Node, tree: Node) -> Node:
    return Node({"name": Node(key, node.key or tree.origin), "value": node}, node.origin)


def _metadata(spec: Spec, scene: Scene, namespace: Node) -> Node:
    """Name, namespace, labels and annotations first, then what else there is."""
    given = spec.tree.get("metadata") or constant({}, "not given")
    name = spec.name_node.with_value(scene.name_of(spec.kind.name, spec.name))
    annotations = given.get("annotations")
    members = {
        "name": name,
        "namespace": namespace,
        "labels": object_labels(given, {}),
        "annotations": annotations if annotations and annotations.value else ABSENT,
        **{key: node for key, node in given.items.items() if key not in _METADATA},
    }
    return given.with_value({k: node for k, node in members.items() if node.value is not None})


def _namespace(spec: Spec, scene: Scene) -> Node:
    """The spec's own, else that of its users there, else that of the destination."""
    if spec.kind.cluster_wide:
        return ABSENT
    there = scene.destination.tree.get("namespace") if scene.destination else None
    if scene.namespace and (there is None or there.value != scene.namespace):
        there = constant(scene.namespace, "what refers to it is in this namespace")
    return spec.tree.get("metadata", "namespace") or there or ABSENT


def _file_name(spec: Spec, scene: Scene, namespace: Node) -> str:
    """The name of the object, with its namespace where that is not the destination's.

    A name with a dot always has it: else `a.b` would be the file of `a` in namespace `b`.
    """
    name = scene.name_of(spec.kind.name, spec.name)
    usual = scene.destination.namespace if scene.destination else ""
    is_usual = namespace.value is None or (namespace.value == usual and "." not in name)
    return name if is_usual else f"{name}.{namespace.value}"
