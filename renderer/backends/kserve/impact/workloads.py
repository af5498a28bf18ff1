"""The workload of each component: its pod template, its bounds, and how it changes."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import NamedTuple

from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.impact.rendered_service import RenderedService
from renderer.backends.kserve.inference_service import PREDICTOR, TRANSFORMER, Component
from renderer.backends.kserve.merged_container import (
    Data,
    Metadata,
    pod_fields,
    predictor_pod,
    with_service_name,
)
from renderer.backends.kserve.model import MODEL
from renderer.backends.kserve.replicas import HPA, KEDA, replica_bounds
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Plain

CANARY = "canary"
#: Annotations of services and components that do not reach their pods.
_KEPT_BACK = frozenset((
    "autoscaling.knative.dev/min-scale", "autoscaling.knative.dev/max-scale",
    "internal.serving.kserve.io/storage-initializer-sourceuri",
    "kubectl.kubernetes.io/last-applied-configuration", "modelFormat",
))  # fmt: skip
#: Labels and annotations that Knative has on the service and not on its revisions.
OF_KNATIVE_SERVICE = frozenset((
    "networking.knative.dev/visibility", "serving.knative.dev/rollout-duration",
    "serving.knative.openshift.io/enablePassthrough",
))  # fmt: skip
SCALING = frozenset(("maxReplicas", "minReplicas", "scaleTarget", "scaleMetric", "autoScaling"))
_TARGET = 80


class Scaling(NamedTuple):
    """The bounds of the number of pods, without an upper one if nothing bounds it.

    `rule` is by what the number is chosen; nothing where KServe leaves it alone.
    """

    least: int = 1
    most: int | None = 1
    rule: Plain = None


class Workload(NamedTuple):
    """What runs of a component: a Deployment, or the revisions of a Knative Service.

    `traffic` is the part of the requests that a new revision gets, if not all of them.
    """

    unit: str
    name: str
    template: Data
    scaling: Scaling
    strategy: Mapping[str, Plain] = {}
    traffic: int | None = None

    @property
    def containers(self) -> list[Data]:
        pod = _mapping(self.template, "spec")
        found = pod.get("containers")
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    @property
    def is_recreated(self) -> bool:
        """Whether its pods stop before new ones start."""
        return self.strategy.get("type") == "Recreate"


@cached_by_identity
def workloads_of(service: RenderedService) -> Mapping[str, Workload]:
    """The workloads of a service by their units; none where another controller makes them."""
    if service.mode == MODEL_MESH:
        return {}
    return {item.unit: item for item in _workloads(service)}


def _workloads(service: RenderedService) -> Iterator[Workload]:
    stable = service.data(service.parts[0])
    for part in service.parts:
        data = service.data(part)
        if part.is_canary:
            data = _without(data, SCALING)
        yield Workload(
            part.unit,
            _name(service.name, part, data),
            _stripped(_template(part, data, stable, service)),
            _scaling(part, data, service),
            _mapping(data, "deploymentStrategy"),
            _number(data, "canaryTrafficPercent") if service.mode == KNATIVE else None,
        )


def _name(service: str, part: Component, data: Data) -> str:
    given = data.get("name") if part.kind == PREDICTOR else ""
    return "-".join(str(item) for item in (service, given, part.kind) if item)


def _template(part: Component, data: Data, stable: Data, service: RenderedService) -> Data:
    """The pod template, with what makes pods differ in place of what is made of it."""
    metadata = service.metadata_of(part)
    begun = service.begun_of(part).spec if part.kind == PREDICTOR and service.model else {}
    annotations = {
        **_mapping(begun, "annotations"), **metadata.annotations, **_mapping(data, "annotations"),
    }  # fmt: skip
    labels = {**_mapping(begun, "labels"), **metadata.labels, **_mapping(data, "labels")}
    lost = OF_KNATIVE_SERVICE if service.mode == KNATIVE else frozenset[str]()
    return {
        "labels": _without(labels, lost),
        "annotations": _without(annotations, _KEPT_BACK | lost),
        "spec": _pod(part, data, service, metadata),
        "agents": _agents(part, data),
        "storage": _storage(data),
        "predictor": stable.get("name") if part.kind != PREDICTOR else None,
        "workers": _workers(part, data, service),
        "revision": _revision(data) if service.mode == KNATIVE else None,
    }


def _without(data: Mapping[str, Plain], keys: frozenset[str]) -> Data:
    return {key: value for key, value in data.items() if key not in keys}


def _pod(part: Component, data: Data, service: RenderedService, metadata: Metadata) -> Data:
    if part.kind == PREDICTOR and isinstance(data.get(MODEL), dict):
        begun = service.begun_of(part)
        unknown = {} if begun.spec else {"runtime": begun.name}
        return {**predictor_pod(begun, data, metadata), **unknown}
    pod = {**pod_fields(data), "containers": data.get("containers") or []}
    containers = pod["containers"]
    if isinstance(containers, list):
        named = [with_service_name(item, metadata) for item in containers if isinstance(item, dict)]
        pod["containers"] = list[Plain](named)
    if part.kind != PREDICTOR:
        pod["art"] = data.get("art")
        pod["arguments"] = _arguments(part, data)
    return pod


def _arguments(part: Component, data: Data) -> list[Plain]:
    """What KServe adds to the arguments of a transformer or explainer that does not say it."""
    number = data.get("containerConcurrency")
    own = str(part.node.plain())
    return ["--workers", number] if number is not None and "--workers" not in own else []


def _agents(part: Component, data: Data) -> Data:
    """What KServe puts beside the containers: annotations of the pods say so."""
    batcher = _mapping(data, "batcher")
    passed: Plain = {key: batcher[key] for key in ("maxBatchSize", "maxLatency") if key in batcher}
    is_batched = "batcher" in data and part.kind in (PREDICTOR, TRANSFORMER)
    return {"logger": data.get("logger"), "batcher": [passed] if is_batched else None}


def _storage(data: Data) -> Data:
    model = _mapping(data, MODEL)
    storage = _mapping(model, "storage")
    kept: Plain = {key: storage[key] for key in ("key", "path", "parameters") if key in storage}
    return {
        "uri": model.get("storageUri"),
        "uris": data.get("storageUris"),
        "container": data.get("storageContainerName") if "storageUri" in model else None,
        "spec": [kept] if "storage" in model else None,
        "confidential": model.get("confidential"),
    }


def _workers(part: Component, data: Data, service: RenderedService) -> Plain:
    """With workers on other nodes, pods carry the number of the object's generation."""
    if "workerSpec" not in data:
        return None
    spec = service.manifest.tree.get("spec")
    return [spec.plain() if spec else None, service.begun_of(part).spec.get("workerSpec")]


