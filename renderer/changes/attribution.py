"""Which change of an object causes which differences of what the platform makes.

A change causes what is not there without it: the spec's derivation is compared with the one of the
same state in which only that change was not made.
"""

from collections.abc import Collection
from functools import cached_property

from renderer.changes.affected_specs import AffectedSpec
from renderer.changes.derivations import UnitKey, derivation, unit_differences, unit_pairs
from renderer.changes.trees import revert_change, shape_of
from renderer.derive.behaviour import Difference
from renderer.values.changes import Change
from renderer.values.derivations import Applied, Derivation, object_name
from renderer.values.diagnostics import Path

#: Of more changes of one object, each is taken to cause all that differs near it.
_MOST_TRIED = 8


class Attribution:
    """The differences that each change of an object causes, worked out when a row asks for them."""

    def __init__(self, spec: AffectedSpec, changes: tuple[Change | None, ...]) -> None:
        self._spec, self._changes = spec, changes
        self._found: dict[int, dict[UnitKey, tuple[Difference, ...]]] = {}

    def differences(self, change: Change | None, key: UnitKey) -> tuple[Difference, ...]:
        """What differs for a unit because of one change.

        If each of several changes is enough for the same difference, none causes it alone: then all
        of them do.
        """
        own = self._differences_by_unit(change).get(key, ())
        if own or not concerns_unit(self._spec, change, key):
            return own
        if len(self._changes) == 1 or any(
            key in self._differences_by_unit(item) for item in self._changes
        ):
            return ()
        return tuple(unit_differences(self._spec.pairs[key], self._spec.kubernetes_version(key)))

    def _differences_by_unit(self, change: Change | None) -> dict[UnitKey, tuple[Difference, ...]]:
        if id(change) not in self._found:
            caused = _caused_differences(self._spec, change, self._differing)
            self._found[id(change)] = caused
        return self._found[id(change)]

    @cached_property
    def _differing(self) -> frozenset[UnitKey]:
        """The units for which anything differs, whatever causes it."""
        spec = self._spec
        return frozenset(
            key
            for key, pair in spec.pairs.items()
            if next(unit_differences(pair, spec.kubernetes_version(key)), None)
        )


def _caused_differences(
    spec: AffectedSpec, change: Change | None, differing: Collection[UnitKey]
) -> dict[UnitKey, tuple[Difference, ...]]:
    """What differs because of one change, by the units that it differs for.

    Changes that undo each other, such as two spellings of one field, cause nothing. Nor does an
    object count that is in neither state, but would be if one of the changes were not made.
    """
    if not differing:
        return {}
    without = unit_pairs(derive_without_change(spec, change), spec.present)
    sides = (spec.former, spec.present)
    known = {name for side in sides for unit in side.units for name in unit.identities}
    found = {
        key: tuple(
            item
            for item in unit_differences(without[key], spec.kubernetes_version(key))
            if item.object.identity in known
        )
        for key in spec.pairs
        if key in differing and key in without
    }
    return {key: differences for key, differences in found.items() if differences}


def derive_without_change(spec: AffectedSpec, change: Change | None) -> Derivation:
    """What would become of the spec if the change had not been made.

    Nothing is derived again where all that differs is due to the change anyway, or where there are
    too many changes to try each of them.
    """
    changes = spec.change.changes
    if len(changes) > _MOST_TRIED or (spec.is_alone and len(changes) <= 1) or spec.after is None:
        return spec.former
    old, new = spec.change.before, spec.change.after
    if change is None or old is None or new is None:
        return _derive_without_object(spec, spec.after)
    tree = revert_change(new.tree, old.tree, change.path, shape_of(new.schema))
    known = spec.before.needed if spec.before else {}
    # The reverted value may refer to an object that only the old state has.
    needed = {
        cluster: {**known.get(cluster, {}), **objects}
        for cluster, objects in spec.after.needed.items()
    }
    if spec.is_own:
        return derivation(spec.after._replace(tree=tree, needed=needed), spec.former)
    name = object_name(new)
    places = {item.name: item.cluster for item in spec.after.environment.destinations}
    cluster = places.get(new.destination, new.destination)
    needed[cluster] = {**needed.get(cluster, {}), name: tree}
    return derivation(spec.after._replace(needed=needed), spec.former)


def _derive_without_object(spec: AffectedSpec, after: Applied) -> Derivation:
    """What would become of the spec if an object that it refers to had not come or gone."""
    former, names = spec.before.needed if spec.before else {}, spec.edited_names
    needed = {}
    for cluster in {**after.needed, **former}:
        old, new = former.get(cluster, {}), after.needed.get(cluster, {})
        kept = {name: tree for name, tree in new.items() if name not in names}
        needed[cluster] = kept | {name: old[name] for name in names & old.keys()}
    return derivation(after._replace(needed=needed), spec.former)


def concerns_unit(spec: AffectedSpec, change: Change | None, key: UnitKey) -> bool:
    """Whether a change is about a unit although nothing that is made for it differs."""
    unit = spec.pairs[key].present
    if not spec.is_own:
        return spec.is_in_cluster(key) and not spec.edited_names.isdisjoint(unit.needs)
    if change is None:
        return True
    others = [pair.present.path for pair in spec.pairs.values()]
    if _is_near(change.path, unit.path):
        return not any(_is_within(change.path, path, unit.path) for path in others)
    return not any(_is_near(change.path, path) for path in others)


def _is_near(path: Path, place: Path) -> bool:
    """Whether a path is below a place that describes a unit, or around it."""
    return bool(place) and all(one == other for one, other in zip(path, place, strict=False))


def _is_within(path: Path, inner: Path, outer: Path) -> bool:
    """Whether a path is at a place that describes another unit, within that of a unit."""
    is_nested = len(inner) > len(outer) and inner[: len(outer)] == outer
    return is_nested and path[: len(inner)] == inner
