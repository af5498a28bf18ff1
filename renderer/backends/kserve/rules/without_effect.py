"""What KServe takes, and then does nothing with."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.components import AUTOSCALER
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.metadata_keys import LOCAL, VISIBILITY
from renderer.backends.kserve.rules.sources import RECONCILERS, name_the_mode
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Variables of containers of your own, and the fields of a model that say the same.
_FIELDS = {"STORAGE_URI": "storageUri", "PROTOCOL": "protocolVersion"}


@rule("KSV151", Severity.WARNING, "InferenceService")
def autoscaling_is_of_standard(service: PlacelessService) -> Iterator[Finding]:
    """`autoScaling`, scaleMetricType, and the annotation autoscalerClass, are for Standard mode.

    In Knative mode KServe passes on scaleMetric, scaleTarget and the numbers of replicas alone
    (inferred from the source); which autoscaler follows them is said by the annotation
    autoscaling.knative.dev/class.

    Fails:
        predictor:
          autoScaling:
            metrics:
              - type: Resource
                resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}
    Passes: predictor: {scaleMetric: concurrency, scaleTarget: 5}
    """
    if service.mode != KNATIVE:
        return
    message = "in Knative mode this has no effect (inferred)"
    if service.tree.get("annotations", AUTOSCALER) and not service.predictor.has("workerSpec"):
        fix = "delete it, or write autoscaling.knative.dev/class"
        yield Finding(("annotations", AUTOSCALER), message, fix, at_key=True)
    for component in service.components:
        for field in component.field.present(("autoScaling",)):
            yield field.wrong_key(message, "write scaleMetric and scaleTarget")
        for field in component.field.present(("scaleMetricType",)):
            yield field.wrong_key(message, "delete it")._replace(since="0.2.0")


@rule("KSV153", Severity.WARNING, "InferenceService")
def visibility_is_of_the_mode(service: PlacelessService) -> Iterator[Finding]:
    """A service is kept inside of its cluster by the label of its own mode.

    That is networking.kserve.io/visibility in Standard mode and networking.knative.dev/visibility
    in Knative mode. With the other one it can be reached from outside.

    Fails: labels: {networking.kserve.io/visibility: cluster-local}
    Passes: labels: {networking.knative.dev/visibility: cluster-local}
    """
    right = VISIBILITY.get(service.mode, "")
    for label in VISIBILITY.values():
        is_local = text(service.tree, "labels", label) == LOCAL
        if right and label != right and is_local and text(service.tree, "labels", right) != LOCAL:
            message = f"in {service.mode} mode this label does not keep the service inside"
            yield Finding(("labels", label), message, f"write {right}: {LOCAL}", at_key=True)


@rule("KSV154", Severity.WARNING, "InferenceService")
def workers_are_of_standard(service: PlacelessService) -> Iterator[Finding]:
    """A predictor on several nodes (`workerSpec`) runs in Standard mode.

    In Knative mode only the first pod is made (inferred from the source).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Knative}
        predictor: {workerSpec: {}}
    Passes with: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    workers = service.predictor.field.get("workerSpec")
    if workers and service.mode == KNATIVE:
        yield workers.wrong_key(
            "in Knative mode no workers are made (inferred)", "use Standard mode"
        )


@rule("KSV155", Severity.WARNING, "InferenceService")
def percent_is_of_knative(service: PlacelessService) -> Iterator[Finding]:
    """`canaryTrafficPercent` splits requests in Knative mode only.

    In Standard mode it has no effect: all requests go to the new pods as soon as they are there.
    Since 0.20, `canary` does it in Standard mode.

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {canaryTrafficPercent: 10}
    Passes: predictor: {canaryTrafficPercent: 10}
    """
    if service.mode == KNATIVE:
        return
    for component in service.components:
        given = component.number("canaryTrafficPercent")
        if given is not None:
            mode = f"in {service.mode} mode"
            message = f"{mode} {given} % has no effect: the new pods get all requests"
            path = (*component.path, "canaryTrafficPercent")
            yield Finding(path, message, "write canary (0.20), or use Knative mode", at_key=True)


@rule("KSV255", Severity.WARNING, "InferenceService", since="0.2.0")
def concurrency_is_of_knative(service: PlacelessService) -> Iterator[Finding]:
    """`containerConcurrency` of a predictor bounds requests in Knative mode only.

    In Standard mode nothing counts them; transformers and explainers make it the number of their
    workers (inferred from the source).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {containerConcurrency: 4}
    Passes: predictor: {containerConcurrency: 4}
    """
    given = service.predictor.number("containerConcurrency")
    if service.mode == STANDARD and given:
        message = f"in Standard mode nothing bounds requests to {given} at a time (inferred)"
        path = (*service.predictor.path, "containerConcurrency")
        yield Finding(path, message, "delete it, or use Knative mode", at_key=True)


@rule("KSV256", Severity.WARNING, "InferenceService", since="0.2.0")
def variables_of_models_are_fields(service: PlacelessService) -> Iterator[Finding]:
    """A model says by storageUri and protocolVersion where it is and what it speaks.

    KServe reads the variables STORAGE_URI and PROTOCOL of containers of your own alone (inferred
    from the source).

    Fails: predictor: {model: {env: [{name: PROTOCOL, value: v2}]}}
    Passes: predictor: {model: {protocolVersion: v2}}
    """
    model = service.model
    for variable in model.field.each("env") if model else ():
        if field := _FIELDS.get(text(variable.node, "name")):
            message = f"KServe does not read {text(variable.node, 'name')} of a model (inferred)"
            yield Finding((*variable.path, "name"), message, f"write {field}")


@rule("KSV248", Severity.WARNING, "InferenceService", since="0.2.0")
def timeout_of_standard_is_a_time(service: PlacelessService) -> Iterator[Finding]:
    """In Standard mode a `timeout` is not below 0.

    It becomes the timeout of an HTTPRoute, which the API server refuses (inferred); where KServe
    makes an Ingress, it has no effect.

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {timeout: -1}
    Passes with: predictor: {timeout: 60}
    """
    for component in service.components if service.mode == STANDARD else ():
        given = component.number("timeout")
        if given is not None and given < 0:
            message = f"timeout is {given}, less than 0 (inferred)"
            yield Finding((*component.path, "timeout"), message, "write seconds, or delete it")


RULES = rules_with_source(
    (
        *name_the_mode(
            (
                autoscaling_is_of_standard,
                visibility_is_of_the_mode,
                workers_are_of_standard,
                percent_is_of_knative,
                concurrency_is_of_knative,
            )
        ),
        timeout_of_standard_is_a_time,
        variables_of_models_are_fields,
    ),
    RECONCILERS,
)
