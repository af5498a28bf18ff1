"""Annotations and labels that a platform reads: whether their values are heeded or refused."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import text
from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.inference_service import Component, InferenceService
from renderer.backends.kserve.metadata_keys import (
    ANNOTATIONS,
    AUTOSCALING,
    KNATIVE_KEYS,
    KPA,
    KSERVE_KEYS,
    LABELS,
    REPLACED,
    RUNTIME_KEYS,
    RUNTIME_POD_KEYS,
    Key,
    older_spellings,
)
from renderer.backends.kserve.rules.sources import KNATIVE_METADATA, METADATA
from renderer.backends.kserve.runtime_view import RuntimeView
from renderer.kubernetes.pods import Field
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node


def entries(holder: Field) -> Iterator[Field]:
    """The annotations and labels of a service, a component or a runtime."""
    for field in (ANNOTATIONS, LABELS):
        yield from holder.members(field).values()


def holders(service: InferenceService) -> Iterator[Field]:
    """What has labels and annotations: the service itself, then its components."""
    yield Field((), service.tree)
    yield from (Field(item.path, item.node) for item in service.components)


def is_replaced(entry: Field, service: InferenceService) -> bool:
    """Whether all components that an annotation is meant for have a field in its place."""
    field, place = REPLACED.get(entry.name, ""), entry.path[:-2]
    meant = (item for item in service.components if place in ((), item.path))
    return all(field in item.node.items for item in meant if not item.is_canary)


def _unfit(holder: Field, keys: Mapping[str, Key]) -> Iterator[tuple[Field, str]]:
    """The entries of a table that do not have their form, and what to write."""
    for entry in entries(holder):
        key = keys.get(older_spellings().get(entry.name, entry.name))
        form = key.form if key and key.field == entry.path[-2] else None
        if form and entry.text and not form.fits(entry.text):
            yield entry, suggest(entry.text, form.words, f"write {form.expected}")


@rule("KSV236", Severity.WARNING, "InferenceService", since="0.2.0")
def metadata_is_heeded(service: InferenceService) -> Iterator[Finding]:
    """An annotation or label that KServe compares with few words has one of them.

    Others are not heeded, and nobody says so: `networking.kserve.io/visibility: cluster_local`
    leaves the service open to all, `serving.kserve.io/stop: yes` leaves it running (inferred from
    the source, unless the message says otherwise).

    Fails: annotations: {serving.kserve.io/stop: 'yes'}
    Passes: annotations: {serving.kserve.io/stop: 'true'}
    """
    for holder in holders(service):
        for entry, fix in _unfit(holder, KSERVE_KEYS):
            if service.mode == KNATIVE or not entry.name.startswith(AUTOSCALING):
                yield entry.wrong(f"{entry.text!r} has no effect in {entry.name} (inferred)", fix)


@rule("KSV237", Severity.ERROR, "InferenceService", since="0.2.0")
def knative_takes_the_annotation(service: InferenceService) -> Iterator[Finding]:
    """In Knative mode, an annotation that Knative reads is of the form that it takes.

    KServe passes it on, and Knative's webhook refuses the service that KServe makes (observed for
    a target that is too small, inferred from the source for others). What KServe writes itself from
    scaleTarget and scaleMetric is not looked at.

    Fails: annotations: {autoscaling.knative.dev/window: '60'}
    Passes: annotations: {autoscaling.knative.dev/window: 60s}
    """
    if service.mode != KNATIVE:
        return
    for holder in holders(service):
        for entry, fix in _unfit(holder, KNATIVE_KEYS):
            if not is_replaced(entry, service):
                message = f"Knative does not take {entry.text!r} for {entry.name} (inferred)"
                yield entry.wrong(message, fix)
        yield from _metrics(holder, service)
    for component in service.components:
        yield from _activation(component, service)


def _activation(component: Component, service: InferenceService) -> Iterator[Finding]:
    """An activation-scale outside of the replicas that KServe writes for a component."""
    key = (ANNOTATIONS, f"{AUTOSCALING}activation-scale")
    holders_of_it = (Field(component.path, component.node), Field((), service.tree))
    given = next((found for item in holders_of_it if (found := item.get(*key))), None)
    if given is None or not given.text.isdecimal() or component.is_canary:
        return
    least, most = component.number("minReplicas") or 1, component.number("maxReplicas")
    if int(given.text) < least or (most and int(given.text) > most):
        message = f"{given.text} is not between the replicas of the {component.kind} (inferred)"
        bounds = f"from {least} to {most}" if most else f"of {least} or more"
        yield given.wrong(message, f"write a number {bounds}")


def _metrics(holder: Field, service: InferenceService) -> Iterator[Finding]:
    """The metric that Knative's own autoscaler does not follow; others may have more."""
    metric = holder.get(ANNOTATIONS, f"{AUTOSCALING}metric")
    scaler = text(service.tree, ANNOTATIONS, f"{AUTOSCALING}class") or KPA
    if metric is None or scaler != KPA or is_replaced(metric, service):
        return
    if metric.text not in ("concurrency", "rps"):
        message = f"Knative's own autoscaler does not follow {metric.text!r} (inferred)"
        yield metric.wrong(message, "write concurrency or rps")


@rule("KSV240", Severity.WARNING, "ServingRuntime", since="0.2.0")
def runtime_metadata_is_heeded(view: RuntimeView) -> Iterator[Finding]:
    """An annotation of a runtime that KServe compares with few words has one of them.

    serving.kserve.io/server-type, in `metadata`, says which server it is (tritonserver, mlserver,
    torchserve and others that KServe treats in their own ways); multinode/executor-backend, among
    the annotations of pods, says how workers are joined. Neither is read in the place of the other
    (inferred from the source).

    Fails: metadata: {annotations: {serving.kserve.io/server-type: triton-server}}
    Passes: metadata: {annotations: {serving.kserve.io/server-type: tritonserver}}
    """
    pods = Field((), view.spec.tree)
    own = pods.get("metadata") or pods._replace(node=Node({}, pods.node.origin))
    for entry, fix in (*_unfit(own, RUNTIME_KEYS), *_unfit(pods, RUNTIME_POD_KEYS)):
        yield entry.wrong(f"{entry.text!r} has no effect in {entry.name} (inferred)", fix)
    for holder, others, place in (
        (pods, RUNTIME_KEYS, "metadata.annotations"),
        (own, RUNTIME_POD_KEYS, "annotations"),
    ):
        for entry in entries(holder):
            if entry.name in others:
                message = f"{entry.name} is read in {place}, and has no effect here (inferred)"
                yield entry.wrong_key(message, f"move it to {place}")


RULES = (
    *rules_with_source((metadata_is_heeded,), METADATA),
    *rules_with_source((knative_takes_the_annotation,), KNATIVE_METADATA),
)
RUNTIME_RULES = rules_with_source((runtime_metadata_is_heeded,), METADATA)
