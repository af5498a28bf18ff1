"""From the change of an InferenceService to what it does to each of its components."""

from collections.abc import Iterator, Mapping

from renderer.backends.kserve.annotations import STOP
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.impact.change_kinds import CHANGE_KINDS
from renderer.backends.kserve.impact.judgement import (
    Judged,
    Pair,
    judge,
    numbers,
    place_of,
    words_of,
)
from renderer.backends.kserve.impact.observed import is_observed
from renderer.backends.kserve.impact.obstacles import Refusal, obstacle, refusal
from renderer.backends.kserve.impact.rendered_service import RenderedService
from renderer.backends.kserve.impact.workloads import CANARY, Workload, workloads_of
from renderer.backends.kserve.inference_service import PREDICTOR, Component
from renderer.values.changes import Change, Impact, ObjectChange, State
from renderer.values.diagnostics import Path
from renderer.values.objects import Manifest

CausedImpact = tuple[Change | None, Impact]
_Caused = tuple[Change | None, str, Judged]


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What a service's changes do to its components."""
    old = RenderedService.of(change.before, before, after) if change.before else None
    new = RenderedService.of(change.after, after, before) if change.after else None
    present = new or old
    if present is None:
        return
    if old and new and not change.is_renamed:
        # as if the runtimes were there already: what they do is told with them
        ready = old.using(after)
        found = _edited(ready if ready.used else old, new, change)
    elif old and new:
        words = {"before": old.name, "after": new.name}
        if old.name == new.name:
            words = {"before": old.namespace, "after": new.namespace}
        found = ((None, part.unit, Judged("renamed", words)) for part in new.parts)
    else:
        found = _whole(present, after if old else before, came=new is not None)
    for cause, unit, judged in found:
        yield cause, impact_of(judged, unit, present)


def impact_of(judged: Judged, unit: str, service: RenderedService) -> Impact:
    """A kind of change on a unit of a service, in words."""
    kind = CHANGE_KINDS[judged.kind]
    words = {"objects": _objects(service), **judged.words}
    consequence, advice = (item.format(**words) for item in (kind.consequence, kind.advice))
    if is_observed(judged.kind, service.mode, judged.field, service.autoscaler):
        consequence = f"{consequence.removesuffix('.')} (observed)."
    where = service.manifest.destination, str(service.manifest.spec)
    return Impact(kind.effect, *where, unit, consequence, advice, replaces_pods=kind.replaces_pods)


def _objects(service: RenderedService) -> str:
    return "the Knative Service" if service.mode == KNATIVE else "the Deployment"


def _whole(service: RenderedService, other: State, *, came: bool) -> Iterator[_Caused]:
    """A service that is on one side only; it may be at another destination there."""
    found = refusal(None, service) if came else None
    elsewhere = _elsewhere(service.manifest, other)
    here = service.manifest.destination
    places = (elsewhere, here) if came else (here, elsewhere)
    kind = "moved" if elsewhere else "created" if came else "deleted"
    for part in service.parts:
        workload = workloads_of(service).get(part.unit)
        words = {"workload": workload.name if workload else service.name}
        words |= {"before": places[0], "after": places[1]}
        if found:
            yield None, part.unit, _refused(found)
        elif not service.is_stopped or not came:
            yield None, part.unit, Judged(kind, words)


def _elsewhere(manifest: Manifest, state: State) -> str:
    """Another destination of the environment that has the same object."""
    same = (
        item.destination
        for item in state.manifests_below(f"{manifest.environment}/")
        if item.identity == manifest.identity and item.destination != manifest.destination
    )
    return next(same, "")


def _edited(old: RenderedService, new: RenderedService, change: ObjectChange) -> Iterator[_Caused]:
    """A service that stays, as far as its webhook and its controller act on the change."""
    units = list(dict.fromkeys(part.unit for part in (*old.parts, *new.parts)))
    if found := refusal(old, new):
        for cause in _at(found.place, change.changes):
            yield from ((cause, unit, _refused(found)) for unit in units)
    elif new.mode == MODEL_MESH:
        yield from ((None, unit, Judged("other-controller")) for unit in units)
    elif new.is_frozen or (old.is_stopped and new.is_stopped):
        yield from _each(old, new, change, "frozen" if new.is_frozen else "not-running")
    elif old.is_stopped or new.is_stopped:
        yield from _switched(old, new, change)
    elif reason := obstacle(new):
        for cause in _at(("spec", PREDICTOR), change.changes):
            yield from ((cause, unit, Judged("broken", {"reason": reason})) for unit in units)
    else:
        for unit in units:
            yield from ((cause, unit, judged) for cause, judged in _of_unit(unit, old, new, change))


