"""What KServe gathers of an LLM service before it makes objects: the spec that runs."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve import LLM_PRESETS
from renderer.backends.kserve.components import STOP
from renderer.backends.kserve.llm.cluster import Cluster, cluster_of
from renderer.backends.kserve.llm.effective import Effective, Named, combine, named_config
from renderer.backends.kserve.llm.go_templates import child_name
from renderer.backends.kserve.llm.service import LLM_CONFIG, PREFILL
from renderer.derive.located import located
from renderer.kubernetes.data import Data, items, mapping, number, texts
from renderer.values.derivations import Applied, ObjectName
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

MAIN, SCHEDULER_UNIT = "main", "scheduler"
PART_OF = {"app.kubernetes.io/part-of": "llminferenceservice"}
COMPONENT, NAME = "app.kubernetes.io/component", "app.kubernetes.io/name"
SYSTEM_NAMESPACE = "kserve"
_KUEUE = "kueue.x-k8s.io"
#: What reaches pods; that of caches is the webhook's, which takes away what others write.
_LABELS = (_KUEUE,)
_ANNOTATIONS = ("k8s.v1.cni.cncf.io", _KUEUE, "prometheus.io")
_SPREAD_ANNOTATIONS = (*_ANNOTATIONS, "leaderworkerset.sigs.k8s.io")
_GATEWAY = "Gateway.gateway.networking.k8s.io"
_CONFIG_MAP, _SHARED_CONFIG = "ConfigMap", "config-scheduler-"
_ROUTED = "serving.kserve.io/model-based-routing-enabled"


class LlmPlan(NamedTuple):
    """An LLM service as the controller sees it: `spec` is the one that runs."""

    name: str
    namespace: str
    labels: dict[str, str]
    annotations: dict[str, str]
    effective: Effective
    spec: Data
    cluster: Cluster
    #: Whether a gateway of the repository says that it does not route by models.
    is_refused_by_gateway: bool = False

    def child(self, suffix: str) -> str:
        return child_name(self.name, suffix)

    @property
    def own_labels(self) -> dict[str, str]:
        """The labels of all that is made for the service."""
        return {NAME: self.name, **PART_OF}

    def labels_for(self, component: str) -> dict[str, str]:
        """The labels of an object that is made for a component."""
        return {COMPONENT: f"llminferenceservice-{component}", **self.own_labels}

    def metadata(self, name: str, labels: dict[str, str]) -> Data:
        return {"name": name, "namespace": self.namespace, "labels": {**labels}}

    @property
    def unknown_configs(self) -> list[str]:
        """Configurations that the cluster may have, and whose content is not known here."""
        unseen, is_known = self.cluster.unseen, self.cluster.knows_presets
        return [
            name
            for name in self.effective.missing
            if name in unseen or (not is_known and name.startswith(LLM_PRESETS))
        ]

    @property
    def is_stopped(self) -> bool:
        return self.annotations.get(STOP, "").lower() == "true"

    @property
    def model(self) -> Data:
        return mapping(self.spec, "model")

    @property
    def model_name(self) -> str:
        return str(self.model.get("name") or self.name)

    @property
    def adapters(self) -> list[Data]:
        """LoRA adapters, by their names."""
        return sorted(items(mapping(self.model, "lora"), "adapters"), key=_name)

    @property
    def router(self) -> Data:
        return mapping(self.spec, "router")

    @property
    def scheduler(self) -> Data | None:
        """The scheduler that KServe makes, if there is one."""
        found = mapping(self.router, "scheduler")
        has_own_pool = mapping(found, "pool", "ref").get("name")
        return found if "template" in found and not has_own_pool else None

    @property
    def pool(self) -> str:
        """The name of the InferencePool that requests go to."""
        named = mapping(self.router, "scheduler", "pool", "ref").get("name")
        return str(named) if named else self.child("-inference-pool")

    @property
    def has_prefill(self) -> bool:
        return PREFILL in self.spec

    @property
    def routes_models(self) -> bool:
        """Whether requests are routed by the name of the model in a header."""
        is_asked = texts(self.spec, "annotations").get(_ROUTED) == "true"
        return self.cluster.routes_models and is_asked and not self.is_refused_by_gateway

    def workloads(self) -> "Iterator[Workload]":
        """The pods that serve, and those that only read prompts."""
        yield Workload(MAIN, self.spec, ("spec",))
        if self.has_prefill:
            yield Workload(PREFILL, mapping(self.spec, PREFILL), ("spec", PREFILL))


class Workload(NamedTuple):
    """Pods of one role: on a node each, or in groups that are spread over nodes."""

    unit: str
    fields: Data
    path: Path

    @property
    def is_prefill(self) -> bool:
        return self.unit == PREFILL

    @property
    def is_spread(self) -> bool:
        return "worker" in self.fields

    @property
    def suffix(self) -> str:
        """What is behind the service's name in that of the Deployment or LeaderWorkerSet."""
        return f"-kserve{'-mn' if self.is_spread else ''}{'-prefill' if self.is_prefill else ''}"

    @property
    def size(self) -> int:
        """How many pods a group has."""
        return group_size(mapping(self.fields, "parallelism"))

    @property
    def has_copies(self) -> bool:
        """Whether each group runs several copies of the model."""
        return bool(mapping(self.fields, "parallelism").keys() & {"data", "dataLocal"})

    @property
    def scaling(self) -> Data:
        return mapping(self.fields, "scaling")


