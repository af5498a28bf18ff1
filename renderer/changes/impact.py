"""What an edit does to what runs: two derivations compared, by the rows of the controllers.

An edit brings about what is not there without it: the spec's derivation is compared with the one of
the same state in which only that edit was not made.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from renderer.backends.kinds import functions_of
from renderer.changes.derivations import (
    UnitKey,
    UnitPair,
    applied,
    can_derive,
    changed_prerequisites,
    derivation,
    derivations,
    unit_differences,
    unit_pairs,
)
from renderer.changes.impact_words import Words
from renderer.changes.kubernetes_behaviour import KINDS, ROWS
from renderer.changes.trees import revert_change, shape_of
from renderer.derive.behaviour import (
    MAKES_IT_SO,
    Behaviour,
    ChangeKind,
    Difference,
    Row,
    Situation,
    Stage,
)
from renderer.values.changes import Change, Impact, ObjectChange, State
from renderer.values.derivations import Applied, Derivation, ObjectName, Problem, object_name
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.objects import Manifest

CausedImpact = tuple[Change | None, Impact]
#: Of more changes of one object, each is taken to bring about all that differs near it.
_MOST_TRIED = 8


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What the change of an object does to the units of its spec, or of those that use it."""
    seen: set[tuple[int, Impact]] = set()
    for edit in _edits(change, before, after):
        for cause, impact in _impacts(edit):
            if (id(cause), impact) not in seen:
                seen.add((id(cause), impact))
                yield cause, impact


class _Edit(NamedTuple):
    """A spec that the change of an object reaches: its own object, or one that it refers to."""

    change: ObjectChange
    stage: Stage
    before: Applied | None
    after: Applied | None
    former: Derivation
    present: Derivation
    own_is_same: bool
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
        return self.own_is_same and self.changed_needs <= self.edited_names

    @property
    def applied(self) -> Applied:
        found = self.after or self.before
        assert found is not None, "a spec is on one side at least"  # noqa: S101
        return found

    @property
    def is_own(self) -> bool:
        """Whether the edited object is that of the spec."""
        return can_derive(self.change.manifest)

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


def _edits(change: ObjectChange, before: State, after: State) -> Iterator[_Edit]:
    if can_derive(change.manifest):
        yield _edit(change, change.before, change.after, before, after)
        return
    names = {name for side in change.sides if (name := object_name(side)[2])}
    for user in after.manifests_below(f"{change.environment}/"):
        former = before.manifest_at(user.path)
        if former is None or not can_derive(user):
            continue
        if any(name in side.text for name in names for side in (former, user)):
            edit = _edit(change, former, user, before, after)
            units = (*edit.former.units, *edit.present.units)
            if any(not edit.edited_names.isdisjoint(unit.needs) for unit in units):
                yield edit


def _edit(
    change: ObjectChange,
    old: Manifest | None,
    new: Manifest | None,
    before: State,
    after: State,
) -> _Edit:
    was = applied(old, before, after) if old else None
    now = applied(new, after, before) if new else None
    former, present = derivations(old, new, before, after)
    stage, places = _stage(old, new, before, after)
    known = {need for unit in (*former.units, *present.units) for need in unit.needs}
    others = changed_prerequisites(before, after)
    changed = frozenset(need for need in known if (change.environment, need) in others)
    is_same = old is not None and new is not None and old.text == new.text
    return _Edit(
        change, stage, was, now, former, present, is_same, changed, places,
        unit_pairs(former, present), _behaviour(new or old or change.manifest),
    )  # fmt: skip


def _behaviour(manifest: Manifest) -> Behaviour:
    load = functions_of(manifest.spec.kind.name).behaviour
    return load() if load else MAKES_IT_SO


def _stage(
    old: Manifest | None, new: Manifest | None, before: State, after: State
) -> tuple[Stage, tuple[str, str]]:
    """What becomes of an object, and from where to where it moves if it does."""
    if old and new:
        return (Stage.EDITED if old.identity == new.identity else Stage.RENAMED), ("", "")
    if new and (origin := _elsewhere(new, before)):
        return Stage.MOVED, (origin, new.destination)
    if old and (target := _elsewhere(old, after)):
        return Stage.MOVED, (old.destination, target)
    return (Stage.CREATED if new else Stage.DELETED), ("", "")


