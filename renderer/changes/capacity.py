"""What the specs that change ask of each place: before, after, and while they change."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from renderer.changes.demand import demands
from renderer.values.changes import AffectedObject, Capacity, Demand, Impact, ObjectChange, State
from renderer.values.objects import Manifest

_Spec = tuple[str, str]
_ImpactsBySpec = dict[_Spec, dict[tuple[str, str], list[Impact]]]
_NOTHING = Decimal(0)


def capacity(
    objects: Iterable[AffectedObject], before: State, after: State, *, in_full: bool = False
) -> list[Capacity]:
    """A row for each place, unit and resource of which more or less is asked for a time.

    In full, also those of which as much is asked as before, as more may be added to them.
    """
    affected = list(objects)
    reached = _impacts_by_spec(affected)
    totals: dict[tuple[str, str, str, str], list[Decimal]] = {}
    changes = _join_moves([item.change for item in affected], before, after)
    for change in [*changes, *_unchanged_objects(affected, before, after)]:
        spec = change.manifest.spec
        impacts = reached.get((change.environment, str(spec)), {})
        is_mended = change.before is None and spec.key in before.unrendered
        if not is_mended:  # how much ran before is not known
            for demand in demands(change, impacts, before, after):
                _add(demand, totals)
    rows = (Capacity(*place, *amounts) for place, amounts in sorted(totals.items()))
    return [row for row in rows if in_full or row.is_a_change]


def _join_moves(changes: list[ObjectChange], before: State, after: State) -> list[ObjectChange]:
    """With what goes to another destination of its cluster as one object, which stays there."""
    gone = {_cluster_identity(item.before, before): item for item in changes if not item.after}
    come = {_cluster_identity(item.after, after): item for item in changes if not item.before}
    stays = {
        id(item): gone[place]._replace(destination=item.destination, after=item.after)
        for place, item in come.items()
        if place in gone
    }
    left = {id(gone[place]) for place in come if place in gone}
    return [stays.get(id(item), item) for item in changes if id(item) not in left]


def _cluster_identity(manifest: Manifest | None, state: State) -> tuple[str, ...]:
    """The environment and cluster of an object, and what it is called there."""
    if manifest is None:
        return ()
    environment = state.environments.get(manifest.environment)
    places = environment.destinations if environment else ()
    clusters = (item.cluster for item in places if item.name == manifest.destination)
    return manifest.environment, next(clusters, manifest.destination), manifest.identity


def _impacts_by_spec(affected: Iterable[AffectedObject]) -> _ImpactsBySpec:
    """The impacts on each spec, by the place and name of its unit."""
    found: _ImpactsBySpec = {}
    for item in affected:
        for _, impact in item.impacts:
            units = found.setdefault((item.change.environment, impact.spec), {})
            units.setdefault((impact.destination, impact.unit), []).append(impact)
    return found


def _unchanged_objects(
    affected: list[AffectedObject], before: State, after: State
) -> Iterator[ObjectChange]:
    """The objects that are the same, but whose specs are reached by what is not."""
    changed = {side.path for item in affected for side in item.change.sides}
    specs = _impacts_by_spec(affected).keys()
    old = {item.path: item for item in before.manifests if item.path not in changed}
    for item in after.manifests:
        if item.path in old and (item.environment, str(item.spec)) in specs:
            yield ObjectChange(item.environment, item.destination, old[item.path], item)


def _add(demand: Demand, totals: dict[tuple[str, str, str, str], list[Decimal]]) -> None:
    """Units of one name in one place ask for their sum, also at the peak."""
    sides = (demand.before, demand.after, demand.peak)
    for name in {name for side in sides for name in side}:
        place = demand.environment, demand.destination, demand.unit, name
        row = totals.setdefault(place, [_NOTHING] * 3)
        row[:] = (total + side.get(name, _NOTHING) for total, side in zip(row, sides, strict=True))
