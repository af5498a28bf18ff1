"""Numbers that are right each by itself, and where one makes the other idle or out of reach."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.inference_service import TRANSFORMER, InferenceService
from renderer.backends.kserve.rules.deciding_settings import following_the_mode
from renderer.backends.kserve.rules.scaling import KPA, autoscaler
from renderer.backends.kserve.rules.sources import AGENT, KNATIVE_SERVING, RECONCILERS
from renderer.backends.kserve.rules.workers import has_workers
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_MILLISECONDS = 1000
_V2 = ("v2", "grpc-v2")


@rule("KSV374", Severity.WARNING, "InferenceService", since="0.2.0")
def target_is_within_the_bound(service: InferenceService) -> Iterator[Finding]:
    """A `scaleTarget` of requests at a time is not above `containerConcurrency`.

    Knative lets no more requests than that into a replica, and takes the lower of the two as its
    target: what is above it has no effect (inferred from the source).

    Fails: predictor: {scaleMetric: concurrency, scaleTarget: 20, containerConcurrency: 8}
    Passes with: predictor: {scaleTarget: 4}
    """
    if service.mode != KNATIVE or autoscaler(service) != KPA:
        return
    for component in service.components:
        target, most = component.number("scaleTarget"), component.number("containerConcurrency")
        is_of_requests = text(component.node, "scaleMetric") in ("", "concurrency")
        if target and most and 0 < most < target and is_of_requests and not component.is_canary:
            message = f"the target of {target} is never reached: containerConcurrency is {most}"
            fix = f"write {most} or less, or raise containerConcurrency"
            yield Finding((*component.path, "scaleTarget"), f"{message} (inferred)", fix)


@rule("KSV375", Severity.WARNING, "InferenceService", since="0.2.0")
def batches_are_sent_in_time(service: InferenceService) -> Iterator[Finding]:
    """The `maxLatency` of a batcher, in milliseconds, is below the `timeout`, in seconds.

    A request waits so long for others to make a batch with. It ends before the model sees it
    otherwise, unless the batch is full.

    Fails: predictor: {timeout: 60, batcher: {maxBatchSize: 16, maxLatency: 90000}}
    Passes with: predictor: {batcher: {maxLatency: 90}}
    """
    for component in service.components:
        given = Field(component.path, component.node).get("batcher", "maxLatency")
        timeout, waits = component.number("timeout"), given.node.value if given else None
        if given and timeout and isinstance(waits, int) and waits >= timeout * _MILLISECONDS:
            message = f"a batch waits for {waits} ms, and requests end after {timeout} s"
            yield given.wrong(
                message, f"write less than {timeout * _MILLISECONDS}, in milliseconds"
            )


@rule("KSV376", Severity.WARNING, "InferenceService", since="0.2.0", reads=("predictor.model",))
def batches_are_of_v1(service: InferenceService) -> Iterator[Finding]:
    """A batcher is for models that are asked over v1.

    The agent puts together what is sent to `:predict` alone; requests of the protocol v2 pass it
    one by one (inferred from the source).

    Fails: predictor: {model: {protocolVersion: v2}, batcher: {maxBatchSize: 16}}
    Passes: predictor: {batcher: {maxBatchSize: 16}}
    """
    if "batcher" in service.predictor.node.items and service.protocol in _V2:
        message = f"over {service.protocol} nothing is put together: a batcher is of v1 (inferred)"
        path = (*service.predictor.path, "batcher")
        yield Finding(path, message, "delete it, or write protocolVersion: v1", at_key=True)


@rule("KSV377", Severity.WARNING, "InferenceService", since="0.2.0")
def transformer_waits_for_the_predictor(service: InferenceService) -> Iterator[Finding]:
    """In Knative mode, the `timeout` of a transformer is not below that of the predictor.

    Requests go through both: the first gives up while the second still works on an answer.

    Fails:
        predictor: {timeout: 60}
        transformer: {timeout: 10, containers: [{name: kserve-container}]}
    Passes with: transformer: {timeout: 60}
    """
    transformer = service.component(TRANSFORMER)
    if service.mode != KNATIVE or transformer is None:
        return
    first, second = transformer.number("timeout"), service.predictor.number("timeout")
    if first and second and first < second:
        message = (
            f"the transformer gives up after {first} s, and the predictor works up to {second}"
        )
        yield Finding((*transformer.path, "timeout"), message, f"write {second} or more")


@rule("KSV382", Severity.WARNING, "InferenceService", since="0.2.0", reads=("predictor",))
def workers_have_work(service: InferenceService) -> Iterator[Finding]:
    """A predictor with workers is spread over more than one pod.

    With a pipelineParallelSize and a tensorParallelSize of 1 the first pod does all, and there are
    no replicas of workers (inferred from the source).

    Fails: predictor: {workerSpec: {pipelineParallelSize: 1, tensorParallelSize: 1}}
    Passes with: predictor: {workerSpec: {pipelineParallelSize: 2}}
    """
    own = service.predictor.node.get("workerSpec")
    if own is None or not has_workers(service):
        return
    spec = service.runtime.spec if service.runtime else None
    below = spec.tree.get("workerSpec") if spec else None
    layers = [item for item in (own, below) if item]
    sizes = [
        next((node.value for item in layers if (node := item.get(key))), None)
        for key in ("pipelineParallelSize", "tensorParallelSize")
    ]
    if sizes == [1, 1]:
        keys = [key for key in ("pipelineParallelSize",) if key in own.items]
        path = (*service.predictor.path, "workerSpec", *keys)
        message = "with sizes of 1 there are no workers: the first pod does all (inferred)"
        fix = "write a pipelineParallelSize of 2 or more, or delete workerSpec"
        yield Finding(path, message, fix, at_key=not keys)


RULES = (
    *rules_with_source(following_the_mode((target_is_within_the_bound,)), KNATIVE_SERVING),
    *rules_with_source((batches_are_sent_in_time, batches_are_of_v1), AGENT),
    *rules_with_source(
        (*following_the_mode((transformer_waits_for_the_predictor,)), workers_have_work),
        RECONCILERS,
    ),
)
