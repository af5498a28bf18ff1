"""The pods that specs describe, as far as they reach Kubernetes."""

from collections.abc import Container, Iterable, Iterator

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
from renderer.backends.kserve.inference_service import InferenceService, PlacelessService
from renderer.backends.kserve.knative_fields import DROPPED_FIELDS, DROPPED_IN_CONTAINERS
from renderer.backends.kserve.model import ART, FRAMEWORKS, MODEL, find_model
from renderer.backends.kserve.runtimes import Runtime
from renderer.backends.kserve.selection import named_runtime
from renderer.backends.kserve.serving_runtime import RuntimeView
from renderer.backends.kserve.shipped_containers import runtime_container, shipped_runtime
from renderer.backends.kserve.stored_components import DEFAULT_ART_VERSION, default_component
from renderer.kubernetes.names import is_dns_label
from renderer.kubernetes.pod_rules.probes import drop_partial_probes
from renderer.kubernetes.pods import PROBES, Field, Pod, Replicas
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.diagnostics import FIRST_VERSION
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node, drop_paths

#: Volumes that KServe adds for models, by their names.
_KSERVE_VOLUMES = frozenset(("kserve-provision-location", "kserve-pvc-source"))
#: Lists whose items have keys in KServe's schemas. KSV202 checks the variables of services.
_KEYED = frozenset(("ports", "resourceClaims", "resources.claims"))
#: KServe's schema does not ask for the port of these probes: Knative fills in that of requests. In
#: the fields of a model that holds for tcpSocket as well.
_PROBES_WITHOUT_PORT = ("livenessProbe", "readinessProbe")
_HTTP_HANDLERS, _HTTP_PORT = ("httpGet",), 8080
_CONTAINERS = ("containers", "initContainers")
_AMOUNTS = ("requests", "limits")
#: What a predictor and its model have besides the fields of pods and containers.
_MODELS = frozenset((MODEL, *FRAMEWORKS))
_OF_MODELS = frozenset(("modelFormat", "protocolVersion", "runtime", "storage", "storageUri"))
_METADATA = frozenset(("labels", "annotations"))
_DROPPED = [("ports",), *DROPPED_IN_CONTAINERS]
#: Since when rules hold for these pods that were for others only, or had another code here.
_NEW = "0.2.0"
_POLICY = dict.fromkeys(("POL002", "POL004", "POL010", "POL012"), _NEW)
_SINCE = {**_POLICY, "MAN204": FIRST_VERSION}


def service_pods(service: InferenceService) -> Iterator[Pod]:
    """A pod for each component, canaries too, and one for workers on other nodes."""
    yield from component_pods(service)
    if service.canaries:
        tree = _merge_canaries(service)
        for canary in service.canaries:
            node = tree.get(*canary.path) or canary.node
            pod = _component_pod(canary._replace(node=node), service)
            yield pod._replace(tree=tree, since={"": _NEW})


@cached_by_identity
def component_pods(service: InferenceService) -> tuple[Pod, ...]:
    """The same without canaries, whose fields stand in two places of the spec."""
    return tuple(_stable_pods(service))


def _stable_pods(service: InferenceService) -> Iterator[Pod]:
    for component in service.stable_components:
        pod = _component_pod(component, service)
        yield pod._replace(replicas=_replicas(component, service), since=_SINCE)
        if worker := component.node.get("workerSpec"):
            path = (*component.path, "workerSpec")
            worker_pod = Pod(Field(path, worker), volumes=_worker_volumes(service))
            yield worker_pod._replace(keyed_lists=_KEYED, bare_claims=True, since=_SINCE)


def _component_pod(component: Component, service: InferenceService) -> Pod:
    runtime = _component_runtime(component, service)
    runtime_pod = runtime_fields(runtime, service) if runtime else None
    others = _model_containers(component, service)
    node = _keep_invalid_name(default_component(component), component.node)
    node = _merge_volumes(node, runtime_pod)
    if service.mode == KNATIVE:
        node = _knative_pod(node, has_others=bool(others))
        others = tuple(map(_knative_model, others))
    # Ports are merged with those of the runtime, and Knative drops what is wrong in them.
    has_known_ports = not others and service.mode != KNATIVE
    return Pod(
        Field(component.path, _without(node, _MODELS) if others else node),
        others=others,
        volumes=_known_volumes(component, runtime_pod, is_merged=bool(others)),
        ports=frozenset() if has_known_ports else None,
        keyed_lists=_KEYED,
        bare_claims=True,
        metadata=Field(component.path, _only(component.node, _METADATA)),
        tags=tuple(_tags(others)),
    )


