"""The spec that runs: presets, configurations of the repository and the service, laid together."""

from collections.abc import Callable, Iterator, Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kserve.llm import presets
from renderer.backends.kserve.llm.cluster import Cluster
from renderer.backends.kserve.llm.go_templates import TemplateError, child_name, fill
from renderer.backends.kserve.llm.merge import merge, merge_all
from renderer.backends.kserve.llm.service import SCHEDULER
from renderer.backends.kserve.llm.template_functions import FUNCTIONS
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

Find = Callable[[str], Node | None]
#: Looks up a key of a ConfigMap, by both names.
FindText = Callable[[str, str], Node | None]
_MADE = "what KServe fills in"
_PICKER_PORT = 9002
_ROUTE = ("router", "route", "http", "spec")
_POOL = (*SCHEDULER, "pool", "spec")
_CONFIG = (*SCHEDULER, "config")
_CONFIG_KEY = "epp"
LATENCY_PLUGIN = "predicted-latency-producer"


class Layer(NamedTuple):
    """A configuration that the service is laid over; of the shipped ones, `is_preset`."""

    name: str
    spec: Node
    is_preset: bool


class Effective(NamedTuple):
    """The spec that runs, what it was made of (the lowest first), and why there is none.

    Without one of the `missing` configurations KServe makes nothing. A `clash` is why the others
    cannot be laid together, a `problem` why their templates cannot be filled.
    """

    spec: Node
    layers: tuple[Layer, ...] = ()
    missing: tuple[str, ...] = ()
    problem: str = ""
    clash: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether KServe gets as far as to make something of it."""
        return not (self.missing or self.problem or self.clash)


class Named(NamedTuple):
    """The service itself: its name, its namespace, and its spec as it is stored."""

    metadata: Mapping[str, Plain]
    spec: Node

    @property
    def name(self) -> str:
        return str(self.metadata.get("name", ""))

    @property
    def namespace(self) -> str:
        return str(self.metadata.get("namespace", ""))


def no_text(name: str, key: str) -> Node | None:  # noqa: ARG001
    """Of a repository whose ConfigMaps nobody looks at."""
    return None


def combine(
    service: Named, find: Find, cluster: Cluster, find_text: FindText = no_text
) -> Effective:
    """What KServe makes of a service with the configurations that it finds."""
    wanted = [text(item, "name") for item in elements(service.spec, "baseRefs")]
    shape, missing = service.spec, []
    for name in wanted:
        if base := find(name):
            shape = merge(shape, base)
        else:
            missing.append(name)
    shipped = [presets.preset_name(suffix) for suffix in preset_suffixes(shape)]
    missing += [name for name in shipped if find(name) is None]
    if missing:
        return Effective(service.spec, missing=tuple(missing))
    layers = tuple(
        Layer(name, base, name in shipped)
        for name in (*shipped, *wanted)
        if (base := find(name)) is not None
    )
    if clash := _find_clash([*layers, Layer("the service", service.spec, is_preset=False)]):
        return Effective(service.spec, layers, clash=clash)
    named = service._replace(spec=_take_model_name(service.spec, shape))
    whole = merge_all([*(layer.spec for layer in layers), named.spec])
    try:
        filled = _fill_texts(_complete(whole, named), named, cluster)
    except TemplateError as error:
        return Effective(whole, layers, problem=str(error))
    return Effective(_read_config(_route_requests(filled, named), find_text), layers)


def named_config(spec: Node) -> tuple[str, str]:
    """The ConfigMap with the configuration of the scheduler, and the key; empty without one."""
    name = text(spec, *_CONFIG, "ref", "name")
    return name, (text(spec, *_CONFIG, "ref", "key") or _CONFIG_KEY) if name else ""


def _read_config(spec: Node, find_text: FindText) -> Node:
    """The scheduler's configuration as KServe takes it over from a ConfigMap."""
    found = find_text(*named_config(spec))
    if found is None:
        return spec
    return replace_at(spec, _CONFIG, lambda config: config.with_members({"inline": found}))


def _find_clash(layers: list[Layer]) -> str:
    """Which part of a scheduler's configuration two have: KServe cannot look into it to merge."""
    known: dict[str, str] = {}
    for layer in layers:
        inline = layer.spec.get(*SCHEDULER, "config", "inline")
        items = inline.items if inline else {}
        parts = {key for key, node in items.items() if isinstance(node.value, dict | tuple)}
        if both := known.keys() & parts:
            part = min(both)
            where = f"{known[part]} and {layer.name}"
            return f"router.scheduler.config.inline has {part} in both {where}"
        known |= dict.fromkeys(items, layer.name)
    return ""


def preset_suffixes(shape: Node) -> Iterator[str]:
    """The presets for what a spec has, the lowest first."""
    scheduler, route = shape.get(*SCHEDULER), shape.get("router", "route")
    if scheduler and not text(scheduler, "pool", "ref", "name"):
        yield presets.SCHEDULER_POD
    plugins = elements(scheduler, "config", "inline", "plugins")
    if any(text(item, "type") == LATENCY_PLUGIN for item in plugins):
        yield presets.LATENCY_PREDICTOR
    if route and not elements(route, "http", "refs"):
        yield presets.ROUTE
    if shape.get("tracing"):
        yield presets.TRACING
    yield from _workload_suffixes(shape)