def _switched(
    old: RenderedService, new: RenderedService, change: ObjectChange
) -> Iterator[_Caused]:
    """A service that is stopped, or started again."""
    side, kind = (new, "started") if old.is_stopped else (old, "stopped")
    cause = next(_at(("metadata", "annotations", STOP), change.changes))
    for unit, workload in workloads_of(side).items():
        yield cause, unit, Judged(kind, {"workload": workload.name})


def _refused(found: Refusal) -> Judged:
    return Judged("refused", {"reason": found.reason, "remedy": found.remedy})


def _each(
    old: RenderedService, new: RenderedService, change: ObjectChange, kind: str
) -> Iterator[_Caused]:
    """The same of each change, on the components that it is about."""
    for part in (*new.parts, *(item for item in old.parts if item.unit not in _units(new))):
        for item in change.changes:
            if item.path[:1] == ("metadata",) or place_of(item, part) is not None:
                yield item, part.unit, Judged(kind, words_of(item))


def _of_unit(
    unit: str, old: RenderedService, new: RenderedService, change: ObjectChange
) -> Iterator[tuple[Change | None, Judged]]:
    was, now = (workloads_of(side).get(unit) for side in (old, new))
    part = _units(new).get(unit) or _units(old)[unit]
    causes = _at(_head(part), change.changes)
    if now is None and was:
        yield next(causes), _left(was, part, old, new)
    elif was is None and now:
        kind = "canary-created" if part.path[0] == CANARY else "created"
        yield next(causes), Judged(kind, {"workload": now.name})
    elif was and now and was.name != now.name:
        yield next(_at(("spec", PREDICTOR, "name"), change.changes)), _renamed(was, now, old, new)
    elif was and now:
        yield from _changes(Pair(was, now, part, new), old, change)


def _changes(
    pair: Pair, old: RenderedService, change: ObjectChange
) -> Iterator[tuple[Change, Judged]]:
    """What each change does to a workload that stays."""
    for item in change.changes:
        if pair.part.path[0] == CANARY and item.path[-1:] == ("trafficPercent",):
            if judged := _canary_traffic(pair, old, item):
                yield item, judged
        elif judged := judge(item, pair):
            yield item, judged


def _canary_traffic(pair: Pair, old: RenderedService, item: Change) -> Judged | None:
    if item.path[:3] != ("spec", *pair.part.path[:2]):
        return None
    if pair.was.scaling != pair.now.scaling:
        words = {**words_of(item), **numbers(pair), "workload": pair.now.name}
        return Judged("scaling", words, "minReplicas")
    former = str(old.percent(_units(old)[pair.part.unit]))
    words = {"workload": pair.now.name, "after": str(pair.service.percent(pair.part))}
    return Judged("canary-traffic", {**words, "before": former})


def _left(was: Workload, part: Component, old: RenderedService, new: RenderedService) -> Judged:
    """A component that is there no more."""
    words = {"workload": was.name, "part": part.kind}
    if part.path[0] != CANARY:
        return Judged("left", words)
    stable = workloads_of(new)[PREDICTOR]
    if stable.name != was.name:
        return Judged("canary-deleted", words)
    former = workloads_of(old)[PREDICTOR].name
    return Judged(_promoted(was, stable), {**words, "former": former})


def _renamed(was: Workload, now: Workload, old: RenderedService, new: RenderedService) -> Judged:
    """A predictor of another name: it may have been a canary so far."""
    words = {"workload": now.name, "former": was.name}
    if new.mode == KNATIVE:
        return Judged("other-name-left", words)
    canary = next((item for item in workloads_of(old).values() if item.name == now.name), None)
    return Judged(_promoted(canary, now) if canary else "other-name", words)


def _promoted(was: Workload, now: Workload) -> str:
    return "promoted" if was.template == now.template else "promoted-changed"


def _head(part: Component) -> Path:
    return ("spec", *part.path[:2]) if part.path[0] == CANARY else ("spec", *part.path)


def _units(service: RenderedService) -> Mapping[str, Component]:
    return {part.unit: part for part in service.parts}


def _at(place: Path, changes: tuple[Change, ...]) -> Iterator[Change | None]:
    """The changes at, below or around a place; if there is none, the object itself."""
    found: list[Change | None] = [
        item
        for item in changes
        if all(one == other for one, other in zip(place, item.path, strict=False))
    ]
    yield from found or [None]
