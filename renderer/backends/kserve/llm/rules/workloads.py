"""How many pods a workload has and how a model is spread over them, as the webhook judges it."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.llm.rules.sources import VALIDATION
from renderer.backends.kserve.llm.service import PREFILL, LlmView
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"


def workloads(view: LlmView) -> Iterator[Field]:
    """The pods that serve, and those that only read prompts."""
    whole = Field((), view.tree)
    yield whole
    if prefill := whole.get(PREFILL):
        yield prefill


@rule("KSV501", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def replicas_or_scaling(view: LlmView) -> Iterator[Finding]:
    """A workload has `replicas` or `scaling`, not both.

    The API server refuses the object.

    Fails: {replicas: 2, scaling: {maxReplicas: 4, wva: {keda: {}}}}
    Passes: {scaling: {minReplicas: 2, maxReplicas: 4, wva: {keda: {}}}}
    """
    for workload in workloads(view):
        given = workload.get("replicas")
        if given and workload.get("scaling"):
            yield given.wrong_key(
                "replicas stands beside scaling, which says how many pods there are",
                "delete replicas, or scaling",
            )


@rule("KSV502", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def workers_share_something(view: LlmView) -> Iterator[Finding]:
    """A `worker` needs data or pipeline parallelism: otherwise nothing is spread over nodes.

    KServe's webhook refuses the object.

    Fails: {template: {}, worker: {}}
    Passes: {template: {}, worker: {}, parallelism: {data: 2, dataLocal: 1}}
    """
    for workload in workloads(view):
        worker = workload.get("worker")
        kinds = ("data", "dataLocal", "pipeline")
        if worker and not any(workload.get("parallelism", kind) for kind in kinds):
            yield worker.wrong_key(
                "there is a worker, but neither data nor pipeline parallelism",
                "write parallelism, such as {data: 2, dataLocal: 1}, or delete the worker",
            )


@rule("KSV503", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def pipeline_or_data(view: LlmView) -> Iterator[Finding]:
    """Pipeline parallelism and data parallelism exclude each other.

    KServe's webhook refuses the object.

    Fails: {parallelism: {pipeline: 2, data: 2, dataLocal: 1}}
    Passes: {parallelism: {data: 2, dataLocal: 1}}
    """
    for workload in workloads(view):
        pipeline = workload.get("parallelism", "pipeline")
        others = [key for key in ("data", "dataLocal") if workload.get("parallelism", key)]
        if pipeline and others:
            yield pipeline.wrong_key(
                f"pipeline stands beside {' and '.join(others)}",
                "delete pipeline, or data and dataLocal",
            )


@rule("KSV504", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def copies_are_counted_twice(view: LlmView) -> Iterator[Finding]:
    """Data parallelism says how many copies there are, and how many of them are on one node.

    KServe's webhook refuses one without the other.

    Fails: {parallelism: {data: 4}}
    Passes: {parallelism: {data: 4, dataLocal: 2}}
    """
    for workload in workloads(view):
        for given, missing in (("data", "dataLocal"), ("dataLocal", "data")):
            field = workload.get("parallelism", given)
            if field and not workload.get("parallelism", missing):
                yield field.wrong_key(
                    f"{given} stands without {missing}",
                    f"write {missing} too: data copies in all, dataLocal of them on each node",
                )


@rule("KSV505", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def scaling_has_one_actuator(view: LlmView) -> Iterator[Finding]:
    """`scaling` has `wva` with `hpa` or `keda`, one of both, the same for prefill as for the rest.

    The API server and KServe's webhook refuse the object.

    Fails: {scaling: {maxReplicas: 4, wva: {hpa: {}, keda: {}}}}
    Passes: {scaling: {maxReplicas: 4, wva: {keda: {}}}}
    """
    chosen = []
    for workload in workloads(view):
        scaling = workload.get("scaling")
        if scaling is None:
            continue
        given = [item for key in ("hpa", "keda") if (item := scaling.get("wva", key))]
        chosen.append(given)
        if not given:
            yield scaling.wrong_key(
                "scaling says no autoscaler", "write wva: {keda: {}} or wva: {hpa: {}}"
            )
        elif len(given) > 1:
            yield given[1].wrong_key("both hpa and keda are given", "keep one of both")
    match chosen:
        case [[decode], [prefill]] if decode.name != prefill.name:
            yield prefill.wrong_key(
                f"prefill is scaled by {prefill.name}, the other pods by {decode.name}",
                f"write {decode.name} here too",
            )


@rule("KSV506", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def bounds_are_in_order(view: LlmView) -> Iterator[Finding]:
    """`minReplicas` is at most `maxReplicas`, and `idleReplicaCount` below `minReplicas`.

    The API server refuses the object. Without `minReplicas` there is at least one pod.

    Fails: {scaling: {minReplicas: 5, maxReplicas: 4, wva: {keda: {}}}}
    Passes: {scaling: {minReplicas: 2, maxReplicas: 4, wva: {keda: {}}}}
    """
    for workload in workloads(view):
        least = number(workload, "scaling", "minReplicas") or 1
        most = number(workload, "scaling", "maxReplicas")
        lowest = workload.get("scaling", "minReplicas") or workload.get("scaling", "maxReplicas")
        if lowest and most is not None and least > most:
            yield lowest.wrong(
                f"at least {least} pods are asked for, but at most {most}",
                f"write at most {most}, or a larger maxReplicas",
            )
        idle = workload.get("scaling", "wva", "keda", "idleReplicaCount")
        count = number(workload, "scaling", "wva", "keda", "idleReplicaCount")
        if idle and count is not None and count >= least:
            yield idle.wrong(
                f"idleReplicaCount is {count}, and minReplicas {least}",
                "write less than minReplicas, or delete idleReplicaCount",
            )


def number(field: Field, *path: str) -> int | None:
    """The whole number at a path."""
    found = text(field.node, *path)
    return int(found) if found.isdecimal() else None


CONFIG_RULES = rules_with_source((replicas_or_scaling, bounds_are_in_order), VALIDATION)
RULES = rules_with_source(
    (
        replicas_or_scaling,
        workers_share_something,
        pipeline_or_data,
        copies_are_counted_twice,
        scaling_has_one_actuator,
        bounds_are_in_order,
    ),
    VALIDATION,
)
