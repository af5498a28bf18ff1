"""What the components of services ask of their clusters: before, after, and in between."""

from collections.abc import Iterator, Mapping

from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.impact.obstacles import amounts, obstacle, refusal
from renderer.backends.kserve.impact.rendered_service import RenderedService
from renderer.backends.kserve.impact.workloads import Workload, workloads_of
from renderer.kubernetes.rollouts import NO_PODS, Amounts, Pods, both, greatest, rollout, surge_of
from renderer.values.changes import Demand, Effect, ObjectChange, State, UnitImpacts

_KINDS = ("requests", "limits")
_ALL = 100

_KEPT = frozenset((Effect.BREAKS, Effect.REFUSED))


def demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    """A demand for each component of a service of which something changes.

    `before` and `after` count the least number of pods, the peak as many as the autoscaler may
    start; where nothing bounds it, the least number.
    """
    old = RenderedService.of(change.before, before, after) if change.before else None
    new = RenderedService.of(change.after, after, before) if change.after else None
    former, present = (_running(side) for side in (old, new))
    side = new or old
    if side is None or (new and _is_held(None if change.is_renamed else old, new)):
        return
    for unit in dict.fromkeys((*former, *present)):
        known = impacts.get((side.manifest.destination, unit), ())
        effects = {item.effect for item in known}
        was, now = former.get(unit), present.get(unit)
        is_left = Effect.ORPHANS in effects
        if old and new and (_KEPT & effects or (is_left and not now)):
            continue
        rolls = any(item.replaces_pods for item in known)
        stays = now is not None and now.name in {item.name for item in former.values()}
        if asked := _asked(was, now, side, rolls=rolls, stays=stays):
            manifest = side.manifest
            where = manifest.environment, manifest.destination, str(manifest.spec), unit
            least, then, peak = asked
            yield Demand(*where, least, both(least, then) if is_left else then, peak)


def _is_held(old: RenderedService | None, new: RenderedService) -> bool:
    """Whether nothing happens for now."""
    return bool((old and new.is_frozen) or refusal(old, new) or obstacle(new))


def _running(service: RenderedService | None) -> Mapping[str, Workload]:
    """What runs of a service; of one that is stopped, nothing."""
    return workloads_of(service) if service and not service.is_stopped else {}


def _asked(
    was: Workload | None, now: Workload | None, side: RenderedService, *, rolls: bool, stays: bool
) -> tuple[Amounts, Amounts, Amounts] | None:
    """What is asked of a workload; one that stays may have been a canary's so far."""
    if was and now and stays and side.mode == KNATIVE:
        return _revisions(was, now, rolls=rolls)
    least = [_pods(item, item.scaling.least) if item else NO_PODS for item in (was, now)]
    most = [_pods(item, _most(item)) if item else NO_PODS for item in (was, now)]
    ends = [pods.asked(pods.replicas) for pods in least]
    tops = [pods.asked(pods.replicas) for pods in most]
    if not was or not now or not stays:
        return ends[0], ends[1], both(*tops)
    if not rolls and was.scaling[:2] == now.scaling[:2]:
        return None
    return ends[0], ends[1], rollout(*most) if rolls else greatest(*tops)


def _revisions(
    was: Workload, now: Workload, *, rolls: bool
) -> tuple[Amounts, Amounts, Amounts] | None:
    """Two revisions side by side while traffic moves, and for as long as it is split."""
    old, new = (_pods(item, item.scaling.least) for item in (was, now))
    begun = old.asked(old.replicas), new.asked(new.replicas)
    had_two, has_two = _is_split(was), _is_split(now)
    if not rolls and had_two == has_two:
        return None
    before = both(begun[0], begun[0]) if had_two else begun[0]
    second = begun[0] if rolls else begun[1]
    after = both(begun[1], second) if has_two else begun[1]
    if not rolls:
        return before, after, greatest(before, after)
    one, other = max(was.scaling.least, 1), max(now.scaling.least, 1)
    peak = greatest(
        both(old.asked(_most(was)), new.asked(other)), both(old.asked(one), new.asked(_most(now)))
    )
    return before, after, greatest(peak, before, after)


def _is_split(workload: Workload) -> bool:
    return workload.traffic is not None and workload.traffic < _ALL


def _most(workload: Workload) -> int:
    scaling = workload.scaling
    return max(scaling.least, 1) if scaling.most is None else scaling.most


def _pods(workload: Workload, replicas: int) -> Pods:
    strategy = workload.strategy
    update = strategy.get("rollingUpdate")
    given = update.get("maxSurge") if isinstance(update, dict) else None
    surge = surge_of(str(strategy.get("type") or ""), "" if given is None else str(given), replicas)
    containers = {
        str(item.get("name")): {kind: amounts(item, kind) for kind in _KINDS}
        for item in workload.containers
    }
    return Pods(replicas, containers, surge)
