"""The metrics of `autoScaling`: what an autoscaler needs of each, and its target."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.dialect import STANDARD
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.scaling import HPA, KEDA, autoscaler, autoscaler_class
from renderer.backends.kserve.rules.sources import WEBHOOK
from renderer.kubernetes.pods import Field
from renderer.kubernetes.quantities import billionths
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_NEW = "0.2.0"
#: The field that describes a metric of a type.
_SOURCES = {"Resource": "resource", "External": "external", "PodMetric": "podmetric"}
_LEAST_MEMORY = "1Mi"
#: The types of targets that KServe's webhook takes for KEDA; of memory, an HPA knows the same.
_KEDA_TARGETS = {"cpu": ("Utilization",), "memory": ("Utilization", "AverageValue")}
#: The field that has the amount of a target of a type.
_AMOUNTS = {"Utilization": "averageUtilization", "AverageValue": "averageValue", "Value": "value"}
_PERCENT = 100


@rule("KSV150", Severity.ERROR, "InferenceService")
def metrics_are_whole(service: PlacelessService) -> Iterator[Finding]:
    """The metrics of `autoScaling` have what the autoscaler needs.

    Checked by KServe's webhook where an HPA or KEDA is asked for. An HPA takes metrics of the type
    Resource. For KEDA a target of cpu is a Utilization, one of memory a Utilization or an
    AverageValue of 1Mi or more, and other metrics have a query and a target.value. Without any
    metric no object of KEDA can be made, and the service is never ready (observed). In Standard
    mode the controller stops without a word at the type PodMetric without a podmetric (observed),
    and the API server refuses an HPA whose target is no positive number (observed).

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
    yield from _made_without_podmetric(service)
    for component in service.stable_components if service.mode == STANDARD else ():
        is_alone = not component.has("workerSpec")
        if autoscaler_class(component, service) in ("", "hpa") and is_alone:
            for metric in component.field.each("autoScaling", "metrics"):
                yield from _hpa_amount(metric)
    known = service.settings.dialect.autoscalers
    check = {HPA: _hpa_metric, KEDA: _keda_metric}.get(autoscaler(service))
    for component in service.stable_components if check else ():
        for metric in component.field.each("autoScaling", "metrics"):
            yield from check(metric) if check else ()
    for component in service.stable_components if "keda" in known else ():
        metrics = [*component.field.each("autoScaling", "metrics")]
        said = metrics or component.has("scaleMetric")  # which KSV141 reports
        if autoscaler_class(component, service) == "keda" and not said:
            message = f"KEDA has nothing to follow for the {component.kind}"
            fix = "add autoScaling.metrics"
            yield Finding(component.path, message, fix, at_key=True, since="0.2.0")


def _made_without_podmetric(service: PlacelessService) -> Iterator[Finding]:
    for component in service.stable_components if service.mode == STANDARD else ():
        for metric in component.field.each("autoScaling", "metrics"):
            has_it = metric.get("podmetric") or text(metric.node, "type") != "PodMetric"
            if not has_it and autoscaler(service) not in (HPA, KEDA):  # whose rules say so
                message = "the controller stops at a PodMetric without podmetric"
                yield metric.wrong(message, "add podmetric, or delete it")._replace(since=_NEW)


def _hpa_amount(metric: Field) -> Iterator[Finding]:
    """A target that KServe hands to an HPA, and that the API server refuses there."""
    resource = metric.get("resource")
    name, kind = (text(metric.node, "resource", *path) for path in (("name",), ("target", "type")))
    if resource is None or name not in ("cpu", "memory") or not kind:
        return
    key = "averageUtilization" if name == "cpu" else _AMOUNTS.get(kind, "")
    amount = resource.get("target", key) if key else None
    found = None
    if name == "memory" and kind not in _KEDA_TARGETS["memory"]:
        place = resource.get("target", "type") or resource
        found = place.wrong(f"an HPA follows no {kind} of memory", "write Utilization")
    elif name == "memory" and amount is None:
        place = resource.get("target") or resource
        found = place.wrong_key(f"a target of the type {kind} has no {key}", f"add {key}")
    elif amount is not None and not _is_positive(str(amount.node.value)):
        found = amount.wrong(f"{amount.node.value} is no target for an HPA", "write 1 or more")
    if found:
        message = f"{found.message}, and the API server refuses the HPA"
        yield found._replace(message=message, since=_NEW)


def _is_positive(amount: str) -> bool:
    value = billionths(amount)
    return value is None or value > 0


def _hpa_metric(metric: Field) -> Iterator[Finding]:
    kind = text(metric.node, "type")
    if kind != "Resource":
        message = f"an HPA takes no metric of the type {kind!r}"
        fix = "write Resource, or the autoscaler class keda"
        yield Finding((*metric.path, "type"), message, fix)
    elif not metric.get("resource"):
        yield metric.wrong("there is no resource", "add resource")


def _keda_metric(metric: Field) -> Iterator[Finding]:
    kind = text(metric.node, "type")
    key = _SOURCES.get(kind, "")
    source = metric.get(key)
    if not key:
        message = f"there is no metric of the type {kind!r}"
        yield Finding((*metric.path, "type"), message, "write Resource, External or PodMetric")
    elif not source:
        yield metric.wrong(f"a metric of the type {kind} has no {key}", f"add {key}")
    elif kind == "Resource":
        yield from _keda_resource(source)
    else:
        yield from _keda_query(source)


def _keda_resource(resource: Field) -> Iterator[Finding]:
    name, kind = text(resource.node, "name"), text(resource.node, "target", "type")
    allowed = _KEDA_TARGETS.get(name, (kind,))
    if kind in allowed:
        yield from _target_amount(resource)
    else:
        path = (*resource.path, "target", "type")
        message = f"a target of {name} is no {kind or 'target'}"
        yield Finding(path, message, f"write {listed(allowed, 'or')}")


def _keda_query(source: Field) -> Iterator[Finding]:
    if not text(source.node, "metric", "query"):
        yield Finding((*source.path, "metric", "query"), "there is no query", "add query")
    if not source.get("target", "value"):
        yield Finding((*source.path, "target", "value"), "the target has no value", "add value")
    else:
        yield from _target_amount(source)


def _target_amount(source: Field) -> Iterator[Finding]:
    """The amount of a target, in the field of its type."""
    kind = text(source.node, "target", "type")
    key = _AMOUNTS.get(kind, "")
    found = source.get("target", key)
    if not key:
        return
    if found is None:
        path = (*source.path, "target", key)
        yield Finding(path, f"a target of the type {kind} has no {key}", f"add {key}")
        return
    value = found.node.value
    if isinstance(value, int) and kind == "Utilization":
        if not 1 <= value <= _PERCENT:
            yield found.wrong(f"{value} is not a percentage", "write a number from 1 to 100")
    elif kind == "AverageValue" and text(source.node, "name") == "memory":
        least, given = billionths(_LEAST_MEMORY), billionths(str(value))
        if least is not None and given is not None and given < least:
            yield found.wrong(f"{value} of memory is too little", f"write {_LEAST_MEMORY} or more")


RULES = rules_with_source((metrics_are_whole,), WEBHOOK)
