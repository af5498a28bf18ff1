"""What KServe gathers for each component of an InferenceService before it makes objects."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kserve.annotations import STOP
from renderer.backends.kserve.canary_predictor import over
from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.inference_service import EXPLAINER, PREDICTOR, TRANSFORMER
from renderer.backends.kserve.inference_service import InferenceService as Service
from renderer.backends.kserve.inference_service_plan import plan
from renderer.backends.kserve.merged_container import Begun, Metadata, service_metadata
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, SERVER_TYPE, SERVING_RUNTIME
from renderer.backends.kserve.shipped_containers import shipped_runtime
from renderer.kubernetes.data import Data, items, mapping, number, texts
from renderer.values.derivations import Applied
from renderer.values.objects import Scene
from renderer.values.tree import Node

#: What a canary does not take over from the predictor: it has a fixed number of replicas.
_SCALING = ("maxReplicas", "scaleTarget", "scaleMetric", "autoScaling")


class Part(NamedTuple):
    """A component that gets a workload: its fields, and what its runtime brings, if it has one.

    The fields of a canary lie over those of the predictor already. `percent` is its share.
    """

    unit: str
    kind: str
    workload: str
    fields: Data
    begun: Begun = Begun("")
    percent: int | None = None

    @property
    def model(self) -> Data:
        return mapping(self.fields, "model")

    @property
    def is_canary(self) -> bool:
        return self.percent is not None


class ServicePlan(NamedTuple):
    """An InferenceService as the controller sees it."""

    metadata: Metadata
    mode: str
    dialect: Dialect
    parts: tuple[Part, ...]

    @property
    def predictor(self) -> Part:
        return self.parts[0]

    @property
    def has_transformer(self) -> bool:
        return any(part.kind == TRANSFORMER for part in self.parts)

    @property
    def entry(self) -> Part:
        """The component that requests reach first."""
        return next((part for part in self.parts if part.kind == TRANSFORMER), self.predictor)

    @property
    def is_stopped(self) -> bool:
        return self.metadata.annotations.get(STOP, "").lower() == "true"


def plan_service(applied: Applied) -> ServicePlan:
    """From the object as it is applied, and the runtimes beside it."""
    service = Service.of(applied.spec, applied.environment)
    cluster = service.destination.cluster if service.destination else ""
    needed = applied.needed.get(cluster, {})
    runtimes = {
        (kind, name): Begun(name, _data(tree.get("spec")), _server(tree))
        for (kind, namespace, name), tree in needed.items()
        if namespace in ("", applied.namespace)
    }
    return plan_of(service, _data(applied.tree), runtimes)


def _server(tree: Node) -> str:
    return text(tree, "metadata", "annotations", SERVER_TYPE)


def sketch_service(service: Service) -> ServicePlan:
    """From specs alone: what would be applied, before it is rendered."""
    scene = Scene(service.environment, service.destination, {}, {})
    stored = next(plan(service.spec, scene)).values
    parts: Data = {key: _data(stored[key]) for key in (PREDICTOR, TRANSFORMER, EXPLAINER)}
    spec: Data = {key: value for key, value in parts.items() if value}
    if canary := stored["canary"].plain():
        spec["canary"] = canary
    about: Data = {key: stored[key].plain() for key in ("namespace", "labels", "annotations")}
    runtimes = {
        (item.kind.name, item.name): Begun(item.name, _data(item.tree), _server(item.tree))
        for item in service.environment.specs
        if item.kind.name in (SERVING_RUNTIME, CLUSTER_RUNTIME)
    }
    return plan_of(service, Data(metadata=about, spec=spec), runtimes)


def plan_of(
    service: Service, content: Data, runtimes: Mapping[tuple[str, str], Begun]
) -> ServicePlan:
    """From an object and the runtimes of this repository, by kind and name."""
    about = mapping(content, "metadata")
    bare = Metadata(
        service.name,
        str(about.get("namespace") or "<namespace>"),
        texts(about, "labels"),
        texts(about, "annotations"),
    )
    dialect = service.settings.dialect
    parts = tuple(
        part._replace(begun=_begun(part, runtimes, dialect))
        for part in _parts(bare.name, mapping(content, "spec"))
    )
    metadata = service_metadata(parts[0].begun, parts[0].model, bare)
    return ServicePlan(metadata, service.mode, dialect, parts)


def _parts(name: str, spec: Data) -> Iterator[Part]:
    stable = mapping(spec, PREDICTOR)
    canaries = items(spec, "canary")
    yield Part(PREDICTOR, PREDICTOR, predictor_name(name, stable), _beside(stable, canaries))
    for kind in (TRANSFORMER, EXPLAINER):
        if kind in spec:
            yield Part(kind, kind, f"{name}-{kind}", mapping(spec, kind))
    for canary in canaries:
        fields = _canary(stable, canary)
        unit = f"{PREDICTOR}/{fields.get('name', '')}"
        percent = number(canary, "trafficPercent") or 0
        workload = predictor_name(name, fields)
        yield Part(unit, PREDICTOR, workload, fields, percent=percent)


def predictor_name(name: str, predictor: Data) -> str:
    own = predictor.get("name")
    return f"{name}-{own}-{PREDICTOR}" if own else f"{name}-{PREDICTOR}"


def _beside(stable: Data, canaries: list[Data]) -> Data:
    """The predictor; its canaries' replicas are taken from its own, if it says how many."""
    least = number(stable, "minReplicas")
    if least is None or not canaries:
        return stable
    others = sum(canary_replicas(stable, canary) for canary in canaries)
    return {**stable, "minReplicas": max(least - others, 1)}


def canary_replicas(stable: Data, canary: Data) -> int:
    """As it says, else its share of the predictor's, rounded up."""
    own = number(mapping(canary, PREDICTOR), "minReplicas")
    if own is not None:
        return own
    least = number(stable, "minReplicas")
    return -(-(1 if least is None else least) * (number(canary, "trafficPercent") or 0) // 100)


def _canary(stable: Data, canary: Data) -> Data:
    merged = over(stable, mapping(canary, PREDICTOR))
    fields = {key: value for key, value in merged.items() if key not in _SCALING}
    return {**fields, "minReplicas": canary_replicas(stable, canary)}


def _begun(part: Part, known: Mapping[tuple[str, str], Begun], dialect: Dialect) -> Begun:
    """The runtime of a model: of this repository, else as KServe ships it."""
    name = str(part.model.get("runtime") or "")
    own = (known.get((kind, name)) for kind in (SERVING_RUNTIME, CLUSTER_RUNTIME))
    found = next((item for item in own if item), None)
    return found or Begun(name, _data(shipped_runtime(name, dialect)))


def _data(node: Node | None) -> Data:
    found = node.plain() if node else {}
    return found if isinstance(found, dict) else {}
