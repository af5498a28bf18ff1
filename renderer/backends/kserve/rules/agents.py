"""The agent beside a model, which gathers requests and reports them: batcher and logger."""

from collections.abc import Iterator

from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.rules.sources import AGENT
from renderer.kubernetes.pods import Field
from renderer.text.durations import nanoseconds
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_HTTP = expression(r"https?://[^/].*")


@rule("KSV243", Severity.ERROR, "InferenceService", since="0.2.0")
def agent_starts(service: InferenceService) -> Iterator[Finding]:
    """The numbers of a batcher are 1 or more, and the batchInterval of a logger is a duration.

    KServe passes them on as they are to the agent beside the model, which ends at start otherwise,
    so that no pod becomes ready (inferred from the source).

    Fails: predictor: {batcher: {maxBatchSize: 0}}
    Passes: predictor: {batcher: {maxBatchSize: 32, maxLatency: 500}}
    """
    for component in service.components:
        holder = Field(component.path, component.node)
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
def logs_arrive(service: InferenceService) -> Iterator[Finding]:
    """A logger sends to an address that begins with http:// or https://.

    KServe takes any text. What cannot be sent is lost, and the model goes on (inferred from the
    source).

    Fails: predictor: {logger: {mode: all, url: 'logs.svc:8080'}}
    Passes: predictor: {logger: {mode: all, url: 'http://logs.svc:8080'}}
    """
    for component in service.components:
        for key in ("url", "marshallerUrl"):
            given = Field(component.path, component.node).get("logger", key)
            if given and given.text and not _HTTP.fullmatch(given.text):
                message = f"nothing can be sent to {given.text!r} (inferred)"
                yield given.wrong(message, f"write http://{given.text.rpartition('//')[2]}")


RULES = rules_with_source((agent_starts, logs_arrive), AGENT)
