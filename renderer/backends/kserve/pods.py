"""The pods that specs describe, as far as they reach Kubernetes."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.custom_containers import defaulted
from renderer.backends.kserve.inference_service import Component, InferenceService
from renderer.backends.kserve.runtime_view import RuntimeView
from renderer.backends.kserve.runtimes import SERVING_CONTAINER, Runtime
from renderer.backends.kserve.shipped_containers import shipped_container
from renderer.kubernetes.pods import PROBES, Field, Pod
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

_HANDLERS = ("httpGet", "tcpSocket", "exec", "grpc")
_AMOUNTS = ("requests", "limits")


def service_pods(service: InferenceService) -> Iterator[Pod]:
    """A pod for each component, and one for workers on other nodes."""
    for component in service.components:
        if component.is_canary:
            continue  # it says only what differs from the predictor
        yield Pod(Field(component.path, defaulted(component)), others=_others(component, service))
        if worker := component.node.get("workerSpec"):
            yield Pod(Field((*component.path, "workerSpec"), worker))


def runtime_pods(runtime: RuntimeView) -> Iterator[Pod]:
    """The pods that a runtime begins with."""
    tree = runtime.spec.tree
    yield Pod(Field((), tree))
    if worker := tree.get("workerSpec"):
        yield Pod(Field(("workerSpec",), worker))


def _others(component: Component, service: InferenceService) -> tuple[Field, ...]:
    """The container of the model, or that of an explainer, which have fields of their own."""
    art = component.node.get("art")
    if art is not None:
        return (Field((*component.path, "art"), art),)
    model = service.model
    if model is None or component is not service.predictor:
        return ()
    begun = container_of(service.runtime, service) if service.runtime else None
    return (Field(model.path, _merged(model.node, begun)),)


def container_of(runtime: Runtime, service: InferenceService) -> Node | None:
    """The container of a runtime that serves models, if it is known."""
    if runtime.spec is None:
        return shipped_container(runtime.name, service.settings.dialect)
    listing = elements(runtime.spec.tree, "containers")
    return next((item for item in listing if text(item, "name") == SERVING_CONTAINER), None)


def _merged(model: Node, runtime: Node | None) -> Node:
    """What is said of a model's container, with the amounts that its runtime gives.

    A probe without a handler changes the numbers of one that the runtime has.
    """
    kept = {key: node for key, node in model.items.items() if not _is_part_of_a_probe(key, node)}
    begun = runtime.get("resources") if runtime else None
    if begun is None:
        return model.with_members(kept)
    resources = kept.get("resources") or begun
    amounts = {key: _joined(begun, resources, (key,)) for key in _AMOUNTS}
    filled = {**resources.items, **{key: node for key, node in amounts.items() if node}}
    return model.with_members({**kept, "resources": resources.with_members(filled)})


def _joined(first: Node, second: Node, path: Path) -> Node | None:
    """The members of both; what the second says counts."""
    one, other = first.get(*path), second.get(*path)
    if one is None or other is None:
        return other or one
    return other.with_members({**one.items, **other.items})


def _is_part_of_a_probe(key: str, node: Node) -> bool:
    return key in PROBES and not any(name in node.items for name in _HANDLERS)