def group_size(parallelism: Data) -> int:
    """On how many nodes one server runs, as the webhook counts it."""
    if {"data", "dataLocal"} & parallelism.keys():
        copies, local = (number(parallelism, key) or 1 for key in ("data", "dataLocal"))
        return max(copies // max(local, 1), 1)
    return number(parallelism, "pipeline") or 1


def plan_llm(applied: Applied) -> LlmPlan:
    """The spec that runs where a service is applied."""
    cluster = cluster_of(applied.environment, applied.destination)
    near = applied.needed.get(applied.cluster, {})

    def find(name: str) -> Node | None:
        for namespace in (applied.namespace, SYSTEM_NAMESPACE):
            tree = near.get((LLM_CONFIG, namespace, name))
            if tree and (spec := tree.get("spec")):
                return spec
        return cluster.preset(name)

    def find_text(name: str, key: str) -> Node | None:
        found = near.get(_config_map(applied, name))
        return found.get("data", key) if found else None

    tree = applied.tree
    metadata = tree.get("metadata") or Node({}, tree.origin)
    bare = metadata.plain()
    spec = tree.get("spec") or Node({}, tree.origin)
    service = Named(bare if isinstance(bare, dict) else {}, spec)
    effective = combine(service, find, cluster, find_text)
    known = located(metadata)
    refusing = (near.get(name) for name in _gateways(effective.spec, applied.namespace, cluster))
    is_refused = any(
        tree.text_at("metadata", "annotations", _ROUTED) == "false" for tree in refusing if tree
    )
    return LlmPlan(
        applied.name,
        applied.namespace,
        texts(known, "labels"),
        texts(known, "annotations"),
        effective,
        located(effective.spec),
        cluster,
        is_refused,
    )


def _gateways(spec: Node, namespace: str, cluster: Cluster) -> Iterator[ObjectName]:
    """The gateways that a route is for: those that the service names, else the cluster's."""
    named = elements(spec, "router", "gateway", "refs")
    for item in named:
        yield _GATEWAY, text(item, "namespace") or namespace, text(item, "name")
    if not named:
        yield _GATEWAY, cluster.gateway_namespace, cluster.gateway_name


def _config_map(applied: Applied, name: str) -> ObjectName:
    """The ConfigMap that a scheduler names; one of some names may be in KServe's namespace."""
    is_shared = name.startswith(_SHARED_CONFIG)
    near = applied.needed.get(applied.cluster, {})
    keys = [(_CONFIG_MAP, where, name) for where in (applied.namespace, SYSTEM_NAMESPACE)]
    return keys[1] if is_shared and keys[0] not in near else keys[0]


def needed_config_map(applied: Applied, plan: LlmPlan) -> tuple[ObjectName, ...]:
    """The ConfigMap with the configuration of the scheduler, if the service names one."""
    layers = [layer.spec for layer in plan.effective.layers]
    spec = applied.tree.get("spec")
    trees = [*layers, *([spec] if spec else [])]
    return tuple(_config_map(applied, name) for tree in trees if (name := named_config(tree)[0]))


def used_configs(applied: Applied, plan: LlmPlan) -> Iterator[ObjectName]:
    """The configurations of the repository that a service is laid over."""
    near = applied.needed.get(applied.cluster, {})
    for layer in plan.effective.layers:
        for namespace in (applied.namespace, SYSTEM_NAMESPACE):
            key = (LLM_CONFIG, namespace, layer.name)
            if key in near:
                yield key
                break


def propagated(plan: LlmPlan, workload: Workload) -> tuple[dict[str, str], dict[str, str]]:
    """The labels and annotations of the service that reach its workloads."""
    prefixes = _SPREAD_ANNOTATIONS if workload.is_spread else _ANNOTATIONS
    return _starting(plan.labels, _LABELS), _starting(plan.annotations, prefixes)


def _starting(given: dict[str, str], prefixes: tuple[str, ...]) -> dict[str, str]:
    return {key: value for key, value in given.items() if key.startswith(prefixes)}


def pod_metadata(fields: Data) -> tuple[dict[str, str], dict[str, str]]:
    """The labels and annotations that a spec gives to pods; KServe reads one itself."""
    notes = texts(fields, "annotations")
    notes.pop(_ROUTED, None)
    return texts(fields, "labels"), notes


def _name(item: Data) -> str:
    return str(item.get("name") or "")
