"""What KServe's webhook writes into containers of the user's own: a name, and amounts."""

from renderer.backends.fields import elements, text
from renderer.backends.kserve.inference_service import EXPLAINER, PREDICTOR, Component
from renderer.backends.kserve.model import models_of
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.stored_pods import replace_at
from renderer.values.tree import Node, constant

_WEBHOOK = "what KServe's webhook would write"
_NAME = constant(SERVING_CONTAINER, _WEBHOOK)
#: What the configuration that KServe ships gives containers that do not say it.
_AMOUNTS = {"cpu": constant("1", _WEBHOOK), "memory": constant("2Gi", _WEBHOOK)}
_EMPTY = constant({}, _WEBHOOK)
DEFAULT_ART_VERSION = constant("latest", _WEBHOOK)
_ART = {"type": constant("", _WEBHOOK), "runtimeVersion": DEFAULT_ART_VERSION}


def is_custom(component: Component) -> bool:
    """Whether its containers are all there is to run."""
    node = component.node
    if component.kind == EXPLAINER and "art" in node.items:
        return False
    return bool(component.containers) and not models_of(node)


def defaulted(component: Component) -> Node:
    """The component as the webhook leaves it behind, if its containers are the user's own."""
    if component.kind == EXPLAINER and "art" in component.node.items:
        return replace_at(component.node, ("art",), _art)
    if not is_custom(component):
        return component.node
    first, *rest = elements(component.node, "containers")
    is_named = component.kind == PREDICTOR and bool(rest) and bool(text(first, "name"))
    done = _with_amounts(first) if is_named else _serving(first)
    listing = component.node.items["containers"].with_members((done, *rest))
    return component.node.with_members({**component.node.items, "containers": listing})


def _art(explainer: Node) -> Node:
    return _serving(explainer.with_members({**_ART, **explainer.items}))


def _serving(container: Node) -> Node:
    """A container with the name that KServe knows it by."""
    given = container.get("name")
    is_right = given is not None and given.value == SERVING_CONTAINER
    name = given if given is not None and is_right else _NAME
    return _with_amounts(container.with_members({**container.items, "name": name}))


def _with_amounts(container: Node) -> Node:
    """A container with requests and limits of cpu and memory."""
    resources = container.get("resources") or _EMPTY
    filled = dict(resources.items)
    for key in ("requests", "limits"):
        given = filled.get(key) or _EMPTY
        filled[key] = given.with_members({**_AMOUNTS, **given.items})
    whole = resources.with_members(filled)
    return container.with_members({**container.items, "resources": whole})
