"""What one change of a service does to one of its workloads."""

from collections.abc import Mapping
from typing import NamedTuple

from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.impact.rendered_service import RenderedService
from renderer.backends.kserve.impact.workloads import (
    CANARY,
    OF_KNATIVE_SERVICE,
    SCALING,
    Workload,
)
from renderer.backends.kserve.inference_service import PREDICTOR, Component
from renderer.backends.kserve.model import MODEL
from renderer.backends.kserve.replicas import HPA, NONE, bounds_text
from renderer.backends.object_labels import MANAGED_BY
from renderer.text.wording import path_text
from renderer.values.changes import Change, How
from renderer.values.diagnostics import Path

_METADATA = ("labels", "annotations")
#: What only the mode Standard has an eye for, and what no mode has.
_NOT_IN_KNATIVE, _NOWHERE = frozenset(("autoScaling",)), frozenset(("scaleMetricType",))
_ALL = 100


class Judged(NamedTuple):
    """A kind of change and the words of its sentences; `field` is the field that it is about."""

    kind: str
    words: Mapping[str, str] = {}
    field: str = ""


class Pair(NamedTuple):
    """A workload on both sides, the component that it is of now, and its service."""

    was: Workload
    now: Workload
    part: Component
    service: RenderedService


def place_of(change: Change, part: Component) -> Path | None:
    """Where in a component a change is, or in its model; nothing if it is elsewhere."""
    head = ("spec", *part.path)
    size = min(len(change.path), len(head))
    if change.path[:size] != head[:size]:
        return None
    rest = change.path[len(head) :]
    return rest[1:] if rest[:1] == (MODEL,) and len(rest) > 1 else rest


def named(path: Path) -> str:
    """A path in words."""
    if path[:1] == ("metadata",) and path[1:2] in (("labels",), ("annotations",)):
        what = "label" if path[1] == "labels" else "annotation"
        return f"the {what} `{path[-1]}`" if path[2:] else f"`{path[1]}`"
    return f"`{path_text(path[1:] if path[:1] == ('spec',) else path)}`"


def judge(change: Change, pair: Pair) -> Judged | None:
    """What a change of the service does to a workload; nothing if it is about other ones."""
    words = {**words_of(change), "workload": pair.now.name}
    if change.path[:1] == ("metadata",):
        return _of_metadata(change, pair, words)
    place = place_of(change, pair.part)
    if place is None:
        return _of_others(change, pair, words)
    field = str(place[0]) if place else MODEL
    kind, more = _of_field(field, place, pair)
    return Judged(kind, {**words, **more}, field)


def _of_metadata(change: Change, pair: Pair, words: dict[str, str]) -> Judged | None:
    """Labels and annotations of the service reach all its pods, but for some."""
    where, key = str(change.path[1]), str(change.path[-1])
    is_knative = pair.service.mode == KNATIVE
    if where not in _METADATA:
        return None
    if change.how is How.ADDED and (key == MANAGED_BY or _marks(change)):
        return Judged("adopted-revision" if is_knative else "adopted", words, where)
    if is_knative and key in OF_KNATIVE_SERVICE:
        return Judged("knative-service", words, where)
    return Judged(*_of_template(pair, words), where)


def _marks(change: Change) -> bool:
    """Whether labels came that mark what servingctl rendered."""
    return change.after is not None and MANAGED_BY in change.after.items


def _of_others(change: Change, pair: Pair, words: dict[str, str]) -> Judged | None:
    """What the predictor says counts for canaries too, and its name for those that call it.

    The pods of canaries are taken off those that the predictor has at least.
    """
    if change.path[:2] == ("spec", CANARY) and pair.was.scaling != pair.now.scaling:
        return Judged("scaling", {**words, **numbers(pair)}, "minReplicas")
    is_predictor = change.path[:2] == ("spec", PREDICTOR)
    if not is_predictor or pair.was.template == pair.now.template:
        return None
    if pair.part.path[0] == CANARY or change.path[2:3] == ("name",):
        return Judged(*_of_template(pair, words), "")
    return None


def _of_field(field: str, place: Path, pair: Pair) -> tuple[str, dict[str, str]]:
    is_knative, is_changed = pair.service.mode == KNATIVE, pair.was.template != pair.now.template
    if field == "canaryTrafficPercent":
        return _of_traffic(pair) if is_knative else ("percent", {})
    if field in _NOWHERE or (is_knative and field in _NOT_IN_KNATIVE):
        return "unscaled", {}
    if not is_knative and field in SCALING:
        return _of_scaling(field, pair)
    if not is_knative and field == "deploymentStrategy":
        return "strategy", {}
    if not is_knative and field == "timeout":
        return "timeout", {}
    if not is_knative and field == "containerConcurrency" and pair.part.kind == PREDICTOR:
        return "concurrency", {}
    if place[:2] == ("batcher", "timeout") and not is_changed:
        return "batcher-timeout", {}
    return _of_template(pair, {})


def _of_template(pair: Pair, words: dict[str, str]) -> tuple[str, dict[str, str]]:
    if pair.was.template == pair.now.template:
        return "same", words
    if pair.service.mode == KNATIVE:
        return "revision", {**words, "share": share(pair.now)}
    return "recreated" if pair.now.is_recreated else "rolling", words


def share(workload: Workload) -> str:
    """What part of the requests a new revision gets."""
    percent = workload.traffic
    if percent is None or percent >= _ALL:
        return "all requests go to it"
    if percent == 0:
        return "it gets no requests: `canaryTrafficPercent` is 0"
    rest = "the one that was rolled out last, as the status has it, the rest"
    return f"it gets {percent} % of the requests, {rest}"


def _of_scaling(field: str, pair: Pair) -> tuple[str, dict[str, str]]:
    was, now = pair.was.scaling, pair.now.scaling
    words = numbers(pair)
    given, kind = pair.part.number("minReplicas"), pair.service.autoscaler
    if field == "minReplicas" and given == 0 and now.rule is not None and kind == HPA:
        return "no-zero", words
    is_managed = now.rule is not None or was.rule is not None
    if not is_managed and not (field == "minReplicas" and kind == NONE):
        return "unscaled", words
    if (was.least, was.most) != (now.least, now.most):
        return "scaling", words
    return "scaling-same" if was.rule == now.rule else "scaling-rule", words


def numbers(pair: Pair) -> dict[str, str]:
    """How many pods there are, before and after."""
    was, now = (bounds_text(side.scaling[:2], "pod") for side in (pair.was, pair.now))
    return {"before": was, "after": now}


def _of_traffic(pair: Pair) -> tuple[str, dict[str, str]]:
    percent = pair.now.traffic
    if percent is None or percent >= _ALL:
        return "promoted-revision", {}
    return ("traffic" if percent else "rolled-back"), {"after": str(percent)}


def words_of(change: Change) -> dict[str, str]:
    """Where a change is, within a sentence and at its beginning."""
    what = named(change.path)
    return {"what": what, "field": what[:1].upper() + what[1:]}
