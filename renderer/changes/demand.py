"""What the units of a spec ask of the places they run in: before, after, and in between."""

from collections.abc import Collection, Iterator
from itertools import zip_longest

from renderer.changes.derivations import UnitPair, can_derive, derivations, unit_pairs
from renderer.derive.pods import (
    Amounts,
    asked,
    asked_at_least,
    asked_at_most,
    greatest,
    rollout,
    total,
    unit_bounds,
)
from renderer.values.changes import Demand, Effect, Impact, ObjectChange, State, UnitImpacts
from renderer.values.derivations import DerivedUnit, ObjectIdentity, Pods

_DemandedAmounts = tuple[Amounts, Amounts, Amounts]


def demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    """A demand for each unit of a spec of which more or less is asked for a time.

    `before` and `after` count the least number of pods, the peak as many as an autoscaler may
    start; where nothing bounds it, the least number.
    """
    if not can_derive(change.manifest):
        return
    former, present = derivations(change.before, change.after, before, after)
    if any(problem.refused and not problem.source for problem in present.problems):
        return
    spec = str(change.manifest.spec)
    running = {identity for unit in former.units for identity in unit.identities}
    for (destination, unit), pair in unit_pairs(former, present).items():
        known = impacts.get((destination, unit), ())
        is_new = change.is_renamed or _is_new(pair.after, running)
        found = _demanded_amounts(pair, known, is_new=is_new)
        if destination and found:
            yield Demand(change.environment, destination, spec, unit, *found)


def is_blocking(impact: Impact) -> bool:
    """Whether a platform fails when it looks; where pods are replaced first, it does not."""
    return impact.effect is Effect.BREAKS and not impact.replaces_pods


def _is_new(unit: DerivedUnit | None, running: Collection[ObjectIdentity]) -> bool:
    """Whether what runs a unit, its first object, did not run anything before."""
    return unit is not None and any(item not in running for item in unit.identities[:1])


def _demanded_amounts(
    pair: UnitPair, impacts: Collection[Impact], *, is_new: bool
) -> _DemandedAmounts | None:
    """What is asked before, after and at most; nothing where all stays as it is."""
    if any(map(is_blocking, impacts)) or pair.before is pair.after:
        return None
    effects = {impact.effect for impact in impacts}
    if effects == {Effect.REFUSED}:
        return None
    sorts = [_pod_sorts(side) for side in pair]
    least, most = ([ask(side) for side in sorts] for ask in (asked_at_least, asked_at_most))
    if any(impact.leaves_pods for impact in impacts) and _leaves_its_workload(pair):
        return (least[0], total(least), total(most)) if sorts[1] else None
    if is_new or not all(sorts):
        return least[0], least[1], total(most)
    if Effect.REPLACE in effects:
        return least[0], least[1], _side_by_side(*sorts)
    if any(impact.replaces_pods for impact in impacts):
        return least[0], least[1], _rollouts(*sorts)
    if least[0] == least[1] and unit_bounds(pair.before) == unit_bounds(pair.after):
        return None
    return least[0], least[1], greatest(*most)


def _leaves_its_workload(pair: UnitPair) -> bool:
    """Whether what runs now stays beside what runs then, as that is another object."""
    old, new = (side.identities[:1] if side else () for side in pair)
    return old != new


def _pod_sorts(unit: DerivedUnit | None) -> tuple[Pods, ...]:
    return unit.pods if unit else ()


def _side_by_side(before: tuple[Pods, ...], after: tuple[Pods, ...]) -> Amounts:
    """The most while new pods start beside old ones.

    Of pods that share requests with others, as revisions do, those that stay are there once.
    """
    if not any(pods.shares_requests for pods in after):
        return total((asked_at_most(before), asked_at_most(after)))
    new = [pods for pods in after if pods not in before]
    most = [asked_at_most(side) for side in (before, new)]
    some = [total(asked(pods, max(pods.least, 1)) for pods in side) for side in (before, new)]
    return greatest(total((most[0], some[1])), total((some[0], most[1])))


def _rollouts(before: tuple[Pods, ...], after: tuple[Pods, ...]) -> Amounts:
    """The most while pods of all sorts are exchanged; what comes or goes is there at once."""
    parts = []
    for old, new in zip_longest(before, after):
        if old and new:
            parts.append(rollout(old, new))
        else:
            parts.append(asked_at_most((old or new,)))
    return total(parts)