def _without(node: Node, keys: Container[str]) -> Node:
    return node.with_members({key: one for key, one in node.items.items() if key not in keys})


def _only(node: Node, keys: Container[str]) -> Node:
    return node.with_members({key: one for key, one in node.items.items() if key in keys})


def _tags(others: Iterable[Field]) -> Iterator[Field]:
    """Tags of images that KServe replaces by the `runtimeVersion`."""
    for container in others:
        version = container.get("runtimeVersion")
        if version and version.text:
            yield version
        elif container.name == ART and container.get("image") is None:
            yield Field((*container.path, "runtimeVersion"), DEFAULT_ART_VERSION)


def _replicas(component: Component, service: PlacelessService) -> Replicas | None:
    """How many pods a component has; nothing where another program or its workers decide it."""
    given = {key: text(service.tree, "annotations", key) for key in (AUTOSCALER, STOP)}
    is_ours = service.mode != MODEL_MESH and given[AUTOSCALER] != EXTERNAL
    if not is_ours or given[STOP].lower() == "true" or component.has("workerSpec"):
        return None
    low, high = (component.number(key) for key in ("minReplicas", "maxReplicas"))
    least, _ = replica_bounds(low, high, service.mode, given[AUTOSCALER])
    return Replicas(f"the {component.unit}", least, (*component.path, "minReplicas"))


def _merge_canaries(service: PlacelessService) -> Node:
    """The spec, each of its canaries with what it inherits from the predictor."""
    stable = service.predictor.node

    def merge(canary: Node) -> Node:
        return replace_at(canary, (PREDICTOR,), lambda own: merge_canary(stable, own))

    return each(service.tree, ("canary",), merge)


def runtime_pods(runtime: RuntimeView) -> Iterator[Pod]:
    """The pods of a runtime and of its workers, which services add to."""
    tree = runtime.spec.tree
    for path in ((), ("workerSpec",)):
        if pod := tree.get(*path):
            for key in _CONTAINERS:
                pod = each(pod, (key,), drop_partial_probes)
            yield Pod(
                Field(path, pod),
                volumes=_user_volumes(runtime, *path),
                keyed_lists=_KEYED | {"env"},
                bare_claims=True,
                since=_POLICY,
                metadata=Field(path, pod),
            )


def _user_volumes(runtime: RuntimeView, *path: str) -> frozenset[str] | None:
    """The volumes that the services of a runtime add; nothing if no service is known to use it."""
    name = runtime.spec.name
    services = [user.fields for user in runtime.users if name in (i.name for i in user.references)]
    given = (_names(fields, PREDICTOR, *path, "volumes") for fields in services)
    return _KSERVE_VOLUMES.union(*given) if services else None


def _component_runtime(component: Component, service: InferenceService) -> Runtime | None:
    """The runtime whose pod a component adds to: a canary may name another one."""
    if component.kind != PREDICTOR:
        return None
    name = text(component.node, MODEL, "runtime") if component.is_canary else ""
    return named_runtime(name, service.runtimes()) if name else service.runtime


def runtime_fields(runtime: Runtime, service: PlacelessService) -> Node | None:
    """The pod fields of a runtime, if it is known."""
    own = runtime.spec
    return own.tree if own else shipped_runtime(runtime.name, service.settings.dialect)


def _known_volumes(
    component: Component, runtime_pod: Node | None, *, is_merged: bool
) -> frozenset[str] | None:
    """The volumes that a component's pod gets from elsewhere, if they are known."""
    has_runtime = component.kind == PREDICTOR and is_merged
    if component.has("storageUris") or (has_runtime and runtime_pod is None):
        return None
    return _KSERVE_VOLUMES | _names(runtime_pod, "volumes")


def _worker_volumes(service: PlacelessService) -> frozenset[str] | None:
    """The volumes that workers get from the runtime; those of a shipped one are not known."""
    own = service.runtime.spec if service.runtime else None
    return _KSERVE_VOLUMES | _names(own.tree, "workerSpec", "volumes") if own else None


