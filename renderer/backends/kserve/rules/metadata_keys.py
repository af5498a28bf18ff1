"""Annotations and labels that a platform reads: where they stand, and their values."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import text
from renderer.backends.kserve.components import FROZEN, MODE, PREDICTOR, STOP, Component
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.metadata_keys import (
    ANNOTATIONS,
    AUTOSCALING,
    DROPPED,
    KNATIVE_KEYS,
    KPA,
    KSERVE_KEYS,
    LABELS,
    REPLACED,
    RETIRED,
    RETIRED_SINCE,
    RUNTIME_KEYS,
    RUNTIME_POD_KEYS,
    TAG_ROUTING,
    Key,
    every_key,
    older_spellings,
)
from renderer.backends.kserve.rules.knative_pods import knative_pods
from renderer.backends.kserve.rules.sources import (
    KNATIVE_METADATA,
    METADATA,
    RECONCILERS,
    name_the_mode,
)
from renderer.backends.kserve.serving_runtime import RuntimeView
from renderer.kubernetes.pods import Field
from renderer.text.wording import misspelt, nearest, suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_INTERNAL = "internal.serving.kserve.io/"
#: Of these KSV365 says that they count on the service alone.
_SERVICE_KEYS = frozenset((MODE, STOP, FROZEN))
_PLATFORMS = ("kserve", "knative")


def entries(holder: Field) -> Iterator[Field]:
    """The annotations and labels of a service, a component or a runtime."""
    for field in (ANNOTATIONS, LABELS):
        yield from holder.members(field).values()


def holders(service: PlacelessService) -> Iterator[Field]:
    """What has labels and annotations: the service itself, then its components."""
    yield Field((), service.tree)
    yield from (item.field for item in service.components)


def is_replaced(entry: Field, service: PlacelessService) -> bool:
    """Whether all components that an annotation is meant for have a field in its place."""
    field, place = REPLACED.get(entry.name, ""), entry.path[:-2]
    meant = (item for item in service.stable_components if place in ((), item.path))
    return all(item.has(field) for item in meant)


def _invalid_values(holder: Field, keys: Mapping[str, Key]) -> Iterator[tuple[Field, str]]:
    """The entries of a table that do not have their form, and what to write."""
    for entry in entries(holder):
        key = keys.get(older_spellings().get(entry.name, entry.name))
        form = key.form if key and key.field == entry.path[-2] else None
        if form and entry.text and not form.fits(entry.text):
            yield entry, suggest(entry.text, form.words, f"write {form.expected}")


@rule("KSV236", Severity.WARNING, "InferenceService", since="0.2.0")
def metadata_is_heeded(service: PlacelessService) -> Iterator[Finding]:
    """An annotation or label that KServe compares with few words has one of them.

    Others are ignored silently: `networking.kserve.io/visibility: cluster_local`
    leaves the service open to all, `serving.kserve.io/stop: yes` leaves it running (inferred from
    the source, unless the message says otherwise).

    Fails: annotations: {serving.kserve.io/stop: 'yes'}
    Passes: annotations: {serving.kserve.io/stop: 'true'}
    """
    for holder in holders(service):
        for entry, fix in _invalid_values(holder, KSERVE_KEYS):
            if service.mode == KNATIVE or not entry.name.startswith(AUTOSCALING):
                yield entry.wrong(f"{entry.text!r} has no effect in {entry.name} (inferred)", fix)


@rule("KSV237", Severity.ERROR, "InferenceService", since="0.2.0")
def knative_takes_the_annotation(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, an annotation that Knative reads is of the form that it takes.

    KServe passes it on, and Knative's webhook refuses the service that KServe makes (observed for
    a target that is too small, inferred from the source for others). What KServe writes itself from
    scaleTarget and scaleMetric is not looked at. What the runtime has in its `annotations` counts.

    Fails: annotations: {autoscaling.knative.dev/window: '60'}
    Passes: annotations: {autoscaling.knative.dev/window: 60s}
    """
    if service.mode != KNATIVE:
        return
    for holder in holders(service):
        for entry, fix in _invalid_values(holder, KNATIVE_KEYS):
            if not is_replaced(entry, service):
                message = f"Knative does not take {entry.text!r} for {entry.name} (inferred)"
                yield entry.wrong(message, fix)
        yield from _knative_metric(holder, service)
    for pod in (item for item in knative_pods(service) if item.place):
        for entry, fix in _invalid_values(Field((PREDICTOR,), pod.pod.node), KNATIVE_KEYS):
            if not is_replaced(entry, service):
                message = f"Knative does not take {entry.text!r} for {entry.name} (inferred)"
                yield pod.report(entry._replace(path=entry.path[1:]), entry.wrong(message, fix))
    for component in service.stable_components:
        yield from _activation_scale(component, service)


def _activation_scale(component: Component, service: PlacelessService) -> Iterator[Finding]:
    """An activation-scale outside of the replicas that KServe writes for a component."""
    key = (ANNOTATIONS, f"{AUTOSCALING}activation-scale")
    holders_of_it = (component.field, Field((), service.tree))
    given = next((found for item in holders_of_it if (found := item.get(*key))), None)
    if given is None or not given.text.isdecimal():
        return
    least, most = component.number("minReplicas") or 1, component.number("maxReplicas")
    if int(given.text) < least or (most and int(given.text) > most):
        message = f"{given.text} is not between the replicas of the {component.kind} (inferred)"
        bounds = f"from {least} to {most}" if most else f"of {least} or more"
        yield given.wrong(message, f"write a number {bounds}")


