"""`autoScaling` and the other fields that autoscalers follow: what reaches which autoscaler."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.scaling import (
    FOLLOWED,
    HPA,
    KEDA,
    autoscaler,
    scaled_by_hpa,
)
from renderer.backends.kserve.rules.sources import RECONCILERS
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source


def _scaled_components(service: PlacelessService) -> Iterator[tuple[Component, Field]]:
    """The components that KServe makes an autoscaler for, in Standard mode."""
    if scaled_by_hpa(service) or _is_keda(service):
        yield from ((component, component.field) for component in service.stable_components)


def _is_keda(service: PlacelessService) -> bool:
    return autoscaler(service) == KEDA and "keda" in service.settings.dialect.autoscalers


@rule("KSV245", Severity.WARNING, "InferenceService", since="0.2.0")
def behavior_is_passed_on(service: PlacelessService) -> Iterator[Finding]:
    """`autoScaling.behavior` has what KServe passes on.

    An HPA is made without it (observed), and KEDA gets stabilizationWindowSeconds alone
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
            message = "KServe makes the HPA without a behavior"
            fix = "delete it, or write the autoscaler class keda"
            yield behavior.wrong_key(message, fix)
        elif behavior:
            for field in behavior.present(("scaleUp", "scaleDown")):
                for other in field.present(("policies", "selectPolicy", "tolerance")):
                    message = f"{other.name} does not reach KEDA (inferred)"
                    yield other.wrong_key(message, "delete it")


@rule("KSV246", Severity.WARNING, "InferenceService", since="0.2.0")
def scaling_is_said_once(service: PlacelessService) -> Iterator[Finding]:
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
            yield field.wrong_key("nothing reads scaleMetricType", "delete it")
        if _is_keda(service):
            for field in holder.present(("scaleTarget",)):
                message = "KEDA takes no scaleTarget (inferred)"
                yield field.wrong_key(message, "write autoScaling.metrics")
        elif holder.get("autoScaling"):
            for field in holder.present(("scaleMetric", "scaleTarget")):
                message = f"with autoScaling, {field.name} has no effect (inferred)"
                yield field.wrong_key(message, "delete one of the two")


@rule("KSV252", Severity.WARNING, "InferenceService", since="0.2.0")
def metrics_reach_the_autoscaler(service: PlacelessService) -> Iterator[Finding]:
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


def _keda_address(metric: Field, _service: PlacelessService) -> Iterator[Finding]:
    """KEDA needs an address to query; without a query the webhook refuses the metric."""
    external = metric.get("external", "metric")
    if external and external.get("query") and not external.get("serverAddress"):
        message = "KEDA does not know where to ask for this (inferred)"
        yield external.wrong_key(message, "add serverAddress")


def _hpa_target(metric: Field, service: PlacelessService) -> Iterator[Finding]:
    """KServe makes the HPA without such metrics; with the class hpa the webhook refuses them."""
    kind, target = text(metric.node, "type"), metric.get("resource", "target")
    if kind != "Resource" and autoscaler(service) != HPA:
        message = f"an HPA follows no metric of the type {kind} (inferred)"
        yield metric.wrong(message, "write Resource, or the autoscaler class keda")
    is_cpu = text(metric.node, "resource", "name") == "cpu"
    if is_cpu and target and target.get("averageUtilization") is None:
        message = "without averageUtilization an HPA takes 80 % for cpu (inferred)"
        yield target.wrong_key(message, "add averageUtilization")


@rule("KSV247", Severity.WARNING, "InferenceService", since="0.2.0")
def followed_numbers_can_change(service: PlacelessService) -> Iterator[Finding]:
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


RULES = rules_with_source(
    (
        behavior_is_passed_on,
        scaling_is_said_once,
        metrics_reach_the_autoscaler,
        followed_numbers_can_change,
    ),
    RECONCILERS,
)