def _names(node: Node | None, *path: str) -> frozenset[str]:
    return frozenset(text(item, "name") for item in elements(node, *path))


def _merge_volumes(pod: Node, runtime_pod: Node | None) -> Node:
    """Volumes are merged by name: one that has no source of its own gets that of the runtime's."""
    below = {text(item, "name"): item for item in elements(runtime_pod, "volumes")}

    def merge(volume: Node) -> Node:
        lower = below.get(text(volume, "name"))
        return volume.with_members({**lower.items, **volume.items}) if lower else volume

    return each(pod, ("volumes",), merge) if below else pod


def _keep_invalid_name(pod: Node, written: Node) -> Node:
    """A first container whose name is not valid keeps it, so that rules report it.

    The webhook would replace it by `kserve-container` without a message.
    """
    first = next(iter(elements(written, "containers")), None)
    name = first.get("name") if first else None
    if name is None or is_dns_label(str(name.value)):
        return pod
    done, *rest = elements(pod, "containers")
    named = done.with_members({**done.items, "name": name})
    listing = pod.items["containers"].with_members((named, *rest))
    return pod.with_members({**pod.items, "containers": listing})


def _knative_pod(pod: Node, *, has_others: bool) -> Node:
    """A pod without what Knative drops or replaces, which KServe's rules for Knative report."""
    is_alone = not has_others and len(elements(pod, "containers")) == 1

    def convert(container: Node) -> Node:
        serves = is_alone or "ports" in container.items
        return _knative_container(container, _HTTP_HANDLERS if serves else ())

    pod = each(pod, ("containers",), convert)
    pod = each(pod, ("initContainers",), _knative_container)
    return drop_paths(pod, [(key,) for key in DROPPED_FIELDS])


def _knative_model(container: Field) -> Field:
    node = _knative_container(container.node, (*_HTTP_HANDLERS, "tcpSocket"))
    return container._replace(node=node)


def _knative_container(container: Node, handlers: Iterable[str] = ()) -> Node:
    """A container without ports, with the port that Knative fills in for some probe handlers."""
    kept = drop_partial_probes(drop_paths(container, _DROPPED))
    probes = {
        key: _fill_ports(kept.items[key], handlers)
        for key in _PROBES_WITHOUT_PORT
        if key in kept.items
    }
    return kept.with_members({**kept.items, **probes})


def _fill_ports(probe: Node, handlers: Iterable[str]) -> Node:
    filled = {
        key: node.with_members({"port": node.with_value(_HTTP_PORT), **node.items})
        for key, node in probe.items.items()
        if key in handlers
    }
    return probe.with_members({**probe.items, **filled})


def _model_containers(component: Component, service: InferenceService) -> tuple[Field, ...]:
    """The container of a model or of an `art` explainer, whose fields stand elsewhere."""
    art = component.field.get(ART)
    if art:
        return (art,)
    model = find_model(component.node) if component.kind == PREDICTOR else None
    if model is None or service.model is None:
        return ()
    runtime = _component_runtime(component, service)
    below = runtime_container(runtime, service.settings.dialect) if runtime else None
    return (Field((*component.path, model.path[-1]), _merge_model(model.node, below)),)


def _merge_model(model: Node, below: Node | None) -> Node:
    """The fields of a model's container, with the amounts and probes of its runtime's.

    A probe without a handler changes the numbers of one that the runtime has. Models differ in
    their addresses; without them, containers are alike.
    """
    model = _without(model, _OF_MODELS)
    given = [key for key in PROBES if key in model.items]
    probes = {key: node for key in given if (node := _merge_field(below or model, model, key))}
    kept = drop_partial_probes(model.with_members({**model.items, **probes})).items
    lower = below.get("resources") if below else None
    if lower is None:
        return model.with_members(kept)
    resources = kept.get("resources") or lower
    amounts = {key: _merge_field(lower, resources, key) for key in _AMOUNTS}
    filled = {**resources.items, **{key: node for key, node in amounts.items() if node}}
    return model.with_members({**kept, "resources": resources.with_members(filled)})


def _merge_field(lower: Node, upper: Node, key: str) -> Node | None:
    """The members that both have in a field; those of the upper one count."""
    one, other = lower.get(key), upper.get(key)
    if one is None or other is None:
        return other or one
    return other.with_members({**one.items, **other.items})
