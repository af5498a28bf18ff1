"""From two states to their comparison; values in, values out."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from renderer.backends.kinds import functions_of, is_known
from renderer.changes.broken import EditsAtFault, broken_specs, find_breakages
from renderer.changes.capacity import capacity
from renderer.changes.causes import add_causes
from renderer.changes.demand import is_blocking
from renderer.changes.derivations import can_derive
from renderer.changes.edit_places import EditPlaces
from renderer.changes.findings import findings
from renderer.changes.impact import impacts as impacts_of
from renderer.changes.location import locate_changes, origin_of
from renderer.changes.objects import changed_objects
from renderer.changes.pair import EvaluatedState, evaluate_pair, evaluate_state, question_of
from renderer.changes.reach import reach
from renderer.changes.selection import Part, Selection, part_of, select
from renderer.changes.sides import Side, errors_in, side_of_output, side_of_project
from renderer.evaluate.parallel import Workers
from renderer.evaluate.project import Project
from renderer.evaluate.question import Shard
from renderer.evaluate.run import GroupSelection, evaluate_groups
from renderer.outputs.diff.impact_words import worded
from renderer.policies.rule_files import Policies
from renderer.rules import secrets
from renderer.values.changes import (
    AffectedObject,
    Breakage,
    Change,
    Comparison,
    Edit,
    Effect,
    Impact,
    ObjectChange,
    State,
)
from renderer.values.diagnostics import Diagnostic, merge_findings
from renderer.values.objects import Manifest, Output

_Unit = tuple[str, str, str, str]
_States = tuple[EvaluatedState | None, EvaluatedState | None]
_WAITING_EFFECTS = frozenset((
    Effect.CREATE, Effect.IN_PLACE, Effect.ROLLING, Effect.REPLACE, Effect.RECREATE,
    Effect.DEFERRED,
))  # fmt: skip
_WAIT_NOTE = "But not before what breaks it here is mended."
_COMPARABLE_CODES = frozenset(rule.code for rule in secrets.RULES)  # objects are made all the same


def compare(
    before: Project | Output,
    after: Project | Output,
    environments: Collection[str] = (),
    *,
    specs: Collection[str] = (),
    shard: Shard = Shard(),  # noqa: B008 - a frozen value
    workers: Workers = Workers(),  # noqa: B008 - a frozen value
) -> Comparison:
    """What changes from one state to another, and what that does to what runs.

    A state is a repository, as `load` reads it, or its rendered output. Of two repositories only
    those groups are evaluated that the differences reach. Objects of specs with errors are left
    out: the errors of the new state are among the findings, those of the old one are a separate
    list. With `specs`, as `[KIND/]STEM`, only what is about these is reported; with a `shard`, what
    is about its groups, to be joined with the results of the other shards.
    """
    selection: Selection | Part = select(specs, before, after)
    if shard.total > 1:
        selection = part_of(shard, before, after)
    first, second = _evaluate_states(before, after, environments, workers, shard)
    old = _side(before, first, environments, after)
    new = _side(after, second, environments, before)
    edited_output = {path for i in (before, after) if isinstance(i, Output) for path in i.edited}
    objects, edits = _objects_and_edits((old, new), (first, second), edited_output)
    objects = tuple(selection.objects(objects))
    states = old.state, new.state
    own = _own_findings(objects, states, (first, second), selection)
    edits, breakages = _add_breakages(edits, (old, new), (first, second), selection, own)
    impacts = findings(objects, second)
    former = (i for i in selection.findings(old.errors) if i.code not in _COMPARABLE_CODES)
    return Comparison(
        objects,
        tuple(merge_findings((*selection.findings(new.errors), *worded(impacts), *own))),
        tuple(merge_findings(former)),
        tuple(capacity(objects, *states, in_full=shard.total > 1)),
        tuple(reach(objects, first, second, states) if first and second else ()),
        edits,
        _production_names(old, new) if edits else frozenset(),
        tuple(impacts),
        breakages,
    )


def _objects_and_edits(
    sides: tuple[Side, Side], states: _States, edited_output: Collection[str]
) -> tuple[tuple[AffectedObject, ...], tuple[Edit, ...]]:
    """The objects that differ, with impacts, causes and places of each change; and all edits."""
    project = states[1].project if states[1] else None
    affected = (
        item._replace(
            origins=tuple(origin_of(change, item.change, project) for change in item.change.changes)
        )
        for item in settle_impacts(_affected_objects(*sides))
    )
    objects, edits = add_causes(affected, *states, edited_output)
    return tuple(locate_changes(item, edits, project) for item in objects), edits


def _own_findings(
    objects: Sequence[AffectedObject],
    states: tuple[State, State],
    evaluated: _States,
    selection: Selection | Part,
) -> list[Diagnostic]:
    """What the repository's own rules say of the change."""
    after = evaluated[1]
    policies = after.project.shared.policies if after else Policies()
    if not (policies.on_changes or policies.admission.pairs):
        return []
    from renderer.changes.own_rules import own_findings

    return own_findings(objects, states, evaluated, selection.has)


