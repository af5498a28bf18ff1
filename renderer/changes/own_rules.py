"""The repository's own rules over what changes: specs, objects and units, as they were and are."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial

from renderer.backends.kinds import functions_of
from renderer.changes.affected_specs import AffectedSpec, affected_specs
from renderer.changes.attribution import derive_without_change
from renderer.changes.derivations import UnitKey, applied
from renderer.changes.findings import judge_of
from renderer.changes.location import nearest_given
from renderer.changes.pair import EvaluatedState
from renderer.changes.trees import differences, shape_of
from renderer.derive.behaviour import Stage
from renderer.evaluate.shared import Shared
from renderer.evaluate.surroundings import surroundings
from renderer.kubernetes.stored_objects import admitted_tree
from renderer.policies.admission import admission_findings
from renderer.policies.evaluation import policy_findings
from renderer.policies.matches import may_mean
from renderer.policies.requests import Request, Surroundings
from renderer.policies.rule_files import CHANGE, RepositoryRule
from renderer.policies.rules import NOT_EVALUATED
from renderer.policies.subjects import (
    FindEdit,
    Subject,
    destination_data,
    environment_data,
    spec_data,
    unit_tree,
)
from renderer.text.wording import few_listed
from renderer.values.changes import AffectedObject, Change, State
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.model import Destination, SpecKey
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

_Evaluated = tuple[EvaluatedState | None, EvaluatedState | None]


class _Side(NamedTuple):
    """A spec, an object or a unit of one state, and the applied object that it belongs to."""

    source: Applied
    tree: Node
    data: Plain


_Pair = tuple[_Side | None, _Side | None]


class _UnitChange(NamedTuple):
    """A changed object, and the spec of a unit that it reaches."""

    item: AffectedObject
    spec: AffectedSpec


def own_findings(
    objects: Sequence[AffectedObject],
    states: tuple[State, State],
    evaluated: _Evaluated,
    is_wanted: Callable[[SpecKey], bool],
) -> list[Diagnostic]:
    """What rules and policies of the new state find in the change of specs that are wanted.

    It is as bad as the settings of the new state have it.
    """
    before, after = evaluated
    if after is None:
        return []
    rules = after.project.shared.policies.on_changes
    known = {rule.of for rule in rules} - (set() if before else {"spec"})
    subjects = _subjects(objects, states, known)
    found = [*policy_findings(rules, [item for item in subjects if is_wanted(item.spec.key)])]
    wanted = [item for item in objects if is_wanted(item.change.manifest.spec.key)]
    found += _admission_findings(wanted, states, after.project.shared)
    judge = judge_of(after)
    judged = [result for item in found if (result := judge(item))]
    broken = {key for state in states for key in state.unrendered if is_wanted(key)}
    return [
        *judged,
        *(_not_evaluated(rule) for rule in rules if rule.of not in known),
        *_not_evaluated_beside_errors(rules, sorted(broken), states),
    ]


def _admission_findings(
    objects: Iterable[AffectedObject], states: tuple[State, State], shared: Shared
) -> Iterator[Diagnostic]:
    """What admission policies say of updates and deletions, and not of each object anyway."""
    admission = shared.policies.admission
    known = surroundings(shared) if admission.pairs else {}
    for item in objects if admission.pairs else ():
        requests = [*_requests(item, states)]
        around = known.get(item.change.environment, Surroundings())
        made = [one._replace(operation="CREATE", old=None) for one in requests if one.old]
        said = {one.message for one in admission_findings(admission, made, around)}
        found = admission_findings(admission, requests, around)
        yield from (one for one in found if one.message not in said)


def _requests(item: AffectedObject, states: tuple[State, State]) -> Iterator[Request]:
    """What is asked of the API server for an object that differs; one that is new is no change."""
    change, (before, after) = item.change, states
    old, new = change.before, change.after
    if old and (new is None or change.is_renamed):
        source = applied(old, before, after)
        gone = partial(_whole_edit, item)
        tree = admitted_tree(old.tree)
        yield Request("DELETE", old.spec, source.environment, tree, find_edit=gone)
    elif old and new:
        source = applied(new, after, before)
        trees = admitted_tree(new.tree), admitted_tree(old.tree)
        edit = partial(_object_edit, item)
        yield Request("UPDATE", new.spec, source.environment, *trees, find_edit=edit)


def _whole_edit(item: AffectedObject, paths: Sequence[Path]) -> Origin:  # noqa: ARG001
    return item.origins[-1]


def _not_evaluated(rule: RepositoryRule) -> Diagnostic:
    message = f"{rule.code} is not evaluated: the old state is rendered output, without specs"
    fix = "compare two revisions, or write 'of: object'"
    return NOT_EVALUATED.at(rule.tree.origin, message, fix)


def _not_evaluated_beside_errors(
    rules: Iterable[RepositoryRule], broken: Sequence[SpecKey], states: tuple[State, State]
) -> Iterator[Diagnostic]:
    """Rules that may be about specs of which one side has errors, and so nothing is known."""
    environments = {**states[0].environments, **states[1].environments}
    for rule in rules:
        specs = [key for key in broken if may_mean(rule, key, environments[key.environment])]
        if specs:
            names = few_listed(
                [f"{key.kind} {key.stem!r} in {key.environment}" for key in specs], "other spec"
            )
            message = f"{rule.code} is not evaluated: {names} cannot be rendered on both sides"
            found = NOT_EVALUATED.at(rule.tree.origin, message, "mend the errors of both sides")
            yield found.about(*(key.environment for key in specs))


def _subjects(
    objects: Sequence[AffectedObject], states: tuple[State, State], of: Collection[str]
) -> Iterator[Subject]:
    """What rules on changes look at, for those `of` which there are rules."""
    before, after = states
    seen: set[tuple[SpecKey, str]] = set()
    for item in objects if {"object", "spec"}.intersection(of) else ():
        old, new = item.change.before, item.change.after
        was = applied(old, before, after) if old else None
        now = applied(new, after, before) if new else None
        if "object" in of:
            pair = was and _object_side(was), now and _object_side(now)
            yield _subject("object", pair, partial(_object_edit, item))
        place = item.change.manifest.spec.key, item.change.destination
        if "spec" in of and place not in seen:
            seen.add(place)
            pair = was and _spec_side(was), now and _spec_side(now)
            yield _subject("spec", pair, partial(_spec_edit, item, pair))
    if "unit" in of:
        yield from _unit_subjects(objects, states)


def _object_side(source: Applied) -> _Side:
    return _Side(source, source.tree, source.tree.plain())


def _spec_side(source: Applied) -> _Side:
    return _Side(source, source.spec.tree, spec_data(source.spec))


def _unit_subjects(
    objects: Iterable[AffectedObject], states: tuple[State, State]
) -> Iterator[Subject]:
    """The units that differ, of the changed objects and of those that refer to them."""
    reached: dict[tuple[str, SpecKey, UnitKey], list[_UnitChange]] = {}
    for item in objects:
        for spec in affected_specs(item.change, *states):
            # of what runs nothing by itself, the object stands for the unit that there is not
            runs = functions_of(spec.applied.spec.kind.name).derive is not None
            for key in spec.pairs if runs else ():
                place = item.change.environment, spec.applied.spec.key, key
                reached.setdefault(place, []).append(_UnitChange(item, spec))
    for (_, _, key), changes in reached.items():
        spec, units = changes[0].spec, changes[0].spec.pairs[key]
        pair = _unit_side(spec.before, units.before), _unit_side(spec.after, units.after)
        old, new = (side and side.data for side in pair)
        if old != new:
            yield _subject("unit", pair, partial(_unit_edit, changes, key))


def _unit_side(source: Applied | None, unit: DerivedUnit | None) -> _Side | None:
    if source is None or unit is None or unit.problem:
        return None
    tree = unit_tree(unit, source.tree, source.spec)
    return _Side(source, tree, tree.plain())


def _subject(of: str, pair: _Pair, find_edit: FindEdit) -> Subject:
    """A pair as rules look at it: the new side, with the old one as what it was."""
    old, new = pair
    data: dict[str, Plain] = {"before": old and old.data, "after": new and new.data}
    sides = [_subject_of_side(of, side, data) for side in (new, old) if side]
    former = sides[1] if len(sides) > 1 else None
    return sides[0]._replace(former=former, find_edit=find_edit)


def _subject_of_side(of: str, side: _Side, data: dict[str, Plain]) -> Subject:
    source = side.source
    destination = _destination(source)
    more: dict[str, Plain] = {
        "environment": environment_data(source.environment),
        "destination": destination_data(destination),
    }
    place = source.spec, source.environment, destination
    kind = source.tree.text_at("kind")
    return Subject(CHANGE, *place, side.tree, {**data, **more}, kind, of)


def _destination(source: Applied) -> Destination:
    """Where an object goes; nothing is known of a place that nobody describes."""
    known = {item.name: item for item in source.environment.destinations}
    name = source.destination
    return known.get(name) or Destination(name, "", name, constant({}, "not described"))


def _object_edit(item: AffectedObject, paths: Sequence[Path]) -> Origin | None:
    """Where the first change at some paths of an object was made; else the first of all."""
    return item.origin_of(_first_near(item.change.changes, paths))


def _first_near(changes: Sequence[Change], paths: Sequence[Path]) -> Change | None:
    near = (change for path in paths for change in changes if _is_near(path, change.path))
    return next(near, next(iter(changes), None))


def _is_near(path: Path, place: Path) -> bool:
    """Whether one of two paths is the beginning of the other."""
    return all(one == other for one, other in zip(path, place, strict=False))


def _spec_edit(item: AffectedObject, pair: _Pair, paths: Sequence[Path]) -> Origin | None:
    """The same of a spec; what was taken away is looked for where it stood."""
    old, new = pair
    if not (old and new):
        return item.origins[-1]
    shape = shape_of(new.source.spec.kind.schema)
    change = _first_near([*differences(old.tree, new.tree, shape)], paths)
    if change is None:
        return item.origins[0]
    return (change.after or nearest_given(change.path, new.tree, shape)).origin


def _unit_edit(changes: Sequence[_UnitChange], key: UnitKey, paths: Sequence[Path]) -> Origin:
    """Where the change was made without which a unit is not what it is at some paths."""
    single = [(one, change) for one in changes for change in one.item.change.changes or (None,)]
    first, cause = single[0]
    for one, change in single if len(single) > 1 else ():
        if one.spec.stage is Stage.EDITED and _decides(
            one.spec, key, paths, derive_without_change(one.spec, change)
        ):
            return one.item.origin_of(change)
    return first.item.origin_of(cause if first.spec.stage is Stage.EDITED else None)


def _decides(spec: AffectedSpec, key: UnitKey, paths: Sequence[Path], without: Derivation) -> bool:
    """Whether a unit has another value at one of the paths if a change is not made."""
    units = (
        {(one.destination, one.unit): one for one in side.units} for side in (without, spec.present)
    )
    other, present = (side.get(key) for side in units)
    old, new = _unit_side(spec.after, other), _unit_side(spec.after, present)
    if not (old and new):
        return old is not new
    return any(_value(old.tree, path) != _value(new.tree, path) for path in paths)


def _value(tree: Node, path: Path) -> Plain:
    found = tree.get(*path)
    return found.plain() if found else None