def _knative_metric(holder: Field, service: PlacelessService) -> Iterator[Finding]:
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
    for entry, fix in (
        *_invalid_values(own, RUNTIME_KEYS),
        *_invalid_values(pods, RUNTIME_POD_KEYS),
    ):
        yield entry.wrong(f"{entry.text!r} has no effect in {entry.name} (inferred)", fix)
    for holder, others, place in (
        (pods, RUNTIME_KEYS, "metadata.annotations"),
        (own, RUNTIME_POD_KEYS, "annotations"),
    ):
        for entry in entries(holder):
            if entry.name in others:
                message = f"{entry.name} is read in {place}, and has no effect here (inferred)"
                yield entry.wrong_key(message, f"move it to {place}")


@rule("KSV238", Severity.WARNING, "InferenceService", since="0.2.0")
def metadata_is_where_it_is_read(service: PlacelessService) -> Iterator[Finding]:
    """A key of KServe or Knative is spelt right, and stands where it is read.

    Annotations are not read among labels, nor labels among annotations; some are read of the
    service alone, and not of a component. What begins with internal.serving.kserve.io/ is written
    by KServe itself.

    Fails: annotations: {serving.kserve.io/autoscalerclass: none}
    Passes:
        annotations:
          serving.kserve.io/deploymentMode: Standard
          serving.kserve.io/autoscalerClass: none
    """
    for holder in holders(service):
        for entry in entries(holder):
            if any(platform in entry.name.lower() for platform in _PLATFORMS):
                yield from _misplaced_key(entry)


def _misplaced_key(entry: Field) -> Iterator[Finding]:
    key, (*place, field, _) = every_key().get(entry.name), entry.path
    if entry.name.startswith(_INTERNAL):
        message = f"{entry.name} is written by KServe itself"
        yield entry.wrong_key(message, "delete it, and write the field that it stands for")
    elif key is None:
        if meant := _probable_key(entry.name):
            yield entry.wrong_key(f"nothing reads {entry.name}", f"did you mean {meant!r}?")
    elif key.field != field:
        message = f"{entry.name} is read among {key.field}, not among {field} (inferred)"
        yield entry.wrong_key(message, f"move it to {key.field}")
    elif key.of_service and place and entry.name not in _SERVICE_KEYS:
        message = f"{entry.name} counts on the service alone, and has no effect here (inferred)"
        yield entry.wrong_key(message, "move it up, to the service")


def _probable_key(name: str) -> str:
    """The key that was probably meant: one with the same prefix, or the same name behind it."""
    prefix, _, last = name.partition("/")
    known = every_key().keys() - older_spellings().keys()
    parts = {key: key.partition("/") for key in sorted(known)}
    if near := misspelt(last, {end for start, _, end in parts.values() if start == prefix}):
        return f"{prefix}/{near}"
    return nearest(name, [key for key, (_, _, end) in parts.items() if last and end == last])


@rule("KSV239", Severity.WARNING, "InferenceService", since="0.2.0")
def annotations_have_an_effect(service: PlacelessService) -> Iterator[Finding]:
    """An annotation of an autoscaler reaches the autoscaler.

    KServe takes autoscaling.knative.dev/min-scale and max-scale out, and writes them from
    minReplicas and maxReplicas; target and metric it writes from scaleTarget and scaleMetric where
    these are given. In Standard mode nothing reads annotations of Knative, and since 0.15 nothing
    reads serving.kserve.io/metrics and targetUtilizationPercentage (inferred from the source).

    Fails: annotations: {autoscaling.knative.dev/max-scale: '4'}
    Passes: predictor: {maxReplicas: 4}
    """
    for holder in holders(service):
        for entry in holder.members("annotations").values():
            message, fix = _lost_annotation(entry, service)
            if message:
                yield entry.wrong_key(f"{message} (inferred)", fix)


def _lost_annotation(entry: Field, service: PlacelessService) -> tuple[str, str]:
    """Why an annotation does nothing, and what to do about it; empty if it does something."""
    key = older_spellings().get(entry.name, entry.name)
    instead = DROPPED.get(key, REPLACED.get(key, ""))
    instead = f"write {instead}" if instead else "delete it, or use Knative mode"
    if entry.name in RETIRED and service.settings.dialect.knows(RETIRED_SINCE):
        return f"since 0.15 nothing reads {entry.name}", f"write {RETIRED[entry.name]}"
    if service.mode == STANDARD and key in {*KNATIVE_KEYS, *DROPPED, *REPLACED, TAG_ROUTING}:
        return f"in Standard mode nothing reads {entry.name}", instead
    if service.mode != KNATIVE:
        return "", ""
    if entry.name in DROPPED:
        return f"KServe drops {entry.name} and writes its own", instead
    if key in REPLACED and is_replaced(entry, service):
        return f"KServe writes {entry.name} from {REPLACED[key]}", "delete one of the two"
    return "", ""


RULES = (
    *rules_with_source((metadata_is_heeded, metadata_is_where_it_is_read), METADATA),
    *rules_with_source((knative_takes_the_annotation,), KNATIVE_METADATA),
    *rules_with_source(name_the_mode((annotations_have_an_effect,)), RECONCILERS),
)
RUNTIME_RULES = rules_with_source((runtime_metadata_is_heeded,), METADATA)
