"""The pods that specs describe, as far as they reach Kubernetes."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import (
    AUTOSCALER,
    EXTERNAL,
    PREDICTOR,
    STOP,
    Component,
    merge_canary,
    replica_bounds,
)
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.inference_service import InferenceService, named_runtime
from renderer.backends.kserve.model import ART, MODEL, model_of
from renderer.backends.kserve.runtimes import SERVING_CONTAINER, Runtime
from renderer.backends.kserve.serving_runtime import RuntimeView
from renderer.backends.kserve.shipped_containers import shipped_container, shipped_runtime
from renderer.backends.kserve.stored_components import DEFAULT_ART_VERSION, default_component
from renderer.kubernetes.names import is_dns_label
from renderer.kubernetes.pod_rules.probes import HANDLERS
from renderer.kubernetes.pods import PROBES, Field, Pod, Replicas
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.diagnostics import FIRST_VERSION, Path
from renderer.values.tree import Node, drop_paths

#: Volumes that KServe adds for models, by their names.
_ADDED = frozenset(("kserve-provision-location", "kserve-pvc-source"))
#: Lists whose items have keys in the schemas of KServe; of variables of services KSV202 speaks.
_KEYED = frozenset(("ports", "resourceClaims", "resources.claims"))
#: Probes whose port KServe's schema leaves to Knative, which has it from the port of requests;
#: with tcpSocket only in the fields of a model.
_FILLED = ("livenessProbe", "readinessProbe")
_ASKED_BY_HTTP = ("httpGet",)
_SERVED_AT = 8080
_CONTAINERS = ("containers", "initContainers")
_AMOUNTS = ("requests", "limits")
#: Since when rules hold for these pods that were for others only, or had another code here.
_NEW = "0.2.0"
_POLICY = dict.fromkeys(("POL002", "POL004", "POL010", "POL012"), _NEW)
_SINCE = {**_POLICY, "MAN204": FIRST_VERSION}


def service_pods(service: InferenceService) -> Iterator[Pod]:
    """A pod for each component, canaries too, and one for workers on other nodes."""
    yield from component_pods(service)
    if service.canaries:
        tree = _with_whole_canaries(service)
        for canary in service.canaries:
            node = tree.get(*canary.path) or canary.node
            pod = _component_pod(canary._replace(node=node), service)
            yield pod._replace(tree=tree, since={"": _NEW})


def component_pods(service: InferenceService) -> Iterator[Pod]:
    """The same without canaries, whose fields stand in two places of the spec."""
    for component in service.components:
        if component.is_canary:
            continue
        pod = _component_pod(component, service)
        yield pod._replace(replicas=_replicas(component, service), since=_SINCE)
        if worker := component.node.get("workerSpec"):
            path = (*component.path, "workerSpec")
            worker_pod = Pod(Field(path, worker), volumes=_volumes_of_workers(service))
            yield worker_pod._replace(keyed_lists=_KEYED, bare_claims=True, since=_SINCE)


def _component_pod(component: Component, service: InferenceService) -> Pod:
    runtime = _runtime_of(component, service)
    begun = _fields_of(runtime, service) if runtime else None
    others = _others(component, service)
    node = _with_kinds_of_volumes(_as_named(default_component(component), component.node), begun)
    if service.mode == KNATIVE:
        node = _taken_by_knative(node, has_others=bool(others))
        others = tuple(map(_field_of_knative, others))
    given = _volumes(component, begun, is_merged=bool(others))
    are_known = not others and service.mode != KNATIVE  # else they are merged, or dropped
    ports = frozenset[str | int]() if are_known else None
    pod = Pod(Field(component.path, node), others=others, volumes=given, ports=ports)
    metadata = Field(component.path, component.node)
    pod = pod._replace(keyed_lists=_KEYED, bare_claims=True, metadata=metadata)
    return pod._replace(tags=tuple(_tags(others)))


def _tags(others: Iterable[Field]) -> Iterator[Field]:
    """What KServe puts behind the colon of an image, in the place of the tag there."""
    for container in others:
        version = container.get("runtimeVersion")
        if version and version.text:
            yield version
        elif container.name == ART and container.get("image") is None:
            yield Field((*container.path, "runtimeVersion"), DEFAULT_ART_VERSION)


def _replicas(component: Component, service: InferenceService) -> Replicas | None:
    """How many pods a component has; nothing where another program or its workers say it."""
    given = {key: text(service.tree, "annotations", key) for key in (AUTOSCALER, STOP)}
    is_ours = service.mode != MODEL_MESH and given[AUTOSCALER] != EXTERNAL
    if not is_ours or given[STOP].lower() == "true" or "workerSpec" in component.node.items:
        return None
    low, high = (component.number(key) for key in ("minReplicas", "maxReplicas"))
    least, _ = replica_bounds(low, high, service.mode, given[AUTOSCALER])
    return Replicas(f"the {component.unit}", least, (*component.path, "minReplicas"))


def _with_whole_canaries(service: InferenceService) -> Node:
    """The spec, each of its canaries with what it takes over from the predictor."""

    def whole(canary: Node) -> Node:
        return replace_at(
            canary, (PREDICTOR,), lambda own: merge_canary(service.predictor.node, own)
        )

    return each(service.tree, ("canary",), whole)


def runtime_pods(runtime: RuntimeView) -> Iterator[Pod]:
    """The pods that a runtime begins with."""
    tree = runtime.spec.tree
    for path in ((), ("workerSpec",)):
        if pod := tree.get(*path):
            found = Pod(Field(path, _whole_probes(pod)), volumes=_volumes_of_users(runtime, *path))
            keyed = _KEYED | {"env"}
            found = found._replace(keyed_lists=keyed, bare_claims=True, since=_POLICY)
            yield found._replace(metadata=Field(path, pod))


def _volumes_of_users(runtime: RuntimeView, *path: str) -> frozenset[str] | None:
    """The volumes that the services of a runtime add; nothing where nobody is known to use it."""
    name = runtime.spec.name
    services = [user.fields for user in runtime.users if name in (i.name for i in user.references)]
    given = (_names(fields, PREDICTOR, *path, "volumes") for fields in services)
    return _ADDED.union(*given) if services else None


def _runtime_of(component: Component, service: InferenceService) -> Runtime | None:
    """The runtime that a component's pod begins with: a canary may name another one."""
    if component.kind != PREDICTOR:
        return None
    name = text(component.node, MODEL, "runtime") if component.is_canary else ""
    return named_runtime(name, service.runtimes()) if name else service.runtime


