"""From two environments to the edits that carry what they should not differ in, and the proof."""

from collections.abc import Collection, Iterable, Iterator

from renderer.changes.comparison import compare
from renderer.changes.edits import edits
from renderer.changes.environments import compare_environments, compose_with_kept_variables
from renderer.changes.trees import differences
from renderer.evaluate.composition import Composition, Identity
from renderer.evaluate.judgement import relevant_findings
from renderer.evaluate.parallel import Workers
from renderer.evaluate.project import Project, open_project
from renderer.evaluate.question import Question
from renderer.evaluate.run import run
from renderer.promote.draft import Draft
from renderer.promote.specs import (
    Sides,
    carry,
    create_spec,
    disabled_place,
    refuse_environments,
    source_spec,
    wanted_specs,
)
from renderer.promote.texts import files_of, former_files
from renderer.promote.variables import Sources, carry_variables, own_variables
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.environments import (
    CarriedVariable,
    EnvironmentComparison,
    LeftSpec,
    Promotion,
    SpecDifference,
    UncarriedDifference,
)
from renderer.values.files import EditedFiles
from renderer.values.named_tuple import NamedTuple


def promote(
    project: Project,
    source: str,
    target: str,
    specs: Collection[str] = (),
    *,
    workers: Workers = Workers(),  # noqa: B008 - a frozen value
) -> Promotion:
    """What has to be written so that some specs of the target, or all, are as the source has them.

    Nothing is written. Errors of the source in these specs are reported instead of carried.
    """
    refuse_environments(project, source, target)
    first, second = project.environment(source), project.environment(target)
    if first is None or second is None:
        errors = _errors(project, (source, target), workers.jobs)
        return Promotion(source, target, (), findings=errors)
    wanted = wanted_specs(first, specs)
    names = tuple("/".join(identity) for identity in wanted)
    asked = names if specs else ()
    own = own_variables(project, target)
    before = compare_environments(
        project, (source, target), asked, own_variables=own, jobs=workers.jobs
    )
    start = Promotion(source, target, names, findings=before.incomparable)
    if before.incomparable:
        return start
    origin = compose_with_kept_variables(project, source, target, own) or Composition(
        project, source
    )
    sides = Sides(first, second, project.settings)
    plan = _plan(Draft(project, target), origin, wanted, sides)
    if plan.sources:
        return _proven(start, plan, before, workers)
    left = (*plan.left, *_only_in_target(before, target))
    return start._replace(left=left, not_carried=plan.not_carried)


class _Plan(NamedTuple):
    """The edited draft of the target, and what was carried into it or not."""

    draft: Draft
    wanted: list[Identity]
    sources: Sources
    created: tuple[str, ...]
    left: tuple[LeftSpec, ...]
    not_carried: tuple[UncarriedDifference, ...]
    variables: tuple[CarriedVariable, ...]


def _plan(draft: Draft, origin: Composition, wanted: list[Identity], sides: Sides) -> _Plan:
    """Edit the draft: new specs, then variables, then the differences of each spec."""
    obstacles = {identity: _add(draft, identity, origin) for identity in wanted}
    present = [identity for identity, obstacle in obstacles.items() if obstacle is None]
    folders = draft.composition.folders
    found = ((key, source_spec(origin, key, folders)) for key in present)
    sources = {key: source for key, source in found if source}
    variables = carry_variables(draft, sources, origin, sides)
    not_carried = [item for item in obstacles.values() if isinstance(item, UncarriedDifference)]
    for identity, source in sources.items():
        not_carried += carry(draft, identity, source, sides)
    return _Plan(
        draft,
        wanted,
        sources,
        tuple("/".join(key) for key in present if key not in draft.composition.spec_parts),
        tuple(item for item in obstacles.values() if isinstance(item, LeftSpec)),
        tuple(not_carried),
        tuple(variables),
    )


