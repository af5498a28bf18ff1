"""Impacts once all of them are known: what happens to a unit may hinder what else would."""

from collections.abc import Collection, Iterable, Iterator

from renderer.values.changes import AffectedObject, Effect, Impact

_Unit = tuple[str, str, str, str]
_WAITING = frozenset((Effect.CREATE, Effect.IN_PLACE, Effect.ROLLING, Effect.DEFERRED))
_BUT = "But not before what breaks it here is mended."


def settled(objects: Iterable[AffectedObject]) -> Iterator[AffectedObject]:
    """The objects with their impacts as the kinds have them in view of all on a unit."""
    affected = list(objects)
    together: dict[_Unit, list[Impact]] = {}
    for item in affected:
        for _, impact in item.impacts:
            together.setdefault(_unit(item, impact), []).append(impact)
    for item in affected:
        impacts = (
            (cause, settled_impact(impact, together[_unit(item, impact)]))
            for cause, impact in item.impacts
        )
        yield item._replace(impacts=tuple(impacts))


def _unit(item: AffectedObject, impact: Impact) -> _Unit:
    return item.change.environment, impact.destination, impact.spec, impact.unit


def settled_impact(impact: Impact, together: Collection[Impact]) -> Impact:
    """What a platform does not come to, as it fails at something else of the same unit, waits."""
    if impact.effect not in _WAITING or not impact.by_platform:
        return impact
    if not any(map(_blocks, together)):
        return impact
    return impact._replace(effect=Effect.DEFERRED, consequence=f"{impact.consequence} {_BUT}")


def _blocks(impact: Impact) -> bool:
    """Whether the platform fails when it looks; where pods are replaced first, it does not."""
    return impact.effect is Effect.BREAKS and not impact.replaces_pods
