"""An LLM service or configuration that KServe's webhook and the API server add nothing to."""

from collections.abc import Callable, Iterator

from renderer.backends.fields import ABSENT, unless_empty
from renderer.backends.kserve.llm.service import LLM_CONFIG, POD_PLACES, PREFILL, SCHEDULER
from renderer.backends.kserve.stored_components import stored_pods
from renderer.backends.object_places import file_name, namespace, object_labels
from renderer.kubernetes.stored_pods import each, quantity, replace_at
from renderer.values.model import Destination, Spec
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant

_SCHEMA = "the default of KServe's schema, which the API server would add"
_WEBHOOK = "what KServe's webhook would write"
OBJECT_FIELDS = ("apiVersion", "kind", "name", "namespace", "destination", "metadata")
ROUTING_GROUP = "serving.kserve.io/routing-group"
_NO_CONTAINERS = constant([], "KServe's webhook writes it, empty as it is")
_LEAST, _COST = constant(1, _SCHEMA), constant("10.0", _SCHEMA)
_EVICTION = constant("lru", _SCHEMA)
_SERVICE_KEPT = (("metadata", "name"), ("metadata", "namespace"), ("spec", "model", "uri"))
_CONFIG_KEPT = _SERVICE_KEPT[:2]
_EMPTY = constant("", _SCHEMA)
#: What the schemas of the Gateway API write into parts of routes and pools.
_PARENT = {
    "group": constant("gateway.networking.k8s.io", _SCHEMA),
    "kind": constant("Gateway", _SCHEMA),
}
_BACKEND = {"group": _EMPTY, "kind": constant("Service", _SCHEMA)}
_WEIGHT = {"weight": constant(1, _SCHEMA)}
_PREFIX = {"type": constant("PathPrefix", _SCHEMA), "value": constant("/", _SCHEMA)}
_PATH = constant({"type": "PathPrefix", "value": "/"}, _SCHEMA)
_MATCHES = constant([{"path": {"type": "PathPrefix", "value": "/"}}], _SCHEMA)
_EXACT = {"type": constant("Exact", _SCHEMA)}
_POOL = {"appProtocol": constant("http", _SCHEMA)}
_PICKER = {**_BACKEND, "failureMode": constant("FailClose", _SCHEMA)}

Change = Callable[[Node], Node]


def plan_service(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The LLMInferenceService, with all that the webhook would write."""
    values = _values(spec, scene)
    values["spec"] = named_model(values["spec"], spec)
    values["labels"] = object_labels(spec.tree.get("metadata") or ABSENT, _group_label(spec.tree))
    template, plural = "kserve/llminferenceservice.yaml.j2", "llminferenceservices"
    schema = "manifests/kserve/llminferenceservice.json"
    yield Render(template, values, schema, plural, file_name(spec, scene), _SERVICE_KEPT)


def plan_config(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The LLMInferenceServiceConfig, of which no webhook writes anything."""
    kind = LLM_CONFIG.lower()
    values = _values(spec, scene)
    schema = f"manifests/kserve/{kind}.json"
    yield Render(f"kserve/{kind}.yaml.j2", values, schema, f"{kind}s", spec.name, _CONFIG_KEPT)


def _values(spec: Spec, scene: Scene) -> dict[str, Node]:
    tree = spec.tree
    metadata = tree.get("metadata") or ABSENT
    fields = {key: node for key, node in tree.items.items() if key not in OBJECT_FIELDS}
    is_service = spec.kind.name != LLM_CONFIG
    return {
        "name": spec.name_node,
        "namespace": namespace(spec, scene),
        "labels": object_labels(metadata, {}),
        "annotations": unless_empty(metadata.get("annotations")),
        "spec": stored_spec(tree.with_members(fields), scene.destination, is_service=is_service),
    }


def named_model(fields: Node, spec: Spec) -> Node:
    """A model without a name gets that of the service."""
    name = spec.name_node.value
    silent = constant(name, _WEBHOOK) if isinstance(name, str) else spec.name_node

    def add_name(model: Node) -> Node:
        given = model.get("name")
        named = given if given and given.value else silent
        return model.with_members({**model.items, "name": named})

    return replace_at(fields, ("model",), add_name)


def _group_label(tree: Node) -> dict[str, Node]:
    group = tree.get("router", "route", "group")
    return {ROUTING_GROUP: group} if group else {}


def stored_spec(fields: Node, where: Destination | None, *, is_service: bool = True) -> Node:
    """The fields of a spec as they are stored; of a configuration no webhook writes anything."""
    for place in POD_PLACES:
        fields = replace_at(fields, place, lambda pod: stored_pods(pod, where))
        if is_service:
            fields = replace_at(fields, place, _add_containers)
    for workload in ((), (PREFILL,)):
        fields = _stored_workload(fields, workload)
    fields = replace_at(fields, ("router", "route", "http", "spec"), _stored_route)
    return replace_at(fields, (*SCHEDULER, "pool", "spec"), _stored_pool)


def _add_containers(pod: Node) -> Node:
    return pod.with_members({"containers": _NO_CONTAINERS, **pod.items})


def _stored_workload(fields: Node, workload: tuple[str, ...]) -> Node:
    scaling, cache = (*workload, "scaling"), (*workload, "kvCacheOffloading")
    fields = replace_at(fields, scaling, _defaulted({"minReplicas": _LEAST}))
    fields = replace_at(fields, (*scaling, "wva"), _defaulted({"variantCost": _COST}))
    fields = replace_at(fields, cache, _defaulted({"evictionPolicy": _EVICTION}))
    fields = replace_at(fields, (*cache, "cpu"), quantity)
    size = ("fileSystem", "emptyDir", "size")
    return each(fields, (*cache, "secondary"), lambda tier: replace_at(tier, size, quantity))


def _defaulted(defaults: dict[str, Node]) -> Change:
    """Adds fields where they are missing."""
    return lambda node: node.with_members({**defaults, **node.items})


def _stored_route(route: Node) -> Node:
    route = each(route, ("parentRefs",), _defaulted(_PARENT))
    return each(route, ("rules",), _stored_rule)


def _stored_rule(rule: Node) -> Node:
    rule = _defaulted({"matches": _MATCHES})(rule)
    rule = each(rule, ("matches",), _stored_match)
    rule = each(rule, ("backendRefs",), _defaulted({**_BACKEND, **_WEIGHT}))
    rule = each(rule, ("filters",), _stored_filter)
    return each(rule, ("backendRefs",), lambda ref: each(ref, ("filters",), _stored_filter))


def _stored_match(match: Node) -> Node:
    match = replace_at(_defaulted({"path": _PATH})(match), ("path",), _defaulted(_PREFIX))
    match = each(match, ("headers",), _defaulted(_EXACT))
    return each(match, ("queryParams",), _defaulted(_EXACT))


def _stored_filter(item: Node) -> Node:
    item = replace_at(item, ("requestMirror", "backendRef"), _defaulted(_BACKEND))
    item = replace_at(item, ("externalAuth", "backendRef"), _defaulted(_BACKEND))
    fraction = ("requestMirror", "fraction")
    item = replace_at(item, fraction, _defaulted({"denominator": constant(100, _SCHEMA)}))
    redirect = _defaulted({"statusCode": constant(302, _SCHEMA)})
    item = replace_at(item, ("requestRedirect",), redirect)
    return replace_at(item, ("cors",), _defaulted({"maxAge": constant(5, _SCHEMA)}))


def _stored_pool(pool: Node) -> Node:
    return replace_at(_defaulted(_POOL)(pool), ("endpointPickerRef",), _defaulted(_PICKER))
