"""What KServe gathers for each component of an InferenceService before it makes objects."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import elements
from renderer.backends.kserve.components import (
    AUTOSCALER,
    EXTERNAL,
    FORMAT,
    FROZEN,
    HPA,
    MODE,
    NONE,
    PREDICTOR,
    STOP,
    TRANSFORMER,
    Component,
    canary_replicas,
    components,
    merge_canary,
    replica_bounds,
    stable_replicas,
)
from renderer.backends.kserve.derive.runtimes import UsedRuntime, runtimes_in_reach, use_runtime
from renderer.backends.kserve.dialect import KNATIVE, Dialect, parse_mode
from renderer.backends.kserve.merged_container import Metadata, RuntimeSpec, service_metadata
from renderer.backends.kserve.model import MODEL, Model, find_model
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME
from renderer.backends.kserve.selection import Request, find_runtime, named_runtime, request_for
from renderer.backends.kserve.settings import KServeSettings
from renderer.backends.kserve.stored_components import default_component, stored_component
from renderer.backends.registries import registries_of
from renderer.derive.located import located
from renderer.derive.pods import Bounds
from renderer.kubernetes.data import Data, mapping, number, texts
from renderer.values.derivations import Applied, ObjectName
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: Fields that a canary does not inherit: it has a fixed number of replicas.
_SCALING = ("maxReplicas", "scaleTarget", "scaleMetric", "autoScaling")


class Workload(NamedTuple):
    """A component that gets a workload: its fields, and its runtime, if it has one.

    The fields of a canary are merged with the predictor's, and the predictor's replicas are less
    those of canaries. `percent` is the share of a canary. `used` is nothing if there is no such
    runtime.
    """

    unit: str
    kind: str
    name: str
    path: Path
    fields: Data
    runtime: RuntimeSpec = RuntimeSpec("")
    used: UsedRuntime | None = None
    percent: int | None = None

    @property
    def model(self) -> Data:
        return mapping(self.fields, MODEL)

    @property
    def is_canary(self) -> bool:
        return self.percent is not None

    @property
    def component_path(self) -> Path:
        """Where its fields are; `path` has the share of a canary too."""
        return (*self.path, PREDICTOR) if self.is_canary else self.path


class ServicePlan(NamedTuple):
    """An InferenceService as the controller sees it."""

    metadata: Metadata
    mode: str
    dialect: Dialect
    workloads: tuple[Workload, ...]
    request: Request | None = None

    @property
    def predictor(self) -> Workload:
        return self.workloads[0]

    @property
    def has_transformer(self) -> bool:
        return any(workload.kind == TRANSFORMER for workload in self.workloads)

    @property
    def entry(self) -> Workload:
        """The component that requests reach first."""
        found = (item for item in self.workloads if item.kind == TRANSFORMER)
        return next(found, self.predictor)

    @property
    def is_stopped(self) -> bool:
        return _is_true(self.metadata.annotations.get(STOP, ""))

    def stops(self, workload: Workload) -> bool:
        """Whether nothing runs of a component: by its own annotation too (observed)."""
        return self.is_stopped or _is_true(texts(workload.fields, "annotations").get(STOP, ""))

    def autoscaler(self, workload: Workload) -> str:
        """What scales the Deployment of a workload: the nearest annotation counts."""
        own, below = (
            texts(data, "annotations") for data in (workload.fields, workload.runtime.spec)
        )
        return {**below, **self.metadata.annotations, **own}.get(AUTOSCALER) or HPA

    def bounds(self, workload: Workload) -> Bounds:
        """The least and the most pods of a workload, for everything that counts pods."""
        least, most = (number(workload.fields, key) for key in ("minReplicas", "maxReplicas"))
        return replica_bounds(least, most, self.mode, self.autoscaler(workload))

    def is_scaled_elsewhere(self, workload: Workload) -> bool:
        """Whether another program scales a Deployment: KServe never writes its number then."""
        return self.mode != KNATIVE and self.autoscaler(workload) == EXTERNAL

    def start(self, workload: Workload) -> int:
        """The number of pods at the start: one until an autoscaler raises it."""
        least, _ = self.bounds(workload)
        if self.mode == KNATIVE:
            return max(least, 1)
        return least if self.autoscaler(workload) == NONE else 1

    def needs(self, workload: Workload) -> tuple[ObjectName, ...]:
        """The runtime of a workload."""
        used = workload.used
        if used is None:
            return ()
        is_wide = used.runtime.kind == CLUSTER_RUNTIME
        return ((used.runtime.kind, "" if is_wide else self.metadata.namespace, used.runtime.name),)


def is_stopped(applied: Applied) -> bool:
    return _is_true(applied.annotation(STOP))


def is_component_stopped(applied: Applied, path: Path) -> bool:
    """Whether the component at a path has the annotation itself."""
    found = applied.tree.get(*path, "annotations", STOP)
    return found is not None and _is_true(str(found.value))


def _is_true(text: str) -> bool:
    return text.lower() == "true"


def is_frozen(applied: Applied) -> bool:
    """Whether KServe leaves a service alone once it is ready."""
    return applied.annotation(FROZEN) == "true"


def applied_mode(applied: Applied, former: Applied | None = None) -> str:
    """The mode of a service: the status keeps the one it had if the annotation goes (observed)."""
    own = parse_mode(applied.annotation(MODE))
    before = applied_mode(former) if former else ""
    return own or before or KServeSettings.of(applied.environment).default_mode


def plan_service(applied: Applied, former: Applied | None = None) -> ServicePlan:
    """From the object as it is applied, the runtimes beside it, and the object as it was."""
    settings = KServeSettings.of(applied.environment)
    mode = applied_mode(applied, former)
    spec = applied.tree.get("spec") or Node({}, applied.tree.origin)
    parts = tuple(components(spec))
    model = find_model(parts[0].node)
    request = request_for(model, parts[0]) if model else None
    workloads = tuple(_workloads(applied.name, spec, parts, model))
    if model and request:
        workloads = tuple(_add_runtimes(workloads, model, request, applied))
    bare = _service_metadata(applied, settings, mode, model)
    first = workloads[0]
    metadata = service_metadata(first.runtime, first.model, bare) if model else bare
    return ServicePlan(metadata, mode, settings.dialect, workloads, request)


def _service_metadata(
    applied: Applied, settings: KServeSettings, mode: str, model: Model | None
) -> Metadata:
    """The metadata of a service as its webhook leaves it behind."""
    about = located(applied.tree.get("metadata"))
    labels, annotations = texts(about, "labels"), texts(about, "annotations")
    # The webhook writes the mode, unless Knative is the default.
    given = annotations.get(MODE, "")
    if parse_mode(given) or (not given and settings.default_mode != KNATIVE):
        annotations[MODE] = settings.dialect.spelling(mode)
    if model and settings.dialect.notes_the_format:
        annotations.setdefault(FORMAT, model.format)
    return Metadata(applied.name, applied.namespace or "<namespace>", labels, annotations)


def _workloads(
    name: str, spec: Node, parts: tuple[Component, ...], model: Model | None
) -> Iterator[Workload]:
    stable = _stored_predictor(parts[0], model)
    least = parts[0].number("minReplicas")
    shares = {part.unit: _percent(spec, part) for part in parts if part.is_canary}
    replicas: dict[str, int | None] = {
        part.unit: canary_replicas(part.number("minReplicas"), least, shares[part.unit])
        for part in parts
        if part.is_canary
    }
    replicas[PREDICTOR] = stable_replicas(least, filter(None, replicas.values()))
    for part in parts:
        node = stable if part is parts[0] else _stored_component(part, stable)
        number_ = replicas.get(part.unit)
        fields = {**located(node), **({} if number_ is None else {"minReplicas": number_})}
        path = ("spec", *part.path[:2]) if part.is_canary else ("spec", *part.path)
        called = _workload_name(name, part, fields)
        yield Workload(part.unit, part.kind, called, path, fields, percent=shares.get(part.unit))


def _stored_component(part: Component, stable: Node) -> Node:
    """Another component as it is stored; a canary with what it inherits from the predictor."""
    if not part.is_canary:
        return stored_component(default_component(part), registries_of(None))
    merged = merge_canary(stable, stored_component(part.node, registries_of(None)))
    kept = {key: node for key, node in merged.items.items() if key not in _SCALING}
    return merged.with_members(kept)


def _workload_name(name: str, part: Component, fields: Data) -> str:
    own = fields.get("name") if part.kind == PREDICTOR else ""
    return "-".join(str(word) for word in (name, own, part.kind) if word)


def _stored_predictor(part: Component, model: Model | None) -> Node:
    """The predictor as it is stored: its model in the present form, with its protocol."""
    node = default_component(part)
    if model:
        protocol = Node(model.protocol, model.node.origin)
        defaults = {"protocolVersion": protocol} if model.protocol else {}
        node = model.convert_predictor(node, defaults)
    return stored_component(node, registries_of(None))


def _percent(spec: Node, part: Component) -> int:
    """The canary's share of requests; KServe 0.20 only counts replicas by it (observed)."""
    index = part.path[1]
    found = elements(spec, "canary")[index].get("trafficPercent") if type(index) is int else None
    return found.value if found and type(found.value) is int else 0


def _add_runtimes(
    workloads: Iterable[Workload], model: Model, request: Request, applied: Applied
) -> Iterator[Workload]:
    """Workloads with their runtimes: a canary may name one of its own."""
    known = runtimes_in_reach(applied)
    found = find_runtime(model, request, known).winner
    for workload in workloads:
        if workload.kind != PREDICTOR:
            yield workload
            continue
        own = str(workload.model.get("runtime") or "")
        is_other = workload.is_canary and own != model.runtime
        runtime = named_runtime(own, known) if is_other else found
        used = use_runtime(runtime, applied) if runtime else None
        spec = used.spec if used else RuntimeSpec(own or model.runtime)
        yield workload._replace(runtime=spec, used=used)