def _revision(data: Data) -> Data:
    """What a revision of Knative has besides its pods."""
    least = data.get("minReplicas")
    return {
        "least": 1 if least is None else least,
        "most": data.get("maxReplicas") or None,
        **{key: data.get(key) for key in ("scaleTarget", "scaleMetric", "timeout")},
        "concurrency": data.get("containerConcurrency"),
    }


def _scaling(part: Component, data: Data, service: RenderedService) -> Scaling:
    given, most = _number(data, "minReplicas"), _number(data, "maxReplicas")
    if part.is_canary:
        given = _canary_replicas(part, service)  # where an autoscaler of its own holds it
    elif given is not None and part.kind == PREDICTOR:
        given = _beside_canaries(given, service)
    least, most = replica_bounds(given, most, service.mode, service.autoscaler)
    is_ruled = not part.is_canary and service.mode != KNATIVE
    is_scaled = is_ruled and service.autoscaler in (HPA, KEDA)
    return Scaling(least, most, _rule(data) if is_scaled else None)


def _beside_canaries(number: int, service: RenderedService) -> int:
    """The predictor's pods without those that its canaries are counted as, but one at least."""
    canaries = [item for item in service.parts if item.path[0] == CANARY]
    taken = sum(_canary_replicas(item, service) for item in canaries)
    return max(number - taken, 1) if canaries else number


def _canary_replicas(part: Component, service: RenderedService) -> int:
    """The pods that a canary is counted as: its own number, else its share of the predictor's."""
    own = part.number("minReplicas")
    if own is not None:
        return own
    stable = service.parts[0].number("minReplicas")
    return ceil((1 if stable is None else stable) * service.percent(part) / 100)


def _rule(data: Data) -> Plain:
    """By what the autoscaler of a Deployment counts: cpu, unless it can do what is asked."""
    if "autoScaling" in data:
        return data["autoScaling"]
    metric, target = data.get("scaleMetric") or "cpu", data.get("scaleTarget")
    if metric == "memory" and target is not None:
        return [metric, target]
    return ["cpu", target if metric == "cpu" and target is not None else _TARGET]


def _stripped(data: Data) -> Data:
    """Without what is empty, which says the same as what is not there."""
    found = {key: _full(value) for key, value in data.items()}
    return {key: value for key, value in found.items() if value not in (None, "", {}, [])}


def _full(value: Plain) -> Plain:
    if isinstance(value, dict):
        return _stripped(value)
    return [_full(item) for item in value] if isinstance(value, list) else value


def _mapping(data: Mapping[str, Plain], key: str) -> Data:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _number(data: Data, key: str) -> int | None:
    found = data.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