def _workload_suffixes(shape: Node) -> Iterator[str]:
    prefill = shape.get("prefill")
    if prefill is None:
        yield from _pod_suffix(shape, (presets.TEMPLATE, presets.WORKERS, presets.PIPELINE))
        return
    yield from _pod_suffix(
        prefill, (presets.PREFILL_POD, presets.PREFILL_WORKERS, presets.PREFILL_PIPELINE)
    )
    yield from _pod_suffix(shape, (presets.DECODE, presets.DECODE_WORKERS, presets.DECODE_PIPELINE))


def _pod_suffix(workload: Node, suffixes: tuple[str, str, str]) -> Iterator[str]:
    """One node, copies of the model on several nodes, or its layers on several nodes."""
    single, data, pipeline = suffixes
    if workload.get("worker") is None:
        yield single
    elif workload.get("parallelism", "data") or workload.get("parallelism", "dataLocal"):
        yield data
    elif workload.get("parallelism", "pipeline"):
        yield pipeline


def _take_model_name(spec: Node, shape: Node) -> Node:
    """The name of the model: a configuration that has one takes its place."""
    name = shape.get("model", "name")
    model = spec.get("model")
    if name is None or model is None:
        return spec
    named = model.with_members({**model.items, "name": name})
    return spec.with_members({**spec.items, "model": named})


def _complete(spec: Node, service: Named) -> Node:
    """What KServe fills in before it reads templates."""

    def select(pool: Node) -> Node:
        if pool.get("selector", "matchLabels"):
            return pool
        labels: dict[str, Plain] = {
            "app.kubernetes.io/name": service.name,
            "app.kubernetes.io/part-of": "llminferenceservice",
            "kserve.io/component": "workload",
        }
        return pool.with_members(
            {**pool.items, "selector": constant({"matchLabels": labels}, _MADE)}
        )

    def name_account(pod: Node) -> Node:
        if text(pod, "serviceAccountName"):
            return pod
        account = constant(child_name(service.name, "-epp-sa"), _MADE)
        return pod.with_members({**pod.items, "serviceAccountName": account})

    return replace_at(replace_at(spec, _POOL, select), (*SCHEDULER, "template"), name_account)


def _fill_texts(spec: Node, service: Named, cluster: Cluster) -> Node:
    """Every text with what its templates stand for."""
    pool = text(spec, *SCHEDULER, "pool", "ref", "name")
    pool = pool or child_name(service.name, "-inference-pool")
    data: dict[str, Plain] = {
        "metadata": dict(service.metadata),
        "spec": service.spec.plain(),
        "globalConfig": {
            "systemNamespace": "kserve",
            "ingressGatewayName": cluster.gateway_name,
            "ingressGatewayNamespace": cluster.gateway_namespace,
            "enableTLS": cluster.has_tls,
            "modelBasedRoutingHeaderName": cluster.routing_header,
            "inferencePoolNamespacedName": f"{service.namespace}/{pool}",
        },
    }

    def filled(node: Node) -> Node:
        value = node.value
        if isinstance(value, str):
            return node.with_value(fill(value, data, FUNCTIONS)) if "{{" in value else node
        if isinstance(value, dict):
            return node.with_members({key: filled(child) for key, child in value.items()})
        if isinstance(value, tuple):
            return node.with_members(tuple(map(filled, value)))
        return node

    filled(constant(dict(service.metadata), ""))  # its texts are templates, too
    return filled(spec)


def _route_requests(spec: Node, service: Named) -> Node:
    """The route with the gateways and backends that the service has."""
    gateways = spec.get("router", "gateway", "refs")
    if gateways and gateways.elements:
        refs = gateways.with_members(tuple(map(_parent, gateways.elements)))
        spec = replace_at(
            spec, _ROUTE, lambda route: route.with_members({**route.items, "parentRefs": refs})
        )
    pool = child_name(service.name, "-inference-pool")
    other = spec.get(*SCHEDULER, "pool", "ref", "name")
    workload = constant(child_name(service.name, "-kserve-workload-svc"), _MADE)

    def redirect(ref: Node) -> Node:
        if (text(ref, "kind"), text(ref, "name")) != ("InferencePool", pool):
            return ref
        if spec.get(*SCHEDULER) is None:
            kinds = {"group": constant("", _MADE), "kind": constant("Service", _MADE)}
            return ref.with_members({**ref.items, **kinds, "name": workload})
        return ref.with_members({**ref.items, "name": other}) if other else ref

    spec = each(spec, (*_ROUTE, "rules"), lambda rule: each(rule, ("backendRefs",), redirect))
    return replace_at(spec, (*_POOL, "endpointPickerRef"), _add_port)


def _parent(gateway: Node) -> Node:
    kinds = {
        "group": constant("gateway.networking.k8s.io", _MADE),
        "kind": constant("Gateway", _MADE),
    }
    return gateway.with_members({**gateway.items, **kinds})


def _add_port(picker: Node) -> Node:
    if text(picker, "kind") not in ("", "Service") or picker.get("port", "number"):
        return picker
    return picker.with_members({**picker.items, "port": constant({"number": _PICKER_PORT}, _MADE)})
