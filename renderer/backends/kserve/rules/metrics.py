"""The metrics of `autoScaling`, as each autoscaler wants them."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.rules.scaling import HPA, KEDA, autoscaler
from renderer.backends.kserve.rules.sources import WEBHOOK
from renderer.kubernetes.quantities import billionths
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.tree import Node

#: Where a metric of a type is described.
_FIELDS = {"Resource": "resource", "External": "external", "PodMetric": "podmetric"}
_LEAST_MEMORY = "1Mi"
#: Where a target of a type has its amount.
_AMOUNTS = {"Utilization": "averageUtilization", "AverageValue": "averageValue", "Value": "value"}
_PERCENT = 100


@rule("KSV150", Severity.ERROR, "InferenceService")
def metrics_are_whole(service: InferenceService) -> Iterator[Finding]:
    """The metrics of `autoScaling` have what the autoscaler needs.

    Checked by KServe's webhook where an HPA or KEDA is asked for. An HPA takes metrics of the type
    Resource. For KEDA a target of cpu is a Utilization, one of memory a Utilization or an
    AverageValue of 1Mi or more, and other metrics have a query and a target.value.

    Fails:
        annotations:
          serving.kserve.io/deploymentMode: Standard
          serving.kserve.io/autoscalerClass: keda
        predictor:
          autoScaling:
            metrics:
              - type: Resource
                resource: {name: cpu, target: {type: AverageValue, averageValue: '1'}}
    Passes with:
        predictor:
          autoScaling:
            metrics:
              - type: Resource
                resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
    """
    scaler = autoscaler(service)
    for component in service.components:
        if scaler not in (HPA, KEDA) or component.is_canary:
            continue
        for index, metric in enumerate(elements(component.node, "autoScaling", "metrics")):
            path = (*component.path, "autoScaling", "metrics", index)
            yield from _of_hpa(metric, path) if scaler == HPA else _of_keda(metric, path)


def _of_hpa(metric: Node, path: Path) -> Iterator[Finding]:
    kind = text(metric, "type")
    if kind != "Resource":
        message = f"an HPA takes no metric of the type {kind!r}"
        yield Finding((*path, "type"), message, "write Resource, or the autoscaler class keda")
    elif "resource" not in metric.items:
        yield Finding(path, "there is no resource", "add resource")


def _of_keda(metric: Node, path: Path) -> Iterator[Finding]:
    kind = text(metric, "type")
    field = _FIELDS.get(kind, "")
    if not field:
        message = f"there is no metric of the type {kind!r}"
        yield Finding((*path, "type"), message, "write Resource, External or PodMetric")
    elif field not in metric.items:
        yield Finding(path, f"a metric of the type {kind} has no {field}", f"add {field}")
    elif kind == "Resource":
        yield from _resource(metric.items[field], (*path, field))
    else:
        yield from _query(metric.items[field], (*path, field))


def _resource(resource: Node, path: Path) -> Iterator[Finding]:
    name, kind = text(resource, "name"), text(resource, "target", "type")
    place = (*path, "target", "type")
    if name == "cpu" and kind != "Utilization":
        yield Finding(place, f"a target of cpu is no {kind or 'target'}", "write Utilization")
    elif name == "memory" and kind not in ("Utilization", "AverageValue"):
        fix = "write Utilization or AverageValue"
        yield Finding(place, f"a target of memory is no {kind or 'target'}", fix)
    else:
        yield from _target(resource, path)


def _query(source: Node, path: Path) -> Iterator[Finding]:
    if not text(source, "metric", "query"):
        yield Finding((*path, "metric", "query"), "there is no query", "add query")
    if source.get("target", "value") is None:
        yield Finding((*path, "target", "value"), "the target has no value", "add value")
    else:
        yield from _target(source, path)


def _target(source: Node, path: Path) -> Iterator[Finding]:
    """The amount of a target, in the field of its type."""
    kind = text(source, "target", "type")
    field = _AMOUNTS.get(kind, "")
    place = (*path, "target", field)
    found = source.get("target", field) if field else None
    if field and found is None:
        yield Finding(place, f"a target of the type {kind} has no {field}", f"add {field}")
    elif found is None:
        return
    elif isinstance(found.value, int) and kind == "Utilization":
        if not 1 <= found.value <= _PERCENT:
            yield Finding(place, f"{found.value} is no percentage", "write a number from 1 to 100")
    elif kind == "AverageValue" and text(source, "name") == "memory":
        least, given = billionths(_LEAST_MEMORY), billionths(str(found.value))
        if least is not None and given is not None and given < least:
            message = f"{found.value} of memory is too little"
            yield Finding(place, message, f"write {_LEAST_MEMORY} or more")


RULES = rules_with_source((metrics_are_whole,), WEBHOOK)
