"""From two environments to the edits that carry what they should not differ in, and the proof."""

from collections.abc import Collection, Iterable, Iterator

from renderer.changes.comparison import compare
from renderer.changes.edits import edits
from renderer.changes.environments import compare_environments, with_kept_variables
from renderer.changes.trees import differences
from renderer.evaluate.composition import Composition, Identity
from renderer.evaluate.judgement import concerning
from renderer.evaluate.parallel import Workers
from renderer.evaluate.project import Project, open_project
from renderer.evaluate.question import Question
from renderer.evaluate.run import run
from renderer.promote import new_specs
from renderer.promote.draft import Draft
from renderer.promote.edited_files import EditedFiles
from renderer.promote.sources import refuse_environments, source_spec, wanted_specs
from renderer.promote.specs import Sides, carry
from renderer.promote.texts import files_of, former_files
from renderer.promote.variables import Sources, carry_variables, own_variables
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.environments import EnvironmentComparison, SpecDifference
from renderer.values.promotion import CarriedVariable, LeftSpec, NotCarried, Promotion


def promote(
    project: Project,
    source: str,
    target: str,
    specs: Collection[str] = (),
    *,
    workers: Workers = Workers(),  # noqa: B008 - a frozen value
) -> Promotion:
    """What has to be written so that some specs of the target, or all, are as the source has them.

    Nothing is written. Errors of the source in these specs are told instead of carried.
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
    origin = with_kept_variables(project, source, target, own) or Composition(project, source)
    plan = _Plan(project, origin, Draft(project, target), wanted)
    plan.make(Sides(first, second, project.settings))
    return (
        _proven(start, plan, before, workers)
        if plan.sources
        else start._replace(
            left=(*plan.left, *_only_in_target(before, target)), not_carried=tuple(plan.not_carried)
        )
    )


class _Plan:
    """What is to be carried, and what has come of it so far."""

    def __init__(
        self, project: Project, origin: Composition, draft: Draft, wanted: list[Identity]
    ) -> None:
        self.project, self.origin, self.draft, self.wanted = project, origin, draft, wanted
        self.sources: Sources = {}
        self.created: list[str] = []
        self.left: list[LeftSpec] = []
        self.not_carried: list[NotCarried] = []
        self.variables: tuple[CarriedVariable, ...] = ()

    def make(self, sides: Sides) -> None:
        """Find the edits: new specs, then variables, then the differences of each spec."""
        folders = self.draft.composition.folders
        there = (identity for identity in self.wanted if self._is_there(identity))
        found = ((key, source_spec(self.origin, key, folders)) for key in there)
        self.sources = {key: source for key, source in found if source}
        self.variables = tuple(carry_variables(self.draft, self.sources, self.origin, sides))
        for identity, source in self.sources.items():
            self.not_carried += carry(self.draft, identity, source, sides)

    def _is_there(self, identity: Identity) -> bool:
        """Whether the target has the spec, perhaps as a new one."""
        name, target = "/".join(identity), self.draft.name
        known = next(i for i in self.project.environments if i.name == target)
        said = self.draft.composition.said.get(identity)
        if identity[1] in known.unread:
            self.not_carried.append(NotCarried(name, None, f"it cannot be read in {target}"))
            return False
        if said and any(spec.identity == identity for spec in known.specs):
            return True
        if said:
            place = new_specs.taken_out(said)
            reason = f"{place} takes it out of {target}; delete that line to have it there"
            self.left.append(LeftSpec(name, self.origin.name, reason))
            return False
        if reason := new_specs.create(self.draft, identity, self.origin):
            self.not_carried.append(NotCarried(name, None, reason))
            return False
        self.created.append(name)
        return True


def _proven(
    start: Promotion, plan: _Plan, before: EnvironmentComparison, workers: Workers
) -> Promotion:
    """The promotion with what its files come to, composed and evaluated as if written."""
    project, pair = plan.project, (start.source, start.target)
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
        carried=tuple(_carried(before.differences, ours)),
        created=tuple(name for name in plan.created if not any(i.spec == name for i in unwritable)),
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


def _carried(
    before: Iterable[SpecDifference], after: Iterable[SpecDifference]
) -> Iterator[SpecDifference]:
    """The differences that are gone."""
    left = {(item.spec, item.change.path) for item in after if not item.reason}
    for item in before:
        if not item.reason and (item.spec, item.change.path) not in left:
            yield item


def _unproven(
    after: Iterable[SpecDifference], failed: Collection[NotCarried]
) -> Iterator[NotCarried]:
    """Differences that are still there although nothing spoke against carrying them."""
    known = {item.spec for item in failed}
    for item in after:
        if not item.reason and item.spec not in known:
            yield NotCarried(item.spec, item.change, "the edited files do not come to it")


def _strangers(before: Project, after: Project, plan: _Plan) -> Iterator[NotCarried]:
    """Other specs of the target that change although nothing was said of them."""
    told = {name for item in plan.variables for name in item.changes}
    told |= {"/".join(identity) for identity in plan.wanted}
    old, new = (
        {s.identity: s for i in p.environments if i.name == plan.draft.name for s in i.specs}
        for p in (before, after)
    )
    for identity in sorted(old.keys() | new.keys()):
        one, other = old.get(identity), new.get(identity)
        same = one and other and not any(differences(one.tree, other.tree))
        if not same and "/".join(identity) not in told:
            yield NotCarried("/".join(identity), None, "it would change too")


def _only_in_target(before: EnvironmentComparison, target: str) -> Iterator[LeftSpec]:
    for item in before.alone:
        if item.environment == target:
            yield LeftSpec(item.spec, target, "promote deletes no spec; delete it by hand")


def _errors(project: Project, names: tuple[str, ...], jobs: int) -> tuple[Diagnostic, ...]:
    found = run(project, Question(names), jobs=jobs).diagnostics
    return tuple(
        item for item in concerning(names, project.shared, found) if item.severity is Severity.ERROR
    )
