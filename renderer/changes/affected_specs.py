"""The specs that the change of an object reaches, each with its derivations before and after."""

from collections.abc import Iterator, Mapping
from functools import partial

from renderer.backends.kinds import functions_of
from renderer.changes.derivations import (
    UnitKey,
    UnitPair,
    applied,
    can_derive,
    changed_prerequisites,
    derivations,
    unit_pairs,
)
from renderer.derive.behaviour import MAKES_IT_SO, Behaviour, Situation, Stage
from renderer.kubernetes.versions import Version, versions_of
from renderer.values.changes import Change, ObjectChange, State
from renderer.values.derivations import Applied, Derivation, ObjectName, object_name
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest


class AffectedSpec(NamedTuple):
    """A spec that the change of an object reaches: its own object, or one that it refers to."""

    change: ObjectChange
    stage: Stage
    before: Applied | None
    after: Applied | None
    former: Derivation
    present: Derivation
    object_is_same: bool
    changed_needs: frozenset[ObjectName]
    places: tuple[str, str]
    pairs: Mapping[UnitKey, UnitPair]
    behaviour: Behaviour

    @property
    def edited_names(self) -> set[ObjectName]:
        return {object_name(side) for side in self.change.sides}

    @property
    def is_alone(self) -> bool:
        """Whether nothing else of what the spec is derived from was edited."""
        if self.is_own:
            return not self.changed_needs
        return self.object_is_same and self.changed_needs <= self.edited_names

    @property
    def applied(self) -> Applied:
        found = self.after or self.before
        assert found is not None, "a spec is on one side at least"  # noqa: S101
        return found

    @property
    def is_own(self) -> bool:
        """Whether the edited object is that of the spec."""
        return self.change.manifest.spec.key == self.applied.spec.key

    def kubernetes_version(self, key: UnitKey) -> Version:
        """The version of Kubernetes where a unit runs."""
        environment = self.applied.environment
        places = [item for item in environment.destinations if item.name == key[0]]
        return versions_of(environment, places)[0]

    def is_in_cluster(self, key: UnitKey) -> bool:
        """Whether the edited object is in the cluster of a unit, as the spec's own always is."""
        places = {item.name: item.cluster for item in self.applied.environment.destinations}
        where, target = key[0], self.change.destination
        return self.is_own or places.get(where, where) == places.get(target, target)

    def situation(self, key: UnitKey, change: Change | None) -> Situation:
        pair = self.pairs[key]
        return Situation(
            change, self.change, self.stage, self.before, self.after, self.former, self.present,
            key[1], *pair, places=self.places,
        )  # fmt: skip


def affected_specs(change: ObjectChange, before: State, after: State) -> Iterator[AffectedSpec]:
    """The spec of the object; of an object that others refer to, the specs that need it."""
    if can_derive(change.manifest):
        yield _affected_spec(change, change.before, change.after, before, after)
        if not change.manifest.spec.kind.is_open:
            return
    # Most specs do not have the name anywhere in their text, so that nothing need be derived.
    names = {name for side in change.sides if (name := object_name(side)[2])}
    implied = change.manifest.spec.kind.implied_names
    is_implied = bool(implied) and any(name.startswith(implied) for name in names)
    for user in after.manifests_below(f"{change.environment}/"):
        former = before.manifest_at(user.path)
        if former is None or user.spec.kind.is_open or not can_derive(user):
            continue
        if is_implied or any(name in side.text for name in names for side in (former, user)):
            spec = _affected_spec(change, former, user, before, after)
            units = (*spec.former.units, *spec.present.units)
            if any(not spec.edited_names.isdisjoint(unit.needs) for unit in units):
                yield spec


def _affected_spec(
    change: ObjectChange,
    old: Manifest | None,
    new: Manifest | None,
    before: State,
    after: State,
) -> AffectedSpec:
    was = _applied(old, before, after) if old else None
    now = _applied(new, after, before) if new else None
    former, present = derivations(old, new, before, after)
    stage, places = _stage(old, new, before, after)
    known = {need for unit in (*former.units, *present.units) for need in unit.needs}
    others = changed_prerequisites(before, after)
    changed = frozenset(need for need in known if (change.environment, need) in others)
    object_is_same = old is not None and new is not None and old.text == new.text
    return AffectedSpec(
        change, stage, was, now, former, present, object_is_same, changed, places,
        unit_pairs(former, present), _behaviour(new or old or change.manifest),
    )  # fmt: skip


def _applied(manifest: Manifest, state: State, other: State) -> Applied:
    """An object as it is applied; of an open kind, with the search for those that read it."""
    found = applied(manifest, state, other)
    if not manifest.spec.kind.is_open:
        return found
    from renderer.changes.readers import readers

    return found._replace(find_readers=partial(readers, manifest, state, other))


def _behaviour(manifest: Manifest) -> Behaviour:
    load = functions_of(manifest.spec.kind.name).behaviour
    return load() if load else MAKES_IT_SO


def _stage(
    old: Manifest | None, new: Manifest | None, before: State, after: State
) -> tuple[Stage, tuple[str, str]]:
    """What becomes of an object, and from where to where it moves if it does."""
    if old and new:
        return (Stage.EDITED if old.identity == new.identity else Stage.RENAMED), ("", "")
    if new and new.spec.key in before.unrendered:
        return Stage.MENDED, ("", "")
    if new and (origin := _other_destination(new, before)):
        return Stage.MOVED, (origin, new.destination)
    if old and (target := _other_destination(old, after)):
        return Stage.MOVED, (old.destination, target)
    return (Stage.CREATED if new else Stage.DELETED), ("", "")


def _other_destination(manifest: Manifest, state: State) -> str:
    """Another destination of the environment that has the same object."""
    same = (
        item.destination
        for item in state.manifests_below(f"{manifest.environment}/")
        if item.identity == manifest.identity and item.destination != manifest.destination
    )
    return next(same, "")
