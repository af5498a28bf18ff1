"""Kinds whose spec KServe stores as it is written: what their rules are given, what is rendered."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import ABSENT, elements, text, unless_empty
from renderer.backends.kserve.settings import PLATFORM, KServeSettings
from renderer.backends.kserve.stored_components import relocate_container
from renderer.backends.object_places import file_name, namespace, object_labels
from renderer.kubernetes.stored_pods import (
    quantity,
    replace_at,
    stored_amounts,
    stored_container,
    stored_resources,
)
from renderer.values.derivations import Applied
from renderer.values.model import Destination, Environment, Reference, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant

GRAPH, TRAINED_MODEL = "InferenceGraph", "TrainedModel"
STORAGE_CONTAINER, CACHE = "ClusterStorageContainer", "LocalModelCache"
NODE_GROUP = "LocalModelNodeGroup"
NAMESPACED = (GRAPH, TRAINED_MODEL)
KINDS = (*NAMESPACED, STORAGE_CONTAINER, CACHE, NODE_GROUP)
SERVICE = "InferenceService"
DISABLED = "disabled"
INIT_CONTAINER = "initContainer"
_SCHEMA = "the default of KServe's schema, which the API server would add"
_DEFAULTS = {
    "workloadType": constant(INIT_CONTAINER, _SCHEMA),
    "supportsMultiModelDownload": constant(value=False, reason=_SCHEMA),
}
#: Where amounts are, by kind: KServe writes them back in the form of Kubernetes.
_QUANTITIES = {
    TRAINED_MODEL: (("model", "memory"),),
    CACHE: (("modelSize",),),
    NODE_GROUP: (("storageLimit",),),
}
#: Fields of the object, in specs of all these kinds.
_OBJECT_FIELDS = frozenset(
    ("apiVersion", "kind", "name", "namespace", "destination", "labels", "annotations", "metadata")
)
_METADATA_KEPT = (("metadata", "name"), ("metadata", "namespace"))
#: What is written even if it is empty.
_KEPT = {TRAINED_MODEL: (("spec", "model", "framework"),)}


class ObjectView(NamedTuple):
    """What the rules of such a kind are given."""

    spec: Spec
    environment: Environment
    settings: KServeSettings
    users: tuple[Summary, ...] = ()

    @property
    def tree(self) -> Node:
        return self.spec.tree


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> ObjectView:
    return ObjectView(spec, environment, KServeSettings.of(environment), tuple(users))


def references(spec: Spec, environment: Environment) -> Iterator[Reference]:  # noqa: ARG001
    """The services of a graph, the server of a trained model, the nodes of a cache."""
    if spec.kind.name == CACHE:
        for index, item in enumerate(elements(spec.tree, "nodeGroups")):
            yield Reference(NODE_GROUP, str(item.value), ("nodeGroups", index), origin=item.origin)
        return
    for path, item in named_services(spec.kind.name, spec.tree):
        yield Reference(SERVICE, str(item.value), path, origin=item.origin)


def named_services(kind: str, tree: Node) -> Iterator[tuple[tuple[str | int, ...], Node]]:
    """Where a graph or a trained model names InferenceServices of its namespace."""
    if kind == TRAINED_MODEL:
        if name := tree.get("inferenceService"):
            yield ("inferenceService",), name
        return
    nodes = tree.get("nodes")
    for key, node in nodes.items.items() if nodes and kind == GRAPH else ():
        for index, step in enumerate(elements(node, "steps")):
            if name := step.get("serviceName"):
                yield ("nodes", key, "steps", index, "serviceName"), name


def plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The object: all fields but its own are its spec."""
    kind, tree = spec.kind.name, spec.tree
    about = (tree.get("metadata") or ABSENT) if kind == STORAGE_CONTAINER else tree
    beside = {DISABLED} if kind == STORAGE_CONTAINER else set()
    fields = {key: n for key, n in tree.items.items() if key not in _OBJECT_FIELDS | beside}
    values = {
        "name": spec.name_node,
        "labels": object_labels(about, {}),
        "annotations": unless_empty(about.get("annotations")),
        "spec": stored_spec(kind, tree.with_members(fields), scene.destination),
    }
    if kind in NAMESPACED:
        values["namespace"] = namespace(spec, scene)
    if kind == STORAGE_CONTAINER:
        values[DISABLED] = tree.get(DISABLED) or ABSENT
    schema, plural = f"manifests/kserve/{kind.lower()}.json", f"{kind.lower()}s"
    kept = (*_METADATA_KEPT, *_KEPT.get(kind, ()))
    template = f"kserve/{kind.lower()}.yaml.j2"
    yield Render(template, values, schema, plural, file_name(spec, scene), kept)


def stored_spec(kind: str, fields: Node, where: Destination | None) -> Node:
    """The fields of a spec in the form in which they are stored."""
    for path in _QUANTITIES.get(kind, ()):
        fields = replace_at(fields, path, quantity)
    if kind == GRAPH:
        return replace_at(fields, ("resources",), stored_resources)
    if kind == NODE_GROUP:
        fields = replace_at(fields, ("persistentVolumeSpec", "capacity"), stored_amounts)
        claim = ("persistentVolumeClaimSpec", "resources")
        return replace_at(fields, claim, stored_resources)
    if kind == STORAGE_CONTAINER:
        fields = fields.with_members({**_DEFAULTS, **fields.items})
        fields = replace_at(fields, ("container",), stored_container)
        return replace_at(fields, ("container",), lambda item: relocate_container(item, where))
    return fields


def is_provided(kind: str, name: str, environment: Environment) -> bool:
    """Whether an environment says that an object is there already."""
    return name in provided_names(kind, environment)


def provided_names(kind: str, environment: Environment) -> Iterator[str]:
    """The objects of a kind that are there already, as the environment says."""
    for item in elements(environment.tree, "references", "provided"):
        if text(item, "kind") == kind:
            yield text(item, "name")


def has_service(name: str, applied: Applied) -> bool:
    """Whether an InferenceService is applied beside an object, which calls it by its name alone."""
    specs = applied.environment.specs
    return any(
        spec.name == name and spec.kind.name == SERVICE and is_beside(spec, applied)
        for spec in specs
    )


def is_beside(spec: Spec, applied: Applied) -> bool:
    """Whether a spec goes to the namespace and cluster of what is applied."""
    named = text(spec.tree, "namespace")
    return any(
        item.cluster == applied.cluster and (named or item.namespace) == applied.namespace
        for item in applied.environment.destinations_by_fields(PLATFORM, spec.tree)
    )
