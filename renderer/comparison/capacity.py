"""What the specs that change ask of each place: before, after, and while they change."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from renderer.changes import Affected, Capacity, Demand, Effect, Impact, State
from renderer.kinds import OWNERS
from renderer.model import Manifest

_Unit = tuple[str, str, str, str]
_BESIDE = frozenset((Effect.REPLACE, Effect.RECREATE, Effect.ORPHANS))
_SURGES = frozenset((Effect.ROLLING, Effect.DEFERRED))
_NOTHING = Decimal(0)


def capacity(objects: Iterable[Affected], before: State, after: State) -> list[Capacity]:
    """A row for each place, unit and resource of which more or less is asked for a time."""
    affected = list(objects)
    effects: dict[_Unit, set[Effect]] = {}
    for item in affected:
        for _, impact in item.impacts:
            effects.setdefault(_unit_of(item, impact), set()).add(impact.effect)
    specs = {(environment, spec) for environment, _, spec, _ in effects}
    specs |= {(item.change.environment, str(item.change.manifest.spec)) for item in affected}
    old, new = (_demands(state, specs) for state in (before, after))
    totals: dict[tuple[str, str, str, str], list[Decimal]] = {}
    for unit in old.keys() | new.keys():
        for name, *amounts in _amounts(old.get(unit), new.get(unit), effects.get(unit, set())):
            environment, destination, _, party = unit
            row = totals.setdefault((environment, destination, party, name), [_NOTHING] * 3)
            row[:] = (total + amount for total, amount in zip(row, amounts, strict=True))
    rows = (Capacity(*place, *amounts) for place, amounts in sorted(totals.items()))
    return [row for row in rows if not row.before == row.after == row.peak]


def _unit_of(item: Affected, impact: Impact) -> _Unit:
    return item.change.environment, impact.destination, impact.spec, impact.unit


def _demands(state: State, specs: set[tuple[str, str]]) -> Mapping[_Unit, Demand]:
    found: dict[_Unit, Demand] = {}
    for manifest in state.manifests:
        if (manifest.environment, str(manifest.spec)) in specs:
            found |= {_key(item): item for item in _of(manifest, state)}
    return found


def _of(manifest: Manifest, state: State) -> Iterator[Demand]:
    backend = OWNERS.get(manifest.spec.kind.name)
    return backend.demands(manifest, state) if backend else iter(())


def _key(item: Demand) -> _Unit:
    return item.environment, item.destination, item.spec, item.unit


def _amounts(
    before: Demand | None, after: Demand | None, effects: set[Effect]
) -> Iterator[tuple[str, Decimal, Decimal, Decimal]]:
    """By resource; two generations side by side ask for both, a rollout for its surge on top."""
    old = before.amounts if before else {}
    new = after.amounts if after else {}
    surge = after.surge if after and _SURGES & effects else {}
    for name in old.keys() | new.keys():
        was, becomes = old.get(name, _NOTHING), new.get(name, _NOTHING)
        peak = was + becomes if _BESIDE & effects else max(was, becomes)
        yield name, was, becomes, peak + surge.get(name, _NOTHING)