def _elsewhere(manifest: Manifest, state: State) -> str:
    """Another destination of the environment that has the same object."""
    same = (
        item.destination
        for item in state.manifests_below(f"{manifest.environment}/")
        if item.identity == manifest.identity and item.destination != manifest.destination
    )
    return next(same, "")


def _impacts(edit: _Edit) -> Iterator[CausedImpact]:
    problems = [item for item in edit.present.problems if _is_told_here(edit, item)]
    refusals = [item for item in problems if item.refused]
    for problem in refusals or problems:
        yield from _of_problem(edit, problem)
    if refusals:
        return
    if edit.stage is not Stage.EDITED:
        is_renamed = edit.stage is Stage.RENAMED
        cause = next(_causes(("metadata", "name"), edit.change)) if is_renamed else None
        for key in edit.pairs:
            yield from _classified(edit, edit.situation(key, cause))
        return
    as_a_whole = () if edit.is_own else (None,)  # an object that others refer to
    changes: tuple[Change | None, ...] = edit.change.changes or as_a_whole
    brought = _Attribution(edit, changes)
    for change in changes:
        for key in edit.pairs:
            situation = edit.situation(key, change)._replace(
                is_near=_concerns(edit, change, key),
                find_differences=partial(brought.differences, change, key),
            )
            yield from _classified(edit, situation)


class _Attribution:
    """Which edit brings which differences about; each is derived without when a row asks."""

    def __init__(self, edit: _Edit, changes: tuple[Change | None, ...]) -> None:
        self._edit, self._changes = edit, changes
        self._found: dict[int, dict[UnitKey, tuple[Difference, ...]]] = {}

    def differences(self, change: Change | None, key: UnitKey) -> tuple[Difference, ...]:
        """What differs for a unit because of one change.

        If each of several edits is enough for the same difference, none brings it alone: then all
        of them do.
        """
        own = self._brought(change).get(key, ())
        if own or not _concerns(self._edit, change, key):
            return own
        if len(self._changes) == 1 or any(key in self._brought(item) for item in self._changes):
            return ()
        return tuple(unit_differences(self._edit.pairs[key]))

    def _brought(self, change: Change | None) -> dict[UnitKey, tuple[Difference, ...]]:
        if id(change) not in self._found:
            self._found[id(change)] = _brought_about(self._edit, change)
        return self._found[id(change)]


def _is_told_here(edit: _Edit, problem: Problem) -> bool:
    """Whether a problem is new, and the edited object is the one that brings it about."""
    if problem in edit.former.problems:
        return False
    if edit.is_own:
        return problem.source not in edit.changed_needs
    return problem.source in edit.edited_names or (edit.own_is_same and not problem.source)


def _of_problem(edit: _Edit, problem: Problem) -> Iterator[CausedImpact]:
    kind = problem.kind or ("refused" if problem.refused else "broken")
    words = {"reason": problem.reason, "remedy": problem.remedy, **dict(problem.words)}
    for key in edit.pairs:
        if edit.is_in_cluster(key) and (not problem.units or key in problem.units):
            path = problem.path if edit.is_own else problem.source_path or problem.path
            for cause in _causes(path, edit.change):
                yield cause, _impact(edit, edit.situation(key, cause), key, kind, words)


def _causes(place: Path, change: ObjectChange) -> Iterator[Change | None]:
    """The changes at, below or around a place; if there is none, the object itself."""
    found: list[Change | None] = [
        item
        for item in change.changes
        if all(one == other for one, other in zip(place, item.path, strict=False))
    ]
    yield from found if place and found else [None]


def _brought_about(edit: _Edit, change: Change | None) -> dict[UnitKey, tuple[Difference, ...]]:
    """What differs because of one change, by the units that it differs for.

    Changes that undo each other, such as two spellings of one field, bring about nothing.
    """
    without = unit_pairs(_without(edit, change), edit.present)
    changed = (key for key, pair in edit.pairs.items() if next(unit_differences(pair), None))
    found = {key: tuple(unit_differences(without[key])) for key in changed if key in without}
    return {key: differences for key, differences in found.items() if differences}


