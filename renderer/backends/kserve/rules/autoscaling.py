"""`autoScaling` and the other fields that autoscalers follow: what reaches which autoscaler."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.rules.scaling import (
    FOLLOWED,
    HPA,
    KEDA,
    autoscaler,
    autoscaler_class,
    scaled_by_hpa,
)
from renderer.backends.kserve.rules.sources import RECONCILERS, WEBHOOK
from renderer.kubernetes.pods import Field
from renderer.kubernetes.quantities import billionths
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: The field that describes a metric of a type.
_SOURCES = {"Resource": "resource", "External": "external", "PodMetric": "podmetric"}
_LEAST_MEMORY = "1Mi"
#: The types of targets that KServe's webhook takes for KEDA.
_KEDA_TARGETS = {"cpu": ("Utilization",), "memory": ("Utilization", "AverageValue")}
#: The field that has the amount of a target of a type.
_AMOUNTS = {"Utilization": "averageUtilization", "AverageValue": "averageValue", "Value": "value"}
_PERCENT = 100


def _scaled_components(service: InferenceService) -> Iterator[tuple[Component, Field]]:
    """The components that KServe makes an autoscaler for, in Standard mode."""
    if scaled_by_hpa(service) or _is_keda(service):
        yield from ((component, component.field) for component in service.stable_components)


def _is_keda(service: InferenceService) -> bool:
    return autoscaler(service) == KEDA and "keda" in service.settings.dialect.autoscalers


@rule("KSV245", Severity.WARNING, "InferenceService", since="0.2.0")
def behavior_is_passed_on(service: InferenceService) -> Iterator[Finding]:
    """`autoScaling.behavior` has what KServe passes on.

    An HPA is made without it (observed), and KEDA is told stabilizationWindowSeconds alone
    (inferred from the source).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {autoScaling: {behavior: {scaleDown: {stabilizationWindowSeconds: 60}}}}
    Passes with:
        annotations: {serving.kserve.io/autoscalerClass: keda}
        predictor:
          autoScaling:
            metrics:
              - type: Resource
                resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
    """
    for _, holder in _scaled_components(service):
        behavior = holder.get("autoScaling", "behavior")
        if behavior and not _is_keda(service):
            message = "KServe makes the HPA without a behavior (observed)"
            fix = "delete it, or write the autoscaler class keda"
            yield behavior.wrong_key(message, fix)
        elif behavior:
            for field in behavior.present(("scaleUp", "scaleDown")):
                for other in field.present(("policies", "selectPolicy", "tolerance")):
                    message = f"{other.name} does not reach KEDA (inferred)"
                    yield other.wrong_key(message, "delete it")


@rule("KSV246", Severity.WARNING, "InferenceService", since="0.2.0")
def scaling_is_said_once(service: InferenceService) -> Iterator[Finding]:
    """In Standard mode, what replicas follow is said by scaleMetric and scaleTarget or autoScaling.

    With `autoScaling`, an HPA follows its metrics alone, as KEDA always does (inferred from the
    source). scaleMetricType is read by nothing (observed).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor:
          maxReplicas: 4
          scaleTarget: 60
          autoScaling:
            metrics:
              - type: Resource
                resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
    Passes with: predictor: {autoScaling: null}
    """
    for _, holder in _scaled_components(service):
        for field in holder.present(("scaleMetricType",)):
            yield field.wrong_key("nothing reads scaleMetricType (observed)", "delete it")
        if _is_keda(service):
            for field in holder.present(("scaleTarget",)):
                message = "KEDA takes no scaleTarget (inferred)"
                yield field.wrong_key(message, "write autoScaling.metrics")
        elif holder.get("autoScaling"):
            for field in holder.present(("scaleMetric", "scaleTarget")):
                message = f"with autoScaling, {field.name} has no effect (inferred)"
                yield field.wrong_key(message, "delete one of the two")


@rule("KSV252", Severity.WARNING, "InferenceService", since="0.2.0")
def metrics_reach_the_autoscaler(service: InferenceService) -> Iterator[Finding]:
    """In Standard mode, the metrics of `autoScaling` are ones that the autoscaler can follow.

    KServe makes an HPA of those of the type Resource alone, with 80 % for cpu where no
    averageUtilization is given; KEDA has to be told where to ask for a metric (inferred from the
    source).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor:
          maxReplicas: 4
          autoScaling:
            metrics:
              - type: Resource
                resource: {name: cpu, target: {type: AverageValue, averageValue: 500m}}
    Passes with:
        predictor:
          autoScaling:
            metrics:
              - type: Resource
                resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
    """
    for _, holder in _scaled_components(service):
        check = _keda_address if _is_keda(service) else _hpa_target
        for metric in holder.each("autoScaling", "metrics"):
            yield from check(metric, service)


def _keda_address(metric: Field, _service: InferenceService) -> Iterator[Finding]:
    """KEDA needs an address to query; without a query the webhook refuses the metric."""
    external = metric.get("external", "metric")
    if external and external.get("query") and not external.get("serverAddress"):
        message = "KEDA does not know where to ask for this (inferred)"
        yield external.wrong_key(message, "add serverAddress")


def _hpa_target(metric: Field, service: InferenceService) -> Iterator[Finding]:
    """KServe makes the HPA without such metrics; with the class hpa the webhook refuses them."""
    kind, target = text(metric.node, "type"), metric.get("resource", "target")
    if kind != "Resource" and autoscaler(service) != HPA:
        message = f"an HPA follows no metric of the type {kind} (inferred)"
        yield metric.wrong(message, "write Resource, or the autoscaler class keda")
    is_cpu = text(metric.node, "resource", "name") == "cpu"
    if is_cpu and target and target.get("averageUtilization") is None:
        message = "of cpu an HPA follows averageUtilization alone: it takes 80 % (inferred)"
        yield target.wrong_key(message, "add averageUtilization")


@rule("KSV247", Severity.WARNING, "InferenceService", since="0.2.0")
def followed_numbers_can_change(service: InferenceService) -> Iterator[Finding]:
    """In Standard mode, a component that says what its replicas follow has maxReplicas.

    Without it (or with 0) there are as many as minReplicas, always: the autoscaler has no room
    (observed).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {scaleMetric: cpu, scaleTarget: 60}
    Passes with: predictor: {maxReplicas: 4}
    """
    for component, holder in _scaled_components(service):
        found = holder.present(FOLLOWED)
        if found and not component.number("maxReplicas"):
            message = "without maxReplicas there are as many replicas as minReplicas, always"
            yield found[0].wrong_key(message, "add maxReplicas")


@rule("KSV150", Severity.ERROR, "InferenceService")
def metrics_are_whole(service: InferenceService) -> Iterator[Finding]:
    """The metrics of `autoScaling` have what the autoscaler needs.

    Checked by KServe's webhook where an HPA or KEDA is asked for. An HPA takes metrics of the type
    Resource. For KEDA a target of cpu is a Utilization, one of memory a Utilization or an
    AverageValue of 1Mi or more, and other metrics have a query and a target.value. Without any
    metric no object of KEDA can be made, and the service is never ready (observed).

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
            yield found.wrong(f"{value} is no percentage", "write a number from 1 to 100")
    elif kind == "AverageValue" and text(source.node, "name") == "memory":
        least, given = billionths(_LEAST_MEMORY), billionths(str(value))
        if least is not None and given is not None and given < least:
            yield found.wrong(f"{value} of memory is too little", f"write {_LEAST_MEMORY} or more")


RULES = (
    *rules_with_source((metrics_are_whole,), WEBHOOK),
    *rules_with_source(
        (
            behavior_is_passed_on,
            scaling_is_said_once,
            metrics_reach_the_autoscaler,
            followed_numbers_can_change,
        ),
        RECONCILERS,
    ),
)
