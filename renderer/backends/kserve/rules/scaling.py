"""How many replicas there are, and what their number follows, in either mode."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.components import AUTOSCALER, Component
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.sources import (
    KNATIVE_SERVING,
    RECONCILERS,
    WEBHOOK,
    name_the_mode,
)
from renderer.backends.kserve.rules.workers import has_unknown_workers
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_KNATIVE_CLASS = "autoscaling.knative.dev/class"
_KNATIVE_HPA = "hpa.autoscaling.knative.dev"
_MOST = "autoscaling.knative.dev/max-scale"
HPA, KEDA, KPA = "HPA", "KEDA", "KPA"
#: The values of scaleMetric for an autoscaler; KEDA reads autoScaling alone.
_METRICS = {HPA: ("cpu", "memory"), KPA: ("concurrency", "rps")}
#: The fields that say what replicas follow.
FOLLOWED = ("scaleMetric", "scaleTarget", "autoScaling")
_PERCENT = 100


def autoscaler(service: PlacelessService) -> str:
    """Which autoscaler's rules KServe's webhook applies; empty if none."""
    if service.mode == STANDARD:
        return {"hpa": HPA, "keda": KEDA}.get(text(service.tree, "annotations", AUTOSCALER), "")
    is_hpa = text(service.tree, "annotations", _KNATIVE_CLASS) == _KNATIVE_HPA
    return HPA if is_hpa else KPA


def scaled_by_hpa(service: PlacelessService) -> bool:
    """Whether a HorizontalPodAutoscaler is made in Standard mode."""
    return service.mode == STANDARD and text(service.tree, "annotations", AUTOSCALER) in ("", "hpa")


def autoscaler_class(component: Component, service: PlacelessService) -> str:
    """What scales a component in Standard mode: its own annotation, else that of the service."""
    if service.mode != STANDARD or component.has("workerSpec"):
        return ""
    own = text(component.node, "annotations", AUTOSCALER)
    return own or text(service.tree, "annotations", AUTOSCALER)


@rule("KSV140", Severity.ERROR, "InferenceService")
def least_is_not_above_most(service: PlacelessService) -> Iterator[Finding]:
    """`minReplicas` is not above `maxReplicas`.

    KServe's webhook refuses that. Without minReplicas there is one; a maxReplicas of 0 is none.

    Fails: predictor: {minReplicas: 3, maxReplicas: 2}
    Passes with: predictor: {maxReplicas: 6}
    """
    for component in service.components:
        least, most = component.number("minReplicas"), component.number("maxReplicas")
        if least is not None and most and least > most:
            message = f"minReplicas is {least}, and maxReplicas {most}"
            path, fix = (
                (*component.path, "minReplicas"),
                f"write {most} or less, or raise maxReplicas",
            )
            yield Finding(path, message, fix)


@rule("KSV141", Severity.ERROR, "InferenceService")
def metric_is_of_the_autoscaler(service: PlacelessService) -> Iterator[Finding]:
    """`scaleMetric` is one that the autoscaler of the mode follows.

    KServe's webhook refuses another: Knative's own autoscaler follows concurrency and rps, an HPA
    (the annotation autoscalerClass: hpa, or Knative's class for it) cpu and memory, and KEDA takes
    no scaleMetric at all, but `autoScaling.metrics`. If it is the mode of a service that changed,
    KServe refuses that, too, once the service is there: it needs another name.

    Fails: predictor: {scaleMetric: cpu}
    Passes: predictor: {scaleMetric: concurrency}
    """
    scaler = autoscaler(service)
    for component in service.stable_components:
        given = text(component.node, "scaleMetric")
        if not given or not scaler:
            continue
        path = (*component.path, "scaleMetric")
        if scaler == KEDA:
            fix = "delete it, and write autoScaling.metrics"
            yield Finding(path, f"KEDA takes no scaleMetric, as in {given}", fix, at_key=True)
        elif given not in _METRICS[scaler]:
            message = f"the autoscaler here ({scaler}) does not follow {given}"
            yield Finding(path, message, f"write {listed(_METRICS[scaler], 'or')}")


@rule("KSV142", Severity.ERROR, "InferenceService")
def target_is_reachable(service: PlacelessService) -> Iterator[Finding]:
    """`scaleTarget` is from 1 to 100 for an HPA, and 1 or more for requests.

    KServe's webhook refuses others, and Knative (observed) a concurrency of 0. The bound of 100
    holds for memory as well. Without the annotation autoscalerClass it is 1 or more.

    Fails:
        annotations:
          serving.kserve.io/deploymentMode: Standard
          serving.kserve.io/autoscalerClass: hpa
        predictor: {scaleTarget: 150}
    Passes with: predictor: {scaleTarget: 80}
    """
    scaler = autoscaler(service)
    for component in service.stable_components:
        target = component.number("scaleTarget")
        if target is None:
            continue
        path = (*component.path, "scaleTarget")
        if scaler == HPA and not 1 <= target <= _PERCENT:
            yield Finding(path, f"{target} is not a percentage", "write a number from 1 to 100")
        elif scaler == KPA and target < 1:
            yield Finding(path, f"{target} requests at a time are too few", "write 1 or more")
        elif not scaler and target < 1 and _reaches_hpa(component, service):
            message = f"{target} is not a percentage, and the API server refuses the HPA"
            yield Finding(path, message, "write 1 or more", since="0.2.0")


def _reaches_hpa(component: Component, service: PlacelessService) -> bool:
    """Whether KServe writes the target of a component into an HPA."""
    is_read = text(component.node, "scaleMetric") in ("", *_METRICS[HPA])
    has_hpa = service.mode == STANDARD and autoscaler_class(component, service) in ("", "hpa")
    return has_hpa and is_read and not component.has("autoScaling")


@rule("KSV143", Severity.ERROR, "InferenceService")
def autoscaler_is_known(service: PlacelessService) -> Iterator[Finding]:
    """The annotation `serving.kserve.io/autoscalerClass` is hpa, external, keda or none.

    KServe's webhook refuses others; external came with 0.12, keda with 0.15, and none with 0.16.
    At a component the webhook takes any, and in Standard mode the controller then makes nothing
    (observed).

    Fails: annotations: {serving.kserve.io/autoscalerClass: kpa}
    Passes:
        annotations:
          serving.kserve.io/deploymentMode: Standard
          serving.kserve.io/autoscalerClass: none
    """
    node, dialect = service.tree.get("annotations", AUTOSCALER), service.settings.dialect
    known = dialect.autoscalers
    is_known = node is None or node.value in known
    if node is not None and not is_known and not has_unknown_workers(service):
        message = f"KServe {dialect} knows no autoscaler {str(node.value)!r}"
        yield Finding(("annotations", AUTOSCALER), message, f"write {listed(known, 'or')}")
    for component in service.stable_components if service.mode == STANDARD else ():
        own = component.field.get("annotations", AUTOSCALER)
        if own and own.text not in known:
            message = f"KServe {dialect} knows no autoscaler {own.text!r}"
            yield own.wrong(message, f"write {listed(known, 'or')}")._replace(since="0.2.0")


@rule("KSV144", Severity.WARNING, "InferenceService")
def metric_is_followed(service: PlacelessService) -> Iterator[Finding]:
    """In Standard mode, what replicas should follow is something that they will follow.

    Without the annotation autoscalerClass nothing is refused, but an HPA follows neither
    concurrency nor rps, nor memory without a scaleTarget: it is made without a metric of its own,
    and Kubernetes then takes cpu at 80 % (observed). With the classes none and external, KServe
    makes no autoscaler at all, and with none there are as many replicas as minReplicas (observed).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {scaleMetric: concurrency}
    Passes with: predictor: {scaleMetric: cpu}
    """
    if service.mode != STANDARD:
        return
    given = text(service.tree, "annotations", AUTOSCALER)
    for component in service.stable_components:
        metric = text(component.node, "scaleMetric")
        path = (*component.path, "scaleMetric")
        if given in ("none", "external"):
            message = f"with the autoscaler class {given}, nothing follows this"
            for field in component.field.present(FOLLOWED):
                yield field.wrong_key(message, "delete it")
            yield from _unused_maximum(component) if given == "none" else ()
        elif not given and metric in _METRICS[KPA]:
            message = f"an HPA does not follow {metric}: it takes cpu at 80 %"
            yield Finding(path, message, "write cpu, or use Knative mode")
        elif given in ("", "hpa") and metric == "memory" and not component.has("scaleTarget"):
            message = "without a scaleTarget, memory is not followed"
            yield Finding(path, message, "add scaleTarget, a percentage")


def _unused_maximum(component: Component) -> Iterator[Finding]:
    """With the class none nothing ever makes more replicas than minReplicas."""
    least, most = component.number("minReplicas"), component.number("maxReplicas")
    has_room = most and most > (1 if least is None else least)
    if has_room and not component.has("workerSpec"):  # whose pods are as many as the workers
        message = "with the autoscaler class none there are as many replicas as minReplicas"
        path = (*component.path, "maxReplicas")
        yield Finding(path, message, "delete it, or write minReplicas", at_key=True, since="0.2.0")


@rule("KSV145", Severity.WARNING, "InferenceService")
def standard_does_not_scale_to_zero(service: PlacelessService) -> Iterator[Finding]:
    """In Standard mode an HPA keeps at least one replica.

    KServe raises a minReplicas of 0 to 1, without a word. Scaling to zero needs Knative, or KEDA.

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {minReplicas: 0}
    Passes: predictor: {minReplicas: 0}
    """
    if not scaled_by_hpa(service):
        return
    for component in service.stable_components:
        if component.number("minReplicas") == 0:
            path, message = (
                (*component.path, "minReplicas"),
                "in Standard mode minReplicas: 0 means 1",
            )
            yield Finding(path, message, "write 1, or use Knative mode or KEDA")


@rule("KSV146", Severity.WARNING, "InferenceService", reads=("predictor", "transformer"))
def knative_has_a_bound(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode components have maxReplicas.

    Without it (or with 0) Knative adds as many replicas as requests ask for, without a bound.

    Fails: predictor: {maxReplicas: null}
    Passes: predictor: {maxReplicas: 4}
    """
    if service.mode != KNATIVE or service.tree.get("annotations", _MOST) is not None:
        return
    for component in service.stable_components:
        if not component.number("maxReplicas") and not component.node.get("annotations", _MOST):
            message = f"nothing bounds the replicas of the {component.kind}"
            yield Finding((*component.path, "maxReplicas"), message, "add maxReplicas")


@rule("KSV147", Severity.ERROR, "InferenceService")
def knative_has_no_strategy(service: PlacelessService) -> Iterator[Finding]:
    """A `deploymentStrategy` is for Standard mode.

    KServe's webhook refuses it in Knative mode, where there is no Deployment to have one.

    Fails: predictor: {deploymentStrategy: {type: Recreate}}
    Passes with: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    if autoscaler(service) != KPA:
        return
    for component in service.stable_components:
        for field in component.field.present(("deploymentStrategy",)):
            message = f"{service.mode} mode has no deploymentStrategy"
            yield field.wrong_key(message, "delete it, or use Standard mode")


@rule("KSV374", Severity.WARNING, "InferenceService", since="0.2.0")
def target_is_within_the_bound(service: PlacelessService) -> Iterator[Finding]:
    """A `scaleTarget` of requests at a time is not above `containerConcurrency`.

    Knative lets no more requests than that into a replica, and takes the lower of the two as its
    target: what is above it has no effect (inferred from the source).

    Fails: predictor: {scaleMetric: concurrency, scaleTarget: 20, containerConcurrency: 8}
    Passes with: predictor: {scaleTarget: 4}
    """
    if service.mode != KNATIVE or autoscaler(service) != KPA:
        return
    for component in service.stable_components:
        target, most = component.number("scaleTarget"), component.number("containerConcurrency")
        is_of_requests = text(component.node, "scaleMetric") in ("", "concurrency")
        if target and most and 0 < most < target and is_of_requests:
            message = f"the target of {target} is never reached: containerConcurrency is {most}"
            fix = f"write {most} or less, or raise containerConcurrency"
            yield Finding((*component.path, "scaleTarget"), f"{message} (inferred)", fix)


RULES = (
    *rules_with_source(
        (
            least_is_not_above_most,
            autoscaler_is_known,
            *name_the_mode(
                (metric_is_of_the_autoscaler, target_is_reachable, knative_has_no_strategy)
            ),
        ),
        WEBHOOK,
    ),
    *rules_with_source(
        name_the_mode((metric_is_followed, standard_does_not_scale_to_zero, knative_has_a_bound)),
        RECONCILERS,
    ),
    *rules_with_source(name_the_mode((target_is_within_the_bound,)), KNATIVE_SERVING),
)
