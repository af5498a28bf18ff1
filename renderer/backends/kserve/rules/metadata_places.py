"""Annotations and labels of KServe and Knative that stand where nothing reads them."""

from collections.abc import Iterator

from renderer.backends.kserve.annotations import FROZEN, STOP
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.inference_service import MODE, InferenceService
from renderer.backends.kserve.metadata_keys import (
    DROPPED,
    KNATIVE_KEYS,
    REPLACED,
    RETIRED,
    RETIRED_SINCE,
    TAG_ROUTING,
    every_key,
    older_spellings,
)
from renderer.backends.kserve.rules.deciding_settings import following_the_mode
from renderer.backends.kserve.rules.metadata_values import entries, holders, is_replaced
from renderer.backends.kserve.rules.sources import METADATA, RECONCILERS
from renderer.kubernetes.pods import Field
from renderer.text.wording import misspelt, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_OWN = "internal.serving.kserve.io/"
#: Of these KSV365 says that they count on the service alone.
_TOLD = frozenset((MODE, STOP, FROZEN))
_PLATFORMS = ("kserve", "knative")


@rule("KSV238", Severity.WARNING, "InferenceService", since="0.2.0")
def metadata_is_where_it_is_read(service: InferenceService) -> Iterator[Finding]:
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
                yield from _misplaced(entry)


def _misplaced(entry: Field) -> Iterator[Finding]:
    key, (*place, field, _) = every_key().get(entry.name), entry.path
    if entry.name.startswith(_OWN):
        message = f"{entry.name} is written by KServe itself"
        yield entry.wrong_key(message, "delete it, and write the field that it stands for")
    elif key is None:
        if meant := _meant(entry.name):
            yield entry.wrong_key(f"nothing reads {entry.name}", f"did you mean {meant!r}?")
    elif key.field != field:
        message = f"{entry.name} is read among {key.field}, not among {field} (inferred)"
        yield entry.wrong_key(message, f"move it to {key.field}")
    elif key.of_service and place and entry.name not in _TOLD:
        message = f"{entry.name} counts on the service alone, and has no effect here (inferred)"
        yield entry.wrong_key(message, "move it up, to the service")


def _meant(name: str) -> str:
    """The key that was probably meant: one with the same prefix, or the same name behind it."""
    prefix, _, last = name.partition("/")
    known = every_key().keys() - older_spellings().keys()
    parts = {key: key.partition("/") for key in sorted(known)}
    if near := misspelt(last, {end for start, _, end in parts.values() if start == prefix}):
        return f"{prefix}/{near}"
    return nearest(name, [key for key, (_, _, end) in parts.items() if last and end == last])


@rule("KSV239", Severity.WARNING, "InferenceService", since="0.2.0")
def annotations_have_an_effect(service: InferenceService) -> Iterator[Finding]:
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
            message, fix = _without_effect(entry, service)
            if message:
                yield entry.wrong_key(f"{message} (inferred)", fix)


def _without_effect(entry: Field, service: InferenceService) -> tuple[str, str]:
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
    *rules_with_source((metadata_is_where_it_is_read,), METADATA),
    *rules_with_source(following_the_mode((annotations_have_an_effect,)), RECONCILERS),
)