def _add_breakages(
    edits: tuple[Edit, ...],
    sides: tuple[Side, Side],
    states: _States,
    selection: Selection | Part,
    own: Iterable[Diagnostic],
) -> tuple[tuple[Edit, ...], tuple[Breakage, ...]]:
    """The edits, also if no object changes, and what they break; `own` is said of the change."""
    (old, new), (first, second) = sides, states
    refused = errors_in(own)
    if not (first and second and (new.errors or refused)):
        return edits, ()
    every = edits or tuple(EditPlaces(first, second).edits)
    former = {item.same_finding for item in old.errors}
    errors = [item for item in new.errors if item.same_finding not in former]
    specs = (key for key in broken_specs(old, new, second) if selection.has(key))
    edits_at_fault = EditsAtFault(every, errors, (first, second))
    wrong = (*selection.findings(errors), *refused)
    breakages = tuple(find_breakages(specs, wrong, edits_at_fault))
    return (every if breakages else edits), breakages


def _production_names(old: Side, new: Side) -> frozenset[str]:
    """The environments which real users depend on."""
    environments = {**old.state.environments, **new.state.environments}
    return frozenset(name for name, item in environments.items() if item.is_production)


def _evaluate_states(
    before: Project | Output,
    after: Project | Output,
    names: Collection[str],
    workers: Workers,
    shard: Shard,
) -> _States:
    if isinstance(before, Project) and isinstance(after, Project):
        return evaluate_pair(before, after, names, workers, shard)
    first, second = (_evaluate_whole(item, names, workers) for item in (before, after))
    return first, second


def _evaluate_whole(
    state: Project | Output, names: Collection[str], workers: Workers
) -> EvaluatedState | None:
    """A repository that is compared with rendered output."""
    if isinstance(state, Output):
        return None
    question = question_of(state, names)
    if question is None:
        return evaluate_state(state, question, ())
    (results,) = evaluate_groups([GroupSelection(state, {*state.stems}, question)], *workers)
    return evaluate_state(state, question, results)


def _side(
    state: Project | Output,
    evaluated: EvaluatedState | None,
    names: Collection[str],
    other: Project | Output,
) -> Side:
    if isinstance(state, Output) or evaluated is None:
        described = other.shared.environments if isinstance(other, Project) else ()
        return side_of_output(state if isinstance(state, Output) else Output(()), names, described)
    return side_of_project(evaluated, names)


def _affected_objects(old: Side, new: Side) -> Iterator[AffectedObject]:
    """Every object that differs, as far as both sides are known, with what that does."""
    for change in changed_objects(old.state.manifests, new.state.manifests):
        if change.before and not change.after and new.may_have(change.before):
            continue
        if change.after and not change.before and old.may_have(change.after):
            is_mended = change.after.spec.key in old.state.unrendered
            if not (is_mended and can_derive(change.after)):  # else it is known what will run
                continue
        yield AffectedObject(change, tuple(_impacts(change, old, new)))
    for change in _same_objects(old.state, new.state):
        if found := tuple(_impacts(change, old, new)):
            yield AffectedObject(change, found)


def _same_objects(before: State, after: State) -> Iterator[ObjectChange]:
    """Objects that stay the same, in environments that say something else of their clusters."""
    edited = {
        name
        for name, environment in after.environments.items()
        if (old := before.environments.get(name)) and old.tree.plain() != environment.tree.plain()
    }
    for manifest in after.manifests if edited else ():
        same = before.manifest_at(manifest.path)
        is_same = same is not None and same.text == manifest.text
        if is_same and manifest.environment in edited and _follows_settings(manifest):
            yield ObjectChange(manifest.environment, manifest.destination, same, manifest)


def _follows_settings(manifest: Manifest) -> bool:
    kind = manifest.spec.kind
    load = functions_of(kind.name).behaviour if is_known(kind) else None
    return load is not None and load().follows_settings


def _impacts(change: ObjectChange, old: Side, new: Side) -> Iterable[tuple[Change | None, Impact]]:
    """What it does to units of specs; nothing of objects that are no backend's."""
    if not is_known(change.manifest.spec.kind):
        return ()
    return impacts_of(change, old.state, new.state)


def settle_impacts(objects: Iterable[AffectedObject]) -> Iterator[AffectedObject]:
    """The objects with their impacts in view of everything that happens to a unit."""
    affected = list(objects)
    together: dict[_Unit, list[Impact]] = {}
    for item in affected:
        for _, impact in item.impacts:
            together.setdefault(_unit(item, impact), []).append(impact)
    for item in affected:
        impacts = (
            (cause, settle_impact(impact, together[_unit(item, impact)]))
            for cause, impact in item.impacts
        )
        yield item._replace(impacts=tuple(impacts))


def _unit(item: AffectedObject, impact: Impact) -> _Unit:
    return item.change.environment, impact.destination, impact.spec, impact.unit


def settle_impact(impact: Impact, together: Collection[Impact]) -> Impact:
    """What a platform cannot do yet, because it fails at something else of the unit, waits."""
    if impact.effect not in _WAITING_EFFECTS or not impact.by_platform:
        return impact
    if not any(map(is_blocking, together)):
        return impact
    return impact._replace(effect=Effect.DEFERRED, consequence=f"{impact.consequence} {_WAIT_NOTE}")
