"""Evaluating a group: the rules of its specs, their manifests, and whether each spec is sound."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain

from renderer.backends.kinds import selections_in
from renderer.compose.environments import ComposedSpec, is_disabled
from renderer.evaluate.checks import (
    SHAPES,
    CheckedShared,
    broken_files,
    check_in_view,
    environment_view,
    illegible_files,
    is_doubtful,
    new_findings,
    tempered_shape,
    unbound_lines,
)
from renderer.evaluate.group import ComposedGroup, FileGroup, compose_group, summary_of
from renderer.evaluate.ignores import Ignore, read_comments
from renderer.evaluate.judgement import Judgement, relevant_findings
from renderer.evaluate.question import Question, chosen
from renderer.evaluate.result import EVERYTHING, RULES, Result, SpecResult
from renderer.evaluate.rulebook import code_test
from renderer.evaluate.shared import Shared
from renderer.manifests.objects import Context
from renderer.manifests.specs import RenderedSpec, made_prerequisites, render_spec
from renderer.rules.policy import tempered
from renderer.rules.specs import Paths, check_files, check_spec_shape
from renderer.values.diagnostics import Diagnostic
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec, SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.running import Running
from renderer.values.tree import drop_paths

_NOTHING_RENDERED = RenderedSpec()
_IGNORE_WORD = b"ignore"  # every comment that accepts findings has the word


class _Files(NamedTuple):
    """What is wrong with the files of a group, before its specs are looked at as wholes."""

    found: list[Diagnostic]
    comments: Mapping[str, tuple[Ignore, ...]]
    unreliable: Mapping[str, Paths]

    @property
    def illegible(self) -> frozenset[str]:
        return illegible_files(self.found)


def evaluate(group: FileGroup, checked: CheckedShared, question: Question) -> Result:
    """All that can be said of a group by itself, in the environments of a question."""
    (result,) = evaluate_some([group], checked, question)
    return result


def evaluate_some(
    groups: Sequence[FileGroup], checked: CheckedShared, question: Question
) -> list[Result]:
    """The same for several groups; all are composed first, as the same work again is faster."""
    environments = chosen(checked.shared.environments, question.environments)
    placed = [item for item in environments if item.destinations]
    composed = [compose_group(group, checked.shared, placed) for group in groups]
    pairs = zip(groups, composed, strict=True)
    return [_evaluate(group, made, checked, question) for group, made in pairs]


def _evaluate(
    group: FileGroup, composed: ComposedGroup, checked: CheckedShared, question: Question
) -> Result:
    shared = checked.shared
    environments = chosen(shared.environments, question.environments)
    placed = [item for item in environments if item.destinations]
    files = _check_group_files(group, composed, checked, placed)
    comments = {**checked.comments, **files.comments}
    judgement = Judgement(shared, comments, _files_by_environment(composed))
    judged = judgement.judge_all(files.found)
    broken = broken_files(judged)
    specs = _Specs(composed, checked, question, files, judgement, judged).evaluate(placed)
    illegible = files.illegible | checked.illegible
    found = [item for item in files.found if not is_doubtful(item, illegible)]
    in_specs = (item for spec in specs for item in spec.found)
    shaped = {item.file for item in chain(files.found, in_specs) if item.code in SHAPES}
    diagnostics = judgement.judge_all(relevant_findings(question.environments, shared, found))
    result = Result(
        group.stem,
        tuple(spec.result for spec in specs),
        tuple(diagnostics),
        files.comments,
        tuple(sorted(judgement.used)),
        broken | shaped,
        files.illegible,
        composed.unread,
        {item.name: _count(composed.layers[item.name]) for item in environments},
        _variables(composed, shared),
        specs=tuple(made.spec for some in composed.specs.values() for made in some if made.spec),
    )
    return result._replace(reads=_reads(result, {one for spec in specs for one in spec.facts}))


def outline(group: FileGroup, checked: CheckedShared, question: Question) -> Result | None:
    """What a group comes to if nothing is wrong with its specs, without looking at them.

    Nothing if more than its specs matters to others: faults of its files, comments, missing keys,
    what runs.
    """
    shared = checked.shared
    environments = chosen(shared.environments, question.environments)
    placed = [item for item in environments if item.destinations]
    composed = compose_group(group, shared, placed)
    pairs = [(item, made) for item in placed for made in composed.specs[item.name] if made.spec]
    if (
        composed.diagnostics
        or any(selections_in(item) for item in placed)
        or composed.unread
        or any(_IGNORE_WORD in source.data for source in group.sources)
        or any(made.diagnostics or made.missing for _, made in pairs)
        or check_files(composed.parts, composed.documents).diagnostics
    ):
        return None
    return Result(
        group.stem,
        tuple(
            SpecResult(summary_of(made.spec, item, made.used, is_placed=True), is_sound=True)
            for item, made in pairs
            if made.spec
        ),
        counts={item.name: _count(composed.layers[item.name]) for item in environments},
        variables=_variables(composed, shared),
    )


def _check_group_files(
    group: FileGroup, composed: ComposedGroup, checked: CheckedShared, placed: Iterable[Environment]
) -> _Files:
    own = {source.path for source in group.sources}
    documents = (composed.documents[path] for path in sorted(own))
    comments = read_comments(documents, code_test(checked.shared.policies.codes))
    found = [*composed.diagnostics, *comments.diagnostics]
    for environment in placed:
        said = (item for made in composed.specs[environment.name] for item in made.diagnostics)
        found += (item.about(environment.name, related=environment.files) for item in said)
    alone = check_files((p for p in composed.parts if p.file in own), composed.documents)
    found += new_findings(alone.diagnostics, [*checked.diagnostics, *found])
    found = tempered(found, checked.shared.settings.rules_as_of)
    return _Files(found, comments.by_file, {**checked.unreliable, **alone.unreliable})


def _files_by_environment(composed: ComposedGroup) -> dict[str, set[str]]:
    """The files that the specs of each environment are made of."""
    return {
        name: {
            file
            for parts in some
            if not is_disabled(parts)
            for part in parts
            for file in (part.file, *part.texts)
        }
        for name, some in composed.layers.items()
    }


def _count(layers: list[list[SpecPart]]) -> int:
    return sum(not is_disabled(parts) for parts in layers)


def _variables(composed: ComposedGroup, shared: Shared) -> dict[str, tuple[str, ...]]:
    """The variables that the specs of each environment with output use, asked for or not."""
    used: dict[str, tuple[str, ...]] = {}
    for environment in shared.environments:
        made = composed.specs.get(environment.name)
        if made is not None:
            names = {name for item in made for name in item.used}
        elif environment.destinations:
            layers = shared.layers[environment.name]
            some = composed.layers[environment.name]
            names = {name for parts in some for name in layers.variables_of(parts)}
        else:
            continue
        used[environment.name] = tuple(sorted(names))
    return used


class _EvaluatedSpec(NamedTuple):
    """The result of a spec, and its findings with the severities that their rules have.

    `facts` are those by which rules of the repository match it.
    """

    result: SpecResult
    found: list[Diagnostic]
    facts: tuple[str, ...] = ()


class _Specs:
    """The specs of a group, evaluated one by one."""

    def __init__(
        self,
        composed: ComposedGroup,
        checked: CheckedShared,
        question: Question,
        files: _Files,
        judgement: Judgement,
        judged: list[Diagnostic],
    ) -> None:
        self.composed, self.checked, self.question = composed, checked, question
        self.files, self.judgement = files, judgement
        self.broken = broken_files(judged) | checked.broken
        self.unbound = unbound_lines(judged)
        self.earlier = [*checked.diagnostics, *files.found]

    def evaluate(self, environments: Iterable[Environment]) -> list[_EvaluatedSpec]:
        return [
            self._evaluate(made, made.spec, environment)
            for environment in environments
            for made in self.composed.specs[environment.name]
            if made.spec
        ]

    def _evaluate(self, made: ComposedSpec, spec: Spec, environment: Environment) -> _EvaluatedSpec:
        checked = self.checked.environments[environment.name]
        if made.mistakes and not self.broken.isdisjoint(spec.files):
            spec = spec._replace(tree=drop_paths(spec.tree, made.mistakes))
        view = environment_view(checked, spec)
        as_of = self.checked.shared.settings.rules_as_of
        shaped = tempered_shape(check_spec_shape(spec, view, self.files.unreliable), as_of)
        judge = partial(self.judgement.judge_in, name=environment.name)
        found, is_sound = check_in_view(
            shaped, checked, view, judge, self.broken, documents=self.composed.documents
        )
        rendered = _NOTHING_RENDERED
        if is_sound:
            rendered = render_spec(spec, view, context_of(self.checked.shared, self.question))
        new = [
            item for item in new_findings(found, self.earlier) if item.place[:2] not in self.unbound
        ]
        new += rendered.diagnostics
        facts: tuple[str, ...] = ()
        if rendered.manifests:
            found_here, facts = self._own_findings(spec, view, rendered)
            new += found_here
        wanted = relevant_findings(self.question.environments, self.checked.shared, new)
        result = SpecResult(
            summary_of(spec, view, made.used, is_placed=is_sound),
            is_sound,
            rendered.is_whole,
            rendered.manifests,
            tuple(self.judgement.judge_all(wanted)),
            made.missing,
            self._running(spec, environment, view, rendered),
        )
        return _EvaluatedSpec(result, new, facts)

    def _own_findings(
        self, spec: Spec, view: Environment, rendered: RenderedSpec
    ) -> tuple[list[Diagnostic], tuple[str, ...]]:
        """What the repository's own rules find, and those of its CRDs; and by what rules match."""
        shared = self.checked.shared
        found: list[Diagnostic] = []
        if shared.has_crd_rules:
            from renderer.evaluate.crd_rules import crd_findings

            found += crd_findings(rendered.manifests, view, shared.crds)
        if not shared.policies.has_rules:
            return found, ()
        from renderer.evaluate.own_rules import RenderedUnits, own_findings, rule_facts

        needed = partial(made_prerequisites, spec, view, context_of(shared, self.question))
        units = RenderedUnits(spec, view, rendered.manifests, needed)
        return found + own_findings(shared, units), rule_facts(units)

    def _running(
        self, spec: Spec, environment: Environment, view: Environment, rendered: RenderedSpec
    ) -> tuple[Running, ...]:
        """What runs by a spec, if specs of its environment ask."""
        selections = selections_in(environment) if rendered.manifests else None
        if selections is None:
            return ()
        from renderer.evaluate.running import running_objects

        context = context_of(self.checked.shared, self.question)
        needed = made_prerequisites(spec, view, context)
        return tuple(running_objects(rendered.manifests, view, needed, selections))


@cached_by_identity
def context_of(shared: Shared, question: Question) -> Context:
    """What rendering needs of a repository; one for all specs, so that objects are made once."""
    as_of = shared.settings.rules_as_of
    owns = question.shard.owns
    return Context(shared.templates, shared.crds, owns, as_of, question.reads_all)


def _reads(result: Result, facts: Iterable[str]) -> tuple[str, ...]:
    """What a result depends on: prerequisites, any of them if something was found, and rules."""
    rules = sorted(f"{RULES}/{text}" for text in facts)
    if result.has_findings or any(item.missing for item in result.results):
        return (EVERYTHING, *rules)
    references = (use for item in result.results for use in item.summary.references)
    return (*sorted({f"{use.kind}/{use.name}" for use in references}), *rules)
