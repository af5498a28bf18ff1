"""Impacts that wait: where a change breaks a unit, the platform gets no further with others."""

from collections.abc import Iterable, Iterator

from renderer.values.changes import Affected, Effect, Impact

_WAIT = frozenset((Effect.CREATE, Effect.IN_PLACE, Effect.ROLLING, Effect.DEFERRED))
_BUT = "But not before what breaks the serving here is mended."


def blocked(objects: Iterable[Affected]) -> Iterator[Affected]:
    """The objects with the impacts as they are once all of them are known."""
    affected = list(objects)
    broken = {
        _unit(item, impact)
        for item in affected
        for _, impact in item.impacts
        if impact.effect is Effect.BREAKS
    }
    for item in affected:
        impacts = (
            (cause, _waiting(impact) if _unit(item, impact) in broken else impact)
            for cause, impact in item.impacts
        )
        yield item._replace(impacts=tuple(impacts))


def _unit(item: Affected, impact: Impact) -> tuple[str, str, str, str]:
    return item.change.environment, impact.destination, impact.spec, impact.unit


def _waiting(impact: Impact) -> Impact:
    if impact.effect not in _WAIT or not impact.by_platform:
        return impact
    said = f"{impact.consequence} {_BUT}"
    return impact._replace(effect=Effect.DEFERRED, consequence=said)
