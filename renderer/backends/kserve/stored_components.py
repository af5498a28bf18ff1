"""Components and runtimes as they are stored: canonical amounts, defaults, and images."""

from renderer.backends.kserve.model import FRAMEWORKS, MODEL
from renderer.backends.registries import registries_of, relocated
from renderer.kubernetes.stored_pods import each, quantity, replace_at, stored_container, stored_pod
from renderer.values.model import Destination
from renderer.values.tree import Node, constant

ART = "art"
WORKER = "workerSpec"
_MOUNT = constant("/mnt/models", "the default of KServe's schema, which the API server would add")
_EMPTY = "KServe's webhook writes it, empty as it is"
_NO_NAME = constant("", _EMPTY)
_NO_RESOURCES = constant({}, _EMPTY)
_SOURCES = ("resource", "external", "podmetric")
_AMOUNTS = ("value", "averageValue")
_CONTAINERS = ("containers", "initContainers")


def stored_component(node: Node, destination: Destination | None) -> Node:
    """A component as the API server keeps it, with images that its destination can reach."""
    node = _written_by_the_webhook(node)
    node = stored_pod(node)
    for key in (MODEL, ART, *FRAMEWORKS):
        node = replace_at(node, (key,), stored_container)
    node = replace_at(node, (WORKER,), stored_pod)
    node = each(node, ("storageUris",), _with_place)
    node = each(node, ("autoScaling", "metrics"), _stored_metric)
    return with_images(node, destination)


def _written_by_the_webhook(node: Node) -> Node:
    """With the fields that KServe's types have even where they are empty (observed)."""
    for key in _CONTAINERS:
        node = each(each(node, (key,), _with_resources), (WORKER, key), _with_resources)
    for key in (MODEL, *FRAMEWORKS):
        node = replace_at(node, (key,), _unnamed)
    return node


def _with_resources(container: Node) -> Node:
    resources = container.get("resources") or _NO_RESOURCES
    return container.with_members({**container.items, "resources": resources})


def _unnamed(model: Node) -> Node:
    return _with_resources(model.with_members({**model.items, "name": _NO_NAME}))


def stored_runtime(node: Node, destination: Destination | None) -> Node:
    """The same for the fields of a runtime."""
    return with_images(replace_at(stored_pod(node), (WORKER,), stored_pod), destination)


def with_images(node: Node, destination: Destination | None) -> Node:
    """With images taken from the registry that the destination names."""
    registries = registries_of(destination)
    if not registries:
        return node

    def moved(container: Node) -> Node:
        return replace_at(container, ("image",), lambda image: relocated(image, registries))

    for key in _CONTAINERS:
        node = each(each(node, (key,), moved), (WORKER, key), moved)
    for key in (MODEL, ART, *FRAMEWORKS):
        node = replace_at(node, (key,), moved)
    return node


def _with_place(uri: Node) -> Node:
    return uri.with_members({**uri.items, "mountPath": uri.get("mountPath") or _MOUNT})


def _stored_metric(metric: Node) -> Node:
    for source in _SOURCES:
        for amount in _AMOUNTS:
            metric = replace_at(metric, (source, "target", amount), quantity)
    return metric