def _fields_of(runtime: Runtime, service: InferenceService) -> Node | None:
    """What a runtime says of pods, if it is known."""
    own = runtime.spec
    return own.tree if own else shipped_runtime(runtime.name, service.settings.dialect)


def _volumes(component: Component, begun: Node | None, *, is_merged: bool) -> frozenset[str] | None:
    """The volumes that a component's pod gets from elsewhere, if they are known."""
    is_begun = component.kind == PREDICTOR and is_merged
    if "storageUris" in component.node.items or (is_begun and begun is None):
        return None
    return _ADDED | _names(begun, "volumes")


def _volumes_of_workers(service: InferenceService) -> frozenset[str] | None:
    """The volumes that workers get from the runtime; those of a shipped one are not known."""
    own = service.runtime.spec if service.runtime else None
    return _ADDED | _names(own.tree, "workerSpec", "volumes") if own else None


def _names(node: Node | None, *path: str) -> frozenset[str]:
    return frozenset(text(item, "name") for item in elements(node, *path))


def _with_kinds_of_volumes(pod: Node, begun: Node | None) -> Node:
    """A pod whose volumes are also what those of a runtime with the same names are."""
    below = {text(item, "name"): item for item in elements(begun, "volumes")}

    def whole(volume: Node) -> Node:
        lower = below.get(text(volume, "name"))
        return volume.with_members({**lower.items, **volume.items}) if lower else volume

    return each(pod, ("volumes",), whole) if below else pod


def _as_named(pod: Node, written: Node) -> Node:
    """A pod whose first container has the name that was written, if that can be no name.

    KServe would replace it without a word, and whoever wrote it means something by it.
    """
    first = next(iter(elements(written, "containers")), None)
    name = first.get("name") if first else None
    if name is None or is_dns_label(str(name.value)):
        return pod
    done, *rest = elements(pod, "containers")
    named = done.with_members({**done.items, "name": name})
    listing = pod.items["containers"].with_members((named, *rest))
    return pod.with_members({**pod.items, "containers": listing})


def _taken_by_knative(pod: Node, *, has_others: bool) -> Node:
    """A pod without what Knative drops or replaces, and rules of Knative speak of."""
    is_alone = not has_others and len(elements(pod, "containers")) == 1

    def taken(container: Node) -> Node:
        serves = is_alone or "ports" in container.items
        return _container_of_knative(container, _ASKED_BY_HTTP if serves else ())

    pod = each(pod, ("containers",), taken)
    pod = each(pod, ("initContainers",), _container_of_knative)
    return drop_paths(pod, frozenset([("restartPolicy",)]))


def _container_of_knative(container: Node, asked: Iterable[str] = ()) -> Node:
    """A container whose probes ask at the port that Knative fills in for some handlers."""
    kept = _with_whole_probes(drop_paths(container, frozenset([("ports",)])))
    probes = {key: _with_ports(kept.items[key], asked) for key in _FILLED if key in kept.items}
    return kept.with_members({**kept.items, **probes})


def _with_ports(probe: Node, asked: Iterable[str]) -> Node:
    handlers = {key: node for key, node in probe.items.items() if key in asked}
    filled = {
        key: node.with_members({"port": node.with_value(_SERVED_AT), **node.items})
        for key, node in handlers.items()
    }
    return probe.with_members({**probe.items, **filled})


def _field_of_knative(container: Field) -> Field:
    taken = _container_of_knative(container.node, (*_ASKED_BY_HTTP, "tcpSocket"))
    return container._replace(node=taken)


def _whole_probes(pod: Node) -> Node:
    """A pod without probes that a service may say the rest of."""
    for key in _CONTAINERS:
        pod = each(pod, (key,), _with_whole_probes)
    return pod


def _with_whole_probes(container: Node) -> Node:
    """A container without probes that do not say what to ask."""
    kept = {
        key: node for key, node in container.items.items() if not _is_part_of_a_probe(key, node)
    }
    return container.with_members(kept)


def _others(component: Component, service: InferenceService) -> tuple[Field, ...]:
    """The container of the model, or that of an explainer, which have fields of their own."""
    art = component.node.get(ART)
    if art is not None:
        return (Field((*component.path, ART), art),)
    model = model_of(component.node) if component.kind == PREDICTOR else None
    if model is None or service.model is None:
        return ()
    runtime = _runtime_of(component, service)
    begun = container_of(runtime, service) if runtime else None
    return (Field((*component.path, model.path[-1]), _merged(model.node, begun)),)


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
    given = [key for key in PROBES if key in model.items]
    probes = {key: node for key in given if (node := _joined(runtime or model, model, (key,)))}
    whole = {**model.items, **probes}
    kept = _with_whole_probes(model.with_members(whole)).items
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
    return key in PROBES and not any(name in node.items for name in HANDLERS)
