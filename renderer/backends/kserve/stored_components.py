"""Components and runtimes as they are stored: what webhooks and the API server write."""

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import EXPLAINER, PREDICTOR, Component
from renderer.backends.kserve.model import ART, FRAMEWORKS, MODEL, is_custom
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.backends.registries import Registries, registries_of, relocated
from renderer.kubernetes.stored_pods import each, quantity, replace_at, stored_container, stored_pod
from renderer.values.model import Destination
from renderer.values.tree import Node, constant

_WORKER = "workerSpec"
_MOUNT = constant("/mnt/models", "the default of KServe's schema, which the API server would add")
_EMPTY = "KServe's webhook writes it, empty as it is"
_NO_NAME, _NO_RESOURCES = constant("", _EMPTY), constant({}, _EMPTY)
_METRIC_SOURCES, _METRIC_AMOUNTS = ("resource", "external", "podmetric"), ("value", "averageValue")
_CONTAINERS = ("containers", "initContainers")
_WEBHOOK = "what KServe's webhook would write"
_SERVING_NAME, _NO_AMOUNTS = constant(SERVING_CONTAINER, _WEBHOOK), constant({}, _WEBHOOK)
#: What the configuration that KServe ships gives to containers without cpu or memory.
_DEFAULT_AMOUNTS = {"cpu": constant("1", _WEBHOOK), "memory": constant("2Gi", _WEBHOOK)}
DEFAULT_ART_VERSION = constant("latest", _WEBHOOK)
_ART_DEFAULTS = {"type": constant("", _WEBHOOK), "runtimeVersion": DEFAULT_ART_VERSION}


def default_component(component: Component) -> Node:
    """The component as the webhook leaves it, if its containers are the user's own."""
    if component.kind == EXPLAINER and ART in component.node.items:
        return replace_at(component.node, (ART,), _default_art)
    if not is_custom(component):
        return component.node
    first, *rest = elements(component.node, "containers")
    is_named = component.kind == PREDICTOR and bool(rest) and bool(text(first, "name"))
    done = _add_amounts(first) if is_named else _name_serving(first)
    listing = component.node.items["containers"].with_members((done, *rest))
    return component.node.with_members({**component.node.items, "containers": listing})


def _default_art(explainer: Node) -> Node:
    return _name_serving(explainer.with_members({**_ART_DEFAULTS, **explainer.items}))


def _name_serving(container: Node) -> Node:
    """The webhook calls a container `kserve-container`, whatever its name was."""
    given = container.get("name")
    name = given if given is not None and given.value == SERVING_CONTAINER else _SERVING_NAME
    return _add_amounts(container.with_members({**container.items, "name": name}))


def _add_amounts(container: Node) -> Node:
    """A container with requests and limits of cpu and memory."""
    resources = container.get("resources") or _NO_AMOUNTS
    filled = dict(resources.items)
    for key in ("requests", "limits"):
        given = filled.get(key) or _NO_AMOUNTS
        filled[key] = given.with_members({**_DEFAULT_AMOUNTS, **given.items})
    whole = resources.with_members(filled)
    return container.with_members({**container.items, "resources": whole})


def stored_component(node: Node, registries: Registries) -> Node:
    """A component as the API server keeps it, with images that its destination can reach."""
    node = stored_pod(_add_empty_fields(node))
    for key in (MODEL, ART, *FRAMEWORKS):
        node = replace_at(node, (key,), stored_container)
    node = replace_at(node, (_WORKER,), stored_pod)
    node = each(node, ("storageUris",), _add_mount_path)
    node = each(node, ("autoScaling", "metrics"), _stored_metric)
    return _relocate_images(node, registries)


def stored_runtime(node: Node, destination: Destination | None) -> Node:
    """The same for the fields of a runtime."""
    done = replace_at(stored_pod(node), (_WORKER,), stored_pod)
    return _relocate_images(done, registries_of(destination))


def stored_pods(node: Node, destination: Destination | None) -> Node:
    """The same for a pod that KServe's webhook leaves alone."""
    return _relocate_images(stored_pod(node), registries_of(destination))


def _add_empty_fields(node: Node) -> Node:
    """The webhook writes fields that KServe's Go types always have, even empty (observed)."""
    for key in _CONTAINERS:
        node = each(each(node, (key,), add_resources), (_WORKER, key), add_resources)
    for key in (MODEL, *FRAMEWORKS):
        node = replace_at(node, (key,), _clear_name)
    return node


def add_resources(container: Node) -> Node:
    resources = container.get("resources") or _NO_RESOURCES
    return container.with_members({**container.items, "resources": resources})


def _clear_name(model: Node) -> Node:
    return add_resources(model.with_members({**model.items, "name": _NO_NAME}))


def _relocate_images(node: Node, registries: Registries) -> Node:
    """Images are taken from the registry that the destination names."""
    if not registries:
        return node

    def relocate(container: Node) -> Node:
        return _relocate_container(container, registries)

    for key in _CONTAINERS:
        node = each(each(node, (key,), relocate), (_WORKER, key), relocate)
    for key in (MODEL, ART, *FRAMEWORKS):
        node = replace_at(node, (key,), relocate)
    return node


def relocate_container(container: Node, destination: Destination | None) -> Node:
    """A container whose image is taken from the registry that the destination names."""
    return _relocate_container(container, registries_of(destination))


def _relocate_container(container: Node, registries: Registries) -> Node:
    return replace_at(container, ("image",), lambda image: relocated(image, registries))


def _add_mount_path(uri: Node) -> Node:
    return uri.with_members({**uri.items, "mountPath": uri.get("mountPath") or _MOUNT})


def _stored_metric(metric: Node) -> Node:
    for source in _METRIC_SOURCES:
        for amount in _METRIC_AMOUNTS:
            metric = replace_at(metric, (source, "target", amount), quantity)
    return metric
