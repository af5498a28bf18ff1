"""An LLM service or configuration that KServe's webhook and the API server add nothing to."""

from collections.abc import Callable, Iterator

from renderer.backends.fields import ABSENT, unless_empty
from renderer.backends.kserve.llm.service import LLM_CONFIG, POD_PLACES, PREFILL, SCHEDULER
from renderer.backends.kserve.llm.webhook import own_metadata, written_again
from renderer.backends.kserve.stored_components import stored_pods
from renderer.backends.object_places import file_name, namespace, object_labels
from renderer.kubernetes.stored_pods import each, quantity, replace_at
from renderer.values.model import Destination, Spec
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant

_SCHEMA = "the default of KServe's schema, which the API server would add"
_OBJECT_FIELDS = ("apiVersion", "kind", "name", "namespace", "destination", "metadata")
_LEAST, _COST = constant(1, _SCHEMA), constant("10.0", _SCHEMA)
_EVICTION, _STATIC = constant("lru", _SCHEMA), constant("static", _SCHEMA)
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
    values = _values(spec, scene, own_metadata(spec.tree))
    values["spec"] = written_again(values["spec"], spec)
    template, plural = "kserve/llminferenceservice.yaml.j2", "llminferenceservices"
    schema = "manifests/kserve/llminferenceservice.json"
    yield Render(template, values, schema, plural, file_name(spec, scene), _SERVICE_KEPT)


def plan_config(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The LLMInferenceServiceConfig, of which no webhook writes anything."""
    kind = LLM_CONFIG.lower()
    values = _values(spec, scene, spec.tree.get("metadata") or ABSENT)
    schema = f"manifests/kserve/{kind}.json"
    yield Render(f"kserve/{kind}.yaml.j2", values, schema, f"{kind}s", spec.name, _CONFIG_KEPT)


def _values(spec: Spec, scene: Scene, metadata: Node) -> dict[str, Node]:
    return {
        "name": spec.name_node,
        "namespace": namespace(spec, scene),
        "labels": object_labels(metadata, {}),
        "annotations": unless_empty(metadata.get("annotations")),
        "spec": stored_spec(own_fields(spec), scene.destination),
    }


def own_fields(spec: Spec) -> Node:
    """The fields that the object has below its `spec`."""
    tree = spec.tree
    fields = {key: node for key, node in tree.items.items() if key not in _OBJECT_FIELDS}
    return tree.with_members(fields)


def stored_spec(fields: Node, where: Destination | None) -> Node:
    """The fields of a spec as the API server stores them."""
    for place in POD_PLACES:
        fields = replace_at(fields, place, lambda pod: stored_pods(pod, where))
    for workload in ((), (PREFILL,)):
        fields = _stored_workload(fields, workload)
    fields = replace_at(fields, ("router", "route", "http", "spec"), _stored_route)
    return replace_at(fields, (*SCHEDULER, "pool", "spec"), _stored_pool)


def _stored_workload(fields: Node, workload: tuple[str, ...]) -> Node:
    scaling, cache = (*workload, "scaling"), (*workload, "kvCacheOffloading")
    fields = replace_at(fields, scaling, _defaulted({"minReplicas": _LEAST}))
    fields = replace_at(fields, (*scaling, "wva"), _defaulted({"variantCost": _COST}))
    fallback = (*scaling, "wva", "keda", "fallback")
    fields = replace_at(fields, fallback, _defaulted({"behavior": _STATIC}))
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
