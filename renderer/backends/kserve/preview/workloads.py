"""The objects of a component: a Deployment and what belongs to it, or a Knative Service."""

from collections.abc import Iterator

from renderer.backends.kserve.annotations import AUTOSCALER
from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.preview.autoscalers import autoscaler
from renderer.backends.kserve.preview.entrance import make_entrance
from renderer.backends.kserve.preview.plan import Part, ServicePlan
from renderer.backends.kserve.preview.pod import HTTP, called_container, first_port, make_pod
from renderer.backends.kserve.preview.template import (
    component_annotations,
    component_labels,
    serves_many,
)
from renderer.backends.kserve.preview.webhook import AGENT_PORT, webhook_pod
from renderer.backends.kserve.replicas import NONE
from renderer.kubernetes.data import Data, items, mapping, number
from renderer.values.tree import Plain

_QUARTERS: Data = {"maxSurge": "25%", "maxUnavailable": "25%"}
_SCALING = "autoscaling.knative.dev/"
#: Annotations that Knative wants at the Service, not at its revisions.
_OF_SERVICE = (
    "serving.knative.dev/rollout-duration",
    "serving.knative.openshift.io/enablePassthrough",
)
_LOCAL = "networking.knative.dev/visibility"
_TAGS = "serving.kserve.io/enable-tag-routing"
_TIMEOUT = 300


def make_workload(plan: ServicePlan, part: Part) -> Iterator[Data]:
    """What the controller makes for a component, then the pod as the webhook leaves it."""
    notes = component_annotations(plan, part)
    pod = make_pod(plan, part)
    if plan.mode == KNATIVE:
        yield _knative_service(plan, part, pod, notes)
    else:
        yield from _deployment(plan, part, pod, notes)
    created = webhook_pod(plan, part, pod, notes)
    if created != pod:
        labels: Data = {**_labels(plan, part)}
        about: Data = {
            "name": f"{part.workload}-<pod>",
            "namespace": plan.metadata.namespace,
            "labels": labels,
            "annotations": {**notes},
        }
        yield {"apiVersion": "v1", "kind": "Pod", "metadata": about, "spec": created}


def _labels(plan: ServicePlan, part: Part) -> dict[str, str]:
    labels = component_labels(plan, part)
    return labels if plan.mode == KNATIVE else {**labels, "app": f"isvc.{part.workload}"}


def _metadata(plan: ServicePlan, part: Part, notes: dict[str, str]) -> Data:
    return {
        "name": part.workload,
        "namespace": plan.metadata.namespace,
        "labels": {**_labels(plan, part)},
        "annotations": {**notes},
    }


def _deployment(plan: ServicePlan, part: Part, pod: Data, notes: dict[str, str]) -> Iterator[Data]:
    about = _metadata(plan, part, notes)
    yield {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": about,
        "spec": {
            "replicas": _replicas(part, notes),
            "strategy": _strategy(part),
            "selector": {"matchLabels": {"app": f"isvc.{part.workload}"}},
            "template": {"metadata": about, "spec": pod},
        },
    }
    yield _service(part, pod, about)
    if made := autoscaler(part, about):
        yield made


def _strategy(part: Part) -> Data:
    """As the component says, with the defaults of Kubernetes; a canary has these alone."""
    given = {} if part.is_canary else mapping(part.fields, "deploymentStrategy")
    kind = given.get("type", "RollingUpdate")
    if kind != "RollingUpdate":
        return given
    return {"type": kind, "rollingUpdate": {**_QUARTERS, **mapping(given, "rollingUpdate")}}


def _replicas(part: Part, notes: dict[str, str]) -> int:
    """Where nothing scales it, as many as it says; else one, until it is scaled."""
    least = number(part.fields, "minReplicas")
    return least if least is not None and notes.get(AUTOSCALER) == NONE else 1


def _service(part: Part, pod: Data, about: Data) -> Data:
    """The Service: port 80 leads to the first port, or to the agent in front of it."""
    container = called_container(pod)
    first, *rest = items(container, "ports") or [{"name": part.workload, "containerPort": HTTP}]
    target: Plain = first_port(container)
    if not part.is_canary and {"logger", "batcher"} & part.fields.keys():
        target = AGENT_PORT
    ports: list[Plain] = [_port(first, 80, target)]
    ports += (_port(item, item["containerPort"], item["containerPort"]) for item in rest)
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": about,
        "spec": {
            "type": "ClusterIP",
            "selector": {"app": f"isvc.{part.workload}"},
            "ports": ports,
        },
    }


def _port(given: Data, number_: Plain, target: Plain) -> Data:
    name = str(given.get("name") or "")
    made: Data = {"name": name} if name else {}
    made |= {"port": number_, "targetPort": target, "protocol": given.get("protocol") or "TCP"}
    is_grpc = "grpc" in name or "h2c" in name
    return made | ({"appProtocol": "kubernetes.io/h2c"} if is_grpc else {})


def _knative_service(plan: ServicePlan, part: Part, pod: Data, notes: dict[str, str]) -> Data:
    kept = {**notes, **_scaling(part.fields, notes)}
    own: Data = {key: kept.pop(key) for key in _OF_SERVICE if key in kept}
    labels = component_labels(plan, part)
    inner: Data = {key: value for key, value in labels.items() if key != _LOCAL}
    timeout = number(part.fields, "timeout")
    spec: Data = {
        "containerConcurrency": number(part.fields, "containerConcurrency") or 0,
        "timeoutSeconds": _TIMEOUT if timeout is None else timeout,
        **({} if timeout is None else {"responseStartTimeoutSeconds": timeout}),
        **pod,
    }
    about: Data = {
        "name": part.workload,
        "namespace": plan.metadata.namespace,
        "labels": {**labels},
        **({"annotations": own} if own else {}),
    }
    template: Plain = {"metadata": {"labels": inner, "annotations": {**kept}}, "spec": spec}
    return {
        "apiVersion": "serving.knative.dev/v1",
        "kind": "Service",
        "metadata": about,
        "spec": {"template": template, "traffic": [*_traffic(notes)]},
    }


def _scaling(fields: Data, notes: dict[str, str]) -> dict[str, str]:
    """What KServe tells Knative's autoscaler; a limit of 0 is none."""
    found = {"class": notes.get(f"{_SCALING}class", "kpa.autoscaling.knative.dev")}
    found |= {"target": str(fields["scaleTarget"])} if "scaleTarget" in fields else {}
    found |= {"metric": str(fields["scaleMetric"])} if "scaleMetric" in fields else {}
    least = number(fields, "minReplicas")
    found["min-scale"] = str(1 if least is None else least)
    found |= {"max-scale": str(most)} if (most := number(fields, "maxReplicas")) else {}
    return {f"{_SCALING}{key}": value for key, value in found.items()}


def _traffic(notes: dict[str, str]) -> Iterator[Data]:
    """All to the newest revision: there is no other when a service is created."""
    tag: Data = {"tag": "latest"} if notes.get(_TAGS) == "true" else {}
    yield {"latestRevision": True, "percent": 100, **tag}


def sole_objects(plan: ServicePlan) -> Iterator[Data]:
    """What there is once for the whole service: its way in, and the list of many models."""
    if serves_many(plan.predictor):
        about: Data = {
            "name": f"modelconfig-{plan.metadata.name}-0",
            "namespace": plan.metadata.namespace,
        }
        data: Data = {"models.json": "[]"}
        yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": data}
    yield from make_entrance(plan)