def _add(
    draft: Draft, identity: Identity, origin: Composition
) -> LeftSpec | UncarriedDifference | None:
    """Make sure that the draft has a spec, as a new one if need be; or why it cannot have it."""
    name, target = "/".join(identity), draft.name
    known = next(i for i in draft.project.environments if i.name == target)
    parts = draft.composition.spec_parts.get(identity)
    if identity[1] in known.unread:
        return UncarriedDifference(name, None, f"it cannot be read in {target}")
    if parts and any(spec.identity == identity for spec in known.specs):
        return None
    if parts:
        place = disabled_place(parts)
        reason = f"{place} takes it out of {target}; delete that line to have it there"
        return LeftSpec(name, origin.name, reason)
    reason = create_spec(draft, identity, origin)
    return UncarriedDifference(name, None, reason) if reason else None


def _proven(
    start: Promotion, plan: _Plan, before: EnvironmentComparison, workers: Workers
) -> Promotion:
    """The promotion with what its files come to, composed and evaluated as if written."""
    project, pair = plan.draft.project, (start.source, start.target)
    files, unwritable = files_of(plan.draft)
    done = open_project(EditedFiles(project.files, files))
    own = own_variables(project, start.target)
    after = compare_environments(done, pair, own_variables=own, jobs=workers.jobs)
    ours = tuple(item for item in after.differences if item.spec in start.specs)
    failed = (*plan.not_carried, *unwritable)
    if doubts := (*_unproven(ours, failed), *_strangers(project, done, plan)):
        return start._replace(not_carried=(*failed, *doubts))
    changes = edits(project, done)
    return start._replace(
        carried=tuple(_carried_differences(before.differences, ours)),
        created=plan.created,
        kept=tuple(item for item in ours if item.reason),
        left=(*plan.left, *_only_in_target(before, start.target)),
        not_carried=failed,
        variables=plan.variables,
        edits=tuple(changes),
        files=files,
        former=former_files(project, files),
        owners={own.file: "/".join(key) for key, own in plan.draft.own.items()},
        findings=after.findings if files else (),
        comparison=compare(project, done, (start.target,), workers=workers),
    )


def _carried_differences(
    before: Iterable[SpecDifference], after: Iterable[SpecDifference]
) -> Iterator[SpecDifference]:
    """The differences that are gone."""
    left = {(item.spec, item.change.path) for item in after if not item.reason}
    for item in before:
        if not item.reason and (item.spec, item.change.path) not in left:
            yield item


def _unproven(
    after: Iterable[SpecDifference], failed: Collection[UncarriedDifference]
) -> Iterator[UncarriedDifference]:
    """Differences that are still there although nothing spoke against carrying them."""
    known = {item.spec for item in failed}
    for item in after:
        if not item.reason and item.spec not in known:
            yield UncarriedDifference(item.spec, item.change, "the edited files do not come to it")


def _strangers(before: Project, after: Project, plan: _Plan) -> Iterator[UncarriedDifference]:
    """Other specs of the target that change although nothing was said of them."""
    known = {name for item in plan.variables for name in item.changes}
    known |= {"/".join(identity) for identity in plan.wanted}
    old, new = (
        {s.identity: s for i in p.environments if i.name == plan.draft.name for s in i.specs}
        for p in (before, after)
    )
    for identity in sorted(old.keys() | new.keys()):
        one, other = old.get(identity), new.get(identity)
        same = one and other and not any(differences(one.tree, other.tree))
        if not same and "/".join(identity) not in known:
            yield UncarriedDifference("/".join(identity), None, "it would change too")


def _only_in_target(before: EnvironmentComparison, target: str) -> Iterator[LeftSpec]:
    for item in before.alone:
        if item.environment == target:
            yield LeftSpec(item.spec, target, "promote deletes no spec; delete it by hand")


def _errors(project: Project, names: tuple[str, ...], jobs: int) -> tuple[Diagnostic, ...]:
    found = run(project, Question(names), jobs=jobs).diagnostics
    return tuple(
        item
        for item in relevant_findings(names, project.shared, found)
        if item.severity is Severity.ERROR
    )
