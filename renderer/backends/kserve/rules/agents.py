"""The agent beside a model, which gathers requests and reports them: batcher and logger."""

from collections.abc import Iterator

from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.sources import (
    AGENT,
    RECONCILERS,
)
from renderer.kubernetes.quantities import nanoseconds
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_HTTP = expression(r"https?://[^/].*")


_MILLISECONDS = 1000
_V2 = ("v2", "grpc-v2")


@rule("KSV243", Severity.ERROR, "InferenceService", since="0.2.0")
def agent_starts(service: PlacelessService) -> Iterator[Finding]:
    """The numbers of a batcher are 1 or more, and the batchInterval of a logger is a duration.

    KServe passes them on as they are to the agent beside the model, which ends at start otherwise,
    so that no pod becomes ready (inferred from the source).

    Fails: predictor: {batcher: {maxBatchSize: 0}}
    Passes: predictor: {batcher: {maxBatchSize: 32, maxLatency: 500}}
    """
    for component in service.components:
        holder = component.field
        for key in ("maxBatchSize", "maxLatency"):
            given = holder.get("batcher", key)
            if given and isinstance(given.node.value, int) and given.node.value < 1:
                message = f"with {given.node.value} the agent of the batcher ends (inferred)"
                yield given.wrong(message, "write 1 or more, or delete it")
        interval = holder.get("logger", "batchInterval")
        if interval and interval.text and nanoseconds(interval.text) is None:
            message = f"{interval.text!r} is no duration: the agent of the logger ends (inferred)"
            yield interval.wrong(message, "write a number with its unit, such as 5s or 100ms")


@rule("KSV244", Severity.WARNING, "InferenceService", since="0.2.0")
def logs_arrive(service: PlacelessService) -> Iterator[Finding]:
    """A logger sends to an address that begins with http:// or https://.

    KServe takes any text. What cannot be sent is lost, and the model goes on (inferred from the
    source).

    Fails: predictor: {logger: {mode: all, url: 'logs.svc:8080'}}
    Passes: predictor: {logger: {mode: all, url: 'http://logs.svc:8080'}}
    """
    for component in service.components:
        for key in ("url", "marshallerUrl"):
            given = component.field.get("logger", key)
            if given and given.text and not _HTTP.fullmatch(given.text):
                message = f"nothing can be sent to {given.text!r} (inferred)"
                yield given.wrong(message, f"write http://{given.text.rpartition('//')[2]}")


@rule("KSV375", Severity.WARNING, "InferenceService", since="0.2.0")
def batches_are_sent_in_time(service: PlacelessService) -> Iterator[Finding]:
    """The `maxLatency` of a batcher, in milliseconds, is below the `timeout`, in seconds.

    A request waits so long for others to make a batch with. It ends before the model sees it
    otherwise, unless the batch is full.

    Fails: predictor: {timeout: 60, batcher: {maxBatchSize: 16, maxLatency: 90000}}
    Passes with: predictor: {batcher: {maxLatency: 90}}
    """
    for component in service.components:
        given = component.field.get("batcher", "maxLatency")
        timeout, waits = component.number("timeout"), given.node.value if given else None
        if given and timeout and isinstance(waits, int) and waits >= timeout * _MILLISECONDS:
            message = f"a batch waits for {waits} ms, and requests end after {timeout} s"
            yield given.wrong(
                message, f"write less than {timeout * _MILLISECONDS}, in milliseconds"
            )


@rule("KSV376", Severity.WARNING, "InferenceService", since="0.2.0", reads=("predictor.model",))
def batches_are_of_v1(service: PlacelessService) -> Iterator[Finding]:
    """A batcher is for models that are asked over v1.

    The agent puts together what is sent to `:predict` alone; requests of the protocol v2 pass it
    one by one (inferred from the source).

    Fails: predictor: {model: {protocolVersion: v2}, batcher: {maxBatchSize: 16}}
    Passes: predictor: {batcher: {maxBatchSize: 16}}
    """
    if service.predictor.has("batcher") and service.protocol in _V2:
        message = f"over {service.protocol} nothing is put together: a batcher is of v1 (inferred)"
        path = (*service.predictor.path, "batcher")
        yield Finding(path, message, "delete it, or write protocolVersion: v1", at_key=True)


@rule("KSV152", Severity.WARNING, "InferenceService")
def batcher_waits_by_latency(service: PlacelessService) -> Iterator[Finding]:
    """How long a batcher waits is its maxLatency; its `timeout` has no effect.

    KServe passes on maxBatchSize and maxLatency alone (inferred from the source).

    Fails: predictor: {batcher: {maxBatchSize: 8, timeout: 60}}
    Passes: predictor: {batcher: {maxBatchSize: 8, maxLatency: 500}}
    """
    for component in service.components:
        if component.node.get("batcher", "timeout") is not None:
            message = "the timeout of a batcher has no effect (inferred)"
            path = (*component.path, "batcher", "timeout")
            yield Finding(path, message, "write maxLatency, in milliseconds", at_key=True)


RULES = (
    *rules_with_source(
        (agent_starts, logs_arrive, batches_are_sent_in_time, batches_are_of_v1), AGENT
    ),
    *rules_with_source((batcher_waits_by_latency,), RECONCILERS),
)
