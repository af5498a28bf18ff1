"""Impacts that wait: where a change breaks a party, Kuscia gets no further with the serving."""

from collections.abc import Collection

from renderer.values.changes import Effect, Impact

_WAIT = frozenset((Effect.CREATE, Effect.IN_PLACE, Effect.ROLLING, Effect.DEFERRED))
_BUT = "But not before what breaks the serving here is mended."


def settle(impact: Impact, together: Collection[Impact]) -> Impact:
    """An impact in view of all impacts on its unit."""
    if impact.effect not in _WAIT or not impact.by_platform:
        return impact
    if all(other.effect is not Effect.BREAKS for other in together):
        return impact
    return impact._replace(effect=Effect.DEFERRED, consequence=f"{impact.consequence} {_BUT}")
