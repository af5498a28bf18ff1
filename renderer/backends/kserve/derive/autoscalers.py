"""What scales a Deployment: Kubernetes' own autoscaler, or that of KEDA."""

from collections.abc import Iterator

from renderer.backends.kserve.components import HPA, KEDA
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.derive.pods import Bounds
from renderer.kubernetes.data import Data, items, make_object, mapping, number
from renderer.values.tree import Plain

_CPU = 80
#: What the API server makes of the empty behaviour that KServe gives.
_BEHAVIOR: Plain = {
    "scaleDown": {
        "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}],
        "selectPolicy": "Max",
    },
    "scaleUp": {
        "policies": [
            {"type": "Pods", "value": 4, "periodSeconds": 15},
            {"type": "Percent", "value": 100, "periodSeconds": 15},
        ],
        "selectPolicy": "Max",
        "stabilizationWindowSeconds": 0,
    },
}
#: What the configuration that KServe ships says of KEDA's steadiness.
_WINDOWS = {"scaleUp": 0, "scaleDown": 300}


def autoscaler(plan: ServicePlan, workload: Workload, metadata: Data) -> Data | None:
    """The autoscaler of a workload, if the class of the service asks for one."""
    bounds, kind = plan.bounds(workload), plan.autoscaler(workload)
    if kind == HPA:
        return horizontal_autoscaler(workload, bounds, metadata)
    return _scaled_object(workload, bounds, metadata) if kind == KEDA else None


def _number_or(data: Data, key: str, other: int) -> int:
    found = number(data, key)
    return other if found is None else found


def horizontal_autoscaler(workload: Workload, bounds: Bounds, metadata: Data) -> Data:
    least, most = bounds
    metrics = list(_metrics(workload.fields))
    spec: Data = {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": workload.name},
        "minReplicas": least,
        "maxReplicas": most,
        # Without any metric the API server adds this one.
        "metrics": [*(metrics or [_utilization("cpu", _CPU)])],
        "behavior": _BEHAVIOR,
    }
    return make_object("autoscaling/v2", "HorizontalPodAutoscaler", metadata, spec)


def _metrics(fields: Data) -> Iterator[Data]:
    if "autoScaling" in fields:
        for metric in items(mapping(fields, "autoScaling"), "metrics"):
            yield from _listed_metric(mapping(metric, "resource"))
        return
    name = str(fields.get("scaleMetric") or "cpu")
    target = number(fields, "scaleTarget")
    if name == "cpu":
        target = _CPU if target is None else target
    if name in ("cpu", "memory") and target is not None:
        yield _utilization(name, target)


def _listed_metric(resource: Data) -> Iterator[Data]:
    target = mapping(resource, "target")
    if resource.get("name") == "cpu":
        yield _utilization("cpu", _number_or(target, "averageUtilization", _CPU))
    elif resource.get("name") == "memory":
        key = "averageValue" if target.get("type") == "AverageValue" else "averageUtilization"
        kept = {name: target[name] for name in ("type", key) if name in target}
        yield _resource("memory", kept)


def _utilization(name: str, percent: int) -> Data:
    return _resource(name, {"type": "Utilization", "averageUtilization": percent})


def _resource(name: str, target: Data) -> Data:
    return {"type": "Resource", "resource": {"name": name, "target": target}}


def _scaled_object(workload: Workload, bounds: Bounds, metadata: Data) -> Data:
    least, most = bounds
    behavior: Data = {
        way: {"stabilizationWindowSeconds": _window(workload.fields, way)} for way in _WINDOWS
    }
    spec: Data = {
        "scaleTargetRef": {"name": workload.name},
        "minReplicaCount": least,
        "maxReplicaCount": most,
        "triggers": [*_triggers(workload, str(metadata.get("namespace")))],
        "advanced": {
            "horizontalPodAutoscalerConfig": {"behavior": behavior},
            "scalingModifiers": {},
        },
    }
    return make_object("keda.sh/v1alpha1", "ScaledObject", metadata, spec)


def _window(fields: Data, way: str) -> int:
    said = mapping(fields, "autoScaling", "behavior", way)
    return _number_or(said, "stabilizationWindowSeconds", _WINDOWS[way])


def _triggers(workload: Workload, namespace: str) -> Iterator[Data]:
    for metric in items(mapping(workload.fields, "autoScaling"), "metrics"):
        if resource := mapping(metric, "resource"):
            yield _resource_trigger(resource)
        elif external := mapping(metric, "external"):
            yield _external_trigger(external)
        elif pod := mapping(metric, "podmetric"):
            yield _pod_trigger(pod, workload.name, namespace)


def _resource_trigger(resource: Data) -> Data:
    target = mapping(resource, "target")
    keys = {"AverageValue": "averageValue", "Value": "value"}
    other = _CPU if resource.get("name") == "cpu" and target.get("type") == "Utilization" else 0
    value = target.get(keys.get(str(target.get("type")), "averageUtilization"), other)
    trigger: Data = {"type": resource.get("name"), "metadata": {"value": str(value)}}
    return trigger | ({"metricType": target["type"]} if "type" in target else {})


def _external_trigger(external: Data) -> Data:
    metric = mapping(external, "metric")
    about: Data = {
        "serverAddress": str(metric.get("serverAddress") or ""),
        "query": str(metric.get("query") or ""),
        "threshold": str(mapping(external, "target").get("value", "0")),
    }
    if metric.get("backend") == "prometheus" and metric.get("namespace"):
        about["namespace"] = metric["namespace"]
    rights = mapping(external, "authenticationRef") or mapping(external, "authentication")
    if rights.get("authModes"):
        about["authModes"] = rights["authModes"]
    name = mapping(rights, "authenticationRef").get("name")
    trigger: Data = {"type": metric.get("backend"), "metadata": about}
    return trigger | ({"authenticationRef": {"name": name}} if name else {})


def _pod_trigger(pod: Data, workload: str, namespace: str) -> Data:
    metric = mapping(pod, "metric")
    query = f'sum({metric.get("query")}{{namespace="{namespace}", deployment="{workload}"}})'
    about: Data = {
        "metricQuery": query,
        "targetValue": str(mapping(pod, "target").get("value", "0")),
        "scalerAddress": metric.get("serverAddress") or "keda-otel-scaler.keda.svc:4318",
    }
    over = metric.get("operationOverTime")
    return {"type": "external", "metadata": about | ({"operationOverTime": over} if over else {})}
