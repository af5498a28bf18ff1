"""The pods that become Knative Services: what a service says of them, and what its runtime does."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.merged_container import RUNTIME_FIELDS
from renderer.backends.kserve.model import find_models
from renderer.backends.kserve.pods import runtime_fields
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.pods import Field
from renderer.text.wording import path_text
from renderer.values.diagnostics import Finding
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_NEW = "0.2.0"
_CONTAINERS, _ANNOTATIONS = "containers", "annotations"


class KnativePod(NamedTuple):
    """Fields of a pod that Knative is given, and their containers.

    `place` is where a service names its runtime, if these are the runtime's fields. There are
    `others` if the pod has containers besides these.
    """

    pod: Field
    containers: tuple[Field, ...]
    place: Field | None = None
    others: bool = False

    def report(self, item: Field, found: Finding) -> Finding:
        """What is found, where the service says it; what is its runtime's, where that is named."""
        if self.place is None:
            return found
        message = f"the runtime has {path_text(item.path)}: {found.message}"
        return self.place.wrong_key(message, found.fix)._replace(since=_NEW)

    def is_sidecar(self, container: Field) -> bool:
        """Whether Knative takes a container for one that serves no requests."""
        is_alone = len(self.containers) == 1 and not self.others
        return not is_alone and not elements(container.node, "ports")


def knative_components(service: PlacelessService) -> Iterator[Component]:
    """What becomes a Knative Service; canaries do not."""
    if service.mode == KNATIVE:
        yield from service.stable_components


def serving_containers(component: Component) -> Iterator[Field]:
    """What runs in a component, as its fields stand in the spec."""
    field = component.field
    yield from field.each(_CONTAINERS)
    keys = [str(model.path[-1]) for model in find_models(component.node)[:1]]
    yield from field.present([*keys, "art"])


def knative_pods(service: PlacelessService) -> Iterator[KnativePod]:
    """The fields of each component, then those of the runtime that the service does not replace."""
    below = _runtime_pod(service)
    for component in knative_components(service):
        has_others = component is service.predictor and len(elements(below, _CONTAINERS)) > 1
        containers = tuple(serving_containers(component))
        yield KnativePod(component.field, containers, others=has_others)
    place = runtime_place(service)
    if below and place and service.mode == KNATIVE:
        field = Field((), _unreplaced_fields(below, service))
        has_others = len(tuple(serving_containers(service.predictor))) > 1
        yield KnativePod(field, tuple(field.each(_CONTAINERS)), place, has_others)


def runtime_place(service: PlacelessService) -> Field | None:
    """Where a service says which runtime it has: its name, else the model."""
    model = service.model.field if service.model else None
    return (model.get("runtime") or model) if model else None


def _runtime_pod(service: PlacelessService) -> Node | None:
    """The pod of the runtime that the predictor adds to, if it is known."""
    if service.model is None or service.runtime is None:
        return None
    return runtime_fields(service.runtime, service)


def _unreplaced_fields(pod: Node, service: PlacelessService) -> Node:
    """What reaches pods of a runtime and is not replaced by what the service says."""
    own = service.predictor.node
    kept = {
        key: pod.items[key]
        for key in RUNTIME_FIELDS
        if key in pod.items and not ((node := own.get(key)) and node.value)
    }
    known = {text(item, "name") for item in elements(own, "volumes")}
    volumes = tuple(item for item in elements(pod, "volumes") if text(item, "name") not in known)
    containers = tuple(_unreplaced_container(item, service) for item in elements(pod, _CONTAINERS))
    lists = {"volumes": volumes, _CONTAINERS: containers}
    kept |= {key: pod.with_value(item) for key, item in lists.items()}
    if annotations := pod.get(_ANNOTATIONS):
        upper = {**_items(service.tree, _ANNOTATIONS), **_items(own, _ANNOTATIONS)}
        rest = {key: node for key, node in annotations.items.items() if key not in upper}
        kept[_ANNOTATIONS] = annotations.with_members(rest)
    return pod.with_members(kept)


def _items(node: Node, key: str) -> dict[str, Node]:
    found = node.get(key)
    return found.items if found else {}


def _unreplaced_container(container: Node, service: PlacelessService) -> Node:
    model = service.model.node if service.model else None
    if model is None or text(container, "name") != SERVING_CONTAINER:
        return container
    kept = dict(container.items)
    names = {text(item, "name") for item in elements(model, "env")}
    if "env" in kept:
        env = (item for item in elements(container, "env") if text(item, "name") not in names)
        kept["env"] = kept["env"].with_members(tuple(env))
    for key in ("readinessProbe", "livenessProbe", "startupProbe"):
        if key in model.items:
            kept.pop(key, None)
    if (security := kept.get("securityContext")) and (given := model.get("securityContext")):
        rest = {key: node for key, node in security.items.items() if key not in given.items}
        kept["securityContext"] = security.with_members(rest)
    return container.with_members(kept)
