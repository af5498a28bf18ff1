"""Impacts that wait: where a change breaks a party, Kuscia gets no further with the serving."""

from collections.abc import Collection

from renderer.values.changes import Effect, Impact

_WAIT = frozenset((Effect.CREATE, Effect.IN_PLACE, Effect.ROLLING, Effect.DEFERRED))
_BUT = "But not before what breaks the serving here is mended."


def blocks(impact: Impact) -> bool:
    """Whether Kuscia fails when it looks; where pods are replaced first, it does not."""
    return impact.effect is Effect.BREAKS and not impact.replaces_pods


def settle(impact: Impact, together: Collection[Impact]) -> Impact:
    """An impact in view of all impacts on its unit."""
    if impact.effect not in _WAIT or not impact.by_platform:
        return impact
    if not any(blocks(other) for other in together):
        return impact
    return impact._replace(effect=Effect.DEFERRED, consequence=f"{impact.consequence} {_BUT}")
