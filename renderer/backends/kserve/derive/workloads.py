"""The objects of a component: a Deployment and what belongs to it, or a Knative Service."""

from collections.abc import Iterator

from renderer.backends.kserve.derive.addresses import make_entrance
from renderer.backends.kserve.derive.autoscalers import autoscaler
from renderer.backends.kserve.derive.metadata import (
    component_annotations,
    component_labels,
    serves_many_models,
)
from renderer.backends.kserve.derive.pod import HTTP, called_container, first_port
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.backends.kserve.derive.webhook import AGENT_PORT, webhook_pod
from renderer.backends.kserve.dialect import KNATIVE
from renderer.derive.pods import Bounds
from renderer.kubernetes.data import Data, items, make_object, mapping, number
from renderer.values.tree import Plain

DEFAULT_UPDATE: Data = {"maxSurge": "25%", "maxUnavailable": "25%"}
_SCALING = "autoscaling.knative.dev/"
#: Annotations that Knative wants at the Service, not at its revisions.
_SERVICE_ANNOTATIONS = (
    "serving.knative.dev/rollout-duration",
    "serving.knative.openshift.io/enablePassthrough",
)
LOCAL = "networking.knative.dev/visibility"
_TAGS = "serving.kserve.io/enable-tag-routing"
_TIMEOUT = 300


def make_workload(plan: ServicePlan, workload: Workload, pod: Data) -> Iterator[Data]:
    """What the controller makes for a component, then the pod as the webhook leaves it."""
    notes = component_annotations(plan, workload)
    if plan.mode == KNATIVE:
        made = [_knative_service(plan, workload, pod, notes)]
    else:
        made = [*_deployment(plan, workload, pod, notes)]
    yield from made
    created = webhook_pod(plan, workload, pod, notes)
    if created != pod:
        name: Data = {"name": f"{workload.name}-<pod>", "namespace": plan.metadata.namespace}
        about = {**mapping(made[0], "spec", "template", "metadata"), **name}
        yield make_object("v1", "Pod", about, created)


def _deployment(
    plan: ServicePlan, workload: Workload, pod: Data, notes: dict[str, str]
) -> Iterator[Data]:
    about: Data = {
        "name": workload.name,
        "namespace": plan.metadata.namespace,
        "labels": {**component_labels(plan, workload), "app": f"isvc.{workload.name}"},
        "annotations": {**notes},
    }
    spec: Data = {
        "replicas": plan.start(workload),
        "strategy": _strategy(workload),
        "selector": {"matchLabels": {"app": f"isvc.{workload.name}"}},
        "template": {"metadata": about, "spec": pod},
    }
    yield make_object("apps/v1", "Deployment", about, spec)
    yield make_service(workload, pod, about)
    if made := autoscaler(plan, workload, about):
        yield made


def _strategy(workload: Workload) -> Data:
    """The component's strategy with Kubernetes' defaults; canaries have only the defaults."""
    given = {} if workload.is_canary else mapping(workload.fields, "deploymentStrategy")
    kind = given.get("type", "RollingUpdate")
    if kind != "RollingUpdate":
        return given
    return {"type": kind, "rollingUpdate": {**DEFAULT_UPDATE, **mapping(given, "rollingUpdate")}}


def make_service(workload: Workload, pod: Data, about: Data) -> Data:
    """The Service: port 80 goes to the first port, or to the agent in front of it."""
    container = called_container(pod)
    first, *rest = items(container, "ports") or [{"name": workload.name, "containerPort": HTTP}]
    target: Plain = first_port(container)
    if not workload.is_canary and {"logger", "batcher"} & workload.fields.keys():
        target = AGENT_PORT
    ports: list[Plain] = [_port(first, 80, target)]
    ports += (_port(item, item["containerPort"], item["containerPort"]) for item in rest)
    selector: Plain = {"app": f"isvc.{workload.name}"}
    spec: Data = {"type": "ClusterIP", "selector": selector, "ports": ports}
    return make_object("v1", "Service", about, spec)


def _port(given: Data, number_: Plain, target: Plain) -> Data:
    name = str(given.get("name") or "")
    made: Data = {"name": name} if name else {}
    made |= {"port": number_, "targetPort": target, "protocol": given.get("protocol") or "TCP"}
    is_grpc = "grpc" in name or "h2c" in name
    return made | ({"appProtocol": "kubernetes.io/h2c"} if is_grpc else {})


def _knative_service(
    plan: ServicePlan, workload: Workload, pod: Data, notes: dict[str, str]
) -> Data:
    kept = {**notes, **knative_scaling(workload.fields, plan.bounds(workload), notes)}
    own: Data = {key: kept.pop(key) for key in _SERVICE_ANNOTATIONS if key in kept}
    labels = component_labels(plan, workload)
    inner: Data = {key: value for key, value in labels.items() if key != LOCAL}
    timeout = number(workload.fields, "timeout")
    spec: Data = {
        "containerConcurrency": number(workload.fields, "containerConcurrency") or 0,
        "timeoutSeconds": timeout or _TIMEOUT,
        **({} if timeout is None else {"responseStartTimeoutSeconds": timeout}),
        **pod,
    }
    about: Data = {
        "name": workload.name,
        "namespace": plan.metadata.namespace,
        "labels": {**labels},
        **({"annotations": own} if own else {}),
    }
    template: Plain = {"metadata": {"labels": inner, "annotations": {**kept}}, "spec": spec}
    whole: Data = {"template": template, "traffic": [_traffic(notes)]}
    return make_object("serving.knative.dev/v1", "Service", about, whole)


def knative_scaling(fields: Data, bounds: Bounds, notes: dict[str, str]) -> dict[str, str]:
    """The annotations of Knative's autoscaler; a maxReplicas of 0 is no limit."""
    found = {"class": notes.get(f"{_SCALING}class", "kpa.autoscaling.knative.dev")}
    found |= {"target": str(fields["scaleTarget"])} if "scaleTarget" in fields else {}
    found |= {"metric": str(fields["scaleMetric"])} if "scaleMetric" in fields else {}
    least, most = bounds
    found["min-scale"] = str(least)
    found |= {} if most is None else {"max-scale": str(most)}
    return {f"{_SCALING}{key}": value for key, value in found.items()}


def _traffic(notes: dict[str, str]) -> Data:
    """All to the newest revision: there is no other when a service is created."""
    tag: Data = {"tag": "latest"} if notes.get(_TAGS) == "true" else {}
    return {"latestRevision": True, "percent": 100, **tag}


def service_objects(plan: ServicePlan) -> Iterator[Data]:
    """What there is once for the whole service: its way in, and the list of many models."""
    if serves_many_models(plan.predictor):
        name, data = f"modelconfig-{plan.metadata.name}-0", dict[str, Plain]({"models.json": "[]"})
        about: Data = {"name": name, "namespace": plan.metadata.namespace}
        yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": data}
    yield from make_entrance(plan)