def _without(edit: _Edit, change: Change | None) -> Derivation:
    """What would become of the spec if the change had not been made."""
    changes = edit.change.changes
    if len(changes) > _MOST_TRIED or (edit.is_alone and len(changes) <= 1) or edit.after is None:
        return edit.former
    old, new = edit.change.before, edit.change.after
    if change is None or old is None or new is None:
        return edit.former if edit.is_own else _without_object(edit, edit.after)
    tree = revert_change(new.tree, old.tree, change.path, shape_of(new.schema))
    known = edit.before.needed if edit.before else {}
    # what the old value referred to is there as well
    needed = {
        cluster: {**known.get(cluster, {}), **objects}
        for cluster, objects in edit.after.needed.items()
    }
    if edit.is_own:
        return derivation(edit.after._replace(tree=tree, needed=needed), edit.former)
    name = object_name(new)
    places = {item.name: item.cluster for item in edit.after.environment.destinations}
    cluster = places.get(new.destination, new.destination)
    needed[cluster] = {**needed.get(cluster, {}), name: tree}
    return derivation(edit.after._replace(needed=needed), edit.former)


def _without_object(edit: _Edit, after: Applied) -> Derivation:
    """What would become of the spec if an object that it refers to had not come or gone."""
    former, names = edit.before.needed if edit.before else {}, edit.edited_names
    needed = {}
    for cluster in {**after.needed, **former}:
        old, new = former.get(cluster, {}), after.needed.get(cluster, {})
        kept = {name: tree for name, tree in new.items() if name not in names}
        needed[cluster] = kept | {name: old[name] for name in names & old.keys()}
    return derivation(after._replace(needed=needed), edit.former)


def _concerns(edit: _Edit, change: Change | None, key: UnitKey) -> bool:
    """Whether a change is about a unit although nothing that is made for it differs."""
    unit = edit.pairs[key].present
    if not edit.is_own:
        return edit.is_in_cluster(key) and not edit.edited_names.isdisjoint(unit.needs)
    if change is None or _is_near(change.path, unit.path):
        return True
    others = (pair.present.path for pair in edit.pairs.values())
    return not any(_is_near(change.path, path) for path in others)


def _is_near(path: Path, place: Path) -> bool:
    """Whether a path is below a place that describes a unit, or around it."""
    return bool(place) and all(one == other for one, other in zip(path, place, strict=False))


def _classified(edit: _Edit, situation: Situation) -> Iterator[CausedImpact]:
    """The impacts of a situation: by the rows of its backend, then by those of Kubernetes."""
    unit = situation.new_unit or situation.old_unit
    key = (unit.destination if unit else "", situation.unit)
    for row in _rows(edit.behaviour.rows, situation.kind, situation.source, situation.stage):
        if row.fits(situation):
            if row.kind:
                words = row.words(situation)
                yield situation.change, _impact(edit, situation, key, row.kind, words)
            if not row.goes_on:
                return


@cached_by_identity
def _rows(own: tuple[Row, ...], kind: str, source: str, stage: Stage) -> tuple[Row, ...]:
    """The rows that may fit an edit of a spec's own object or of another kind, in their order.

    Most rows are about another kind or stage, and an edit may reach a thousand specs.
    """
    return tuple(row for row in (*own, *ROWS) if row.is_about(kind, source, stage))


def _impact(
    edit: _Edit, situation: Situation, key: UnitKey, name: str, words: Mapping[str, str]
) -> Impact:
    kind = edit.behaviour.kinds.get(name) or KINDS[name]
    is_seen = kind.observed or edit.behaviour.observed(name, situation)
    seen = " (observed)" if is_seen else ""
    said = Words(situation, {**edit.behaviour.words(situation), **words, "observed": seen})
    texts = (text.format_map(said) for text in (kind.consequence, kind.advice))
    consequence, advice = (text.strip() for text in texts)
    if seen and "{observed}" not in kind.consequence:
        consequence = f"{consequence.removesuffix('.')}{seen}."
    return _named_impact(edit, key, kind, consequence, advice)


def _named_impact(
    edit: _Edit, key: UnitKey, kind: ChangeKind, consequence: str, advice: str
) -> Impact:
    return Impact(
        kind.effect,
        *(key[0], str(edit.applied.spec), key[1]),
        consequence,
        advice,
        replaces_pods=kind.replaces_pods,
        by_platform=kind.by_platform,
        leaves_pods=kind.leaves_pods,
    )
