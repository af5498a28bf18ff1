"""A run over a repository: every group evaluated, then one conclusion.

This is the only way through the program. A memo saves work, several processes share it, and a diff
runs over the groups that differ; none of them changes what comes out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from renderer.compose.environment_rules import ADDED
from renderer.errors import RendererError
from renderer.evaluate.checks import CheckedShared, assume_clean
from renderer.evaluate.evaluation import evaluate, evaluate_some
from renderer.evaluate.memo import (
    FreshResults,
    Memo,
    NoMemo,
    RememberedResult,
    conclusion_key,
    digests_of,
    group_key,
)
from renderer.evaluate.parallel import Watch, map_chunks, no_watch
from renderer.evaluate.project import Project
from renderer.evaluate.question import (
    Question,
    Shard,
    last_stage_folders,
    wanted_destinations,
)
from renderer.evaluate.rendering import Rendering
from renderer.evaluate.result import (
    Conclusion,
    KnownResults,
    Result,
    SpecFindings,
    conclusion_digest,
)
from renderer.values.diagnostics import Diagnostic, Severity, has_errors, merge_findings
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest

_CHUNK_SIZE = 100
_BATCH_SIZE = 50
_FIRST_GROUPS = 5  # before others are forked, so that all processes have what any group needs
_NO_MEMO = NoMemo()


def check(project: Project, environments: Collection[str] = ()) -> list[Diagnostic]:
    """Everything that can be known before applying, for all or for the named environments."""
    return render(project, environments).diagnostics


def render(
    project: Project,
    environments: Collection[str] = (),
    *,
    shard: Shard = Shard(),  # noqa: B008 - a frozen value
    jobs: int = 1,
) -> Rendering:
    """The manifests of all or of the named environments, and what is wrong with the specs.

    The result is the same whatever the number of `jobs`.
    """
    project.refuse_unknown(environments)
    from renderer.evaluate.conclusion import conclude

    question = Question(tuple(environments), shard)
    (results,) = evaluate_groups([GroupSelection(project, {*project.stems}, question)], jobs)
    conclusion = conclude(project.checked, question, KnownResults(tuple(results)))
    made = (*conclusion.manifests, *(one for result in results for one in result.manifests))
    wanted = wanted_destinations(project.shared.environments, question)
    last_stages = last_stage_folders(project.shared.environments)
    rendering = rendering_of(conclusion, results, made)
    return rendering._replace(destinations=wanted, last_stages=last_stages)


def rendering_of(
    conclusion: Conclusion, results: Iterable[Result], manifests: Iterable[Manifest]
) -> Rendering:
    """What results and their conclusion say together."""
    found = _join_findings(conclusion, (one for result in results for one in result.spec_findings))
    return Rendering(_sound_manifests(manifests, conclusion), found, conclusion.unsound)


def _join_findings(
    conclusion: Conclusion, spec_findings: Iterable[SpecFindings]
) -> list[Diagnostic]:
    found = (*conclusion.diagnostics, *_drop_misnamed(spec_findings, conclusion))
    return merge_findings(_drop_doubts(found, found))


def group_findings(results: Iterable[Result], conclusion: Conclusion) -> list[Diagnostic]:
    """What is said of some groups by themselves, in view of what is concluded from all."""
    own = [*_drop_misnamed((one for result in results for one in result.spec_findings), conclusion)]
    return merge_findings(_drop_doubts(own, (*conclusion.diagnostics, *own)))


def _sound_manifests(manifests: Iterable[Manifest], conclusion: Conclusion) -> tuple[Manifest, ...]:
    """By path, without those of specs that turned out to be unsound."""
    made = (item for item in manifests if item.spec.key not in conclusion.unsound)
    return tuple(sorted(made, key=lambda item: item.path))


def _drop_misnamed(
    spec_findings: Iterable[SpecFindings], conclusion: Conclusion
) -> Iterator[Diagnostic]:
    """Without what is said of specs whose files are meant for others."""
    return (
        item for key, found in spec_findings if key not in conclusion.misnamed for item in found
    )


def _drop_doubts(found: Iterable[Diagnostic], every: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What is perhaps a typo is not worth a word where an error stands."""
    wrong = {item.place for item in every if item.severity is Severity.ERROR}
    return [
        item
        for item in found
        if item.code != ADDED.code or item.severity is Severity.ERROR or item.place not in wrong
    ]


class GroupSelection(NamedTuple):
    """Groups of a repository that are to be evaluated."""

    project: Project
    stems: Collection[str]
    question: Question


def evaluate_groups(
    wanted: Sequence[GroupSelection], jobs: int, watch: Watch = no_watch
) -> list[list[Result]]:
    """For each of some states the results of its groups, with all that is known of their specs.

    A group is evaluated in all of them before the next one: what they share is made once.
    """
    stems = sorted({stem for item in wanted for stem in item.stems})
    results: list[list[Result]] = [[] for _ in wanted]

    def work(some: Sequence[str]) -> list[tuple[int, Result]]:
        return [
            (number, evaluate(item.project.group(stem), item.project.checked, item.question))
            for stem in some
            for number, item in enumerate(wanted)
            if stem in item.stems
        ]

    parts = [
        work(stems[:_FIRST_GROUPS]),
        *map_chunks(stems[_FIRST_GROUPS:], jobs, work, _CHUNK_SIZE, watch),
    ]
    for number, result in (made for part in parts for made in part):
        results[number].append(result)
    return results


class Run(NamedTuple):
    """What a run came to: its findings, and its manifests when they are asked for.

    `counts` are the specs of each environment that was asked for, `destinations` its folders,
    `last_stages` all folders that have a list of what is applied after all others.
    """

    diagnostics: list[Diagnostic]
    counts: Mapping[str, int]
    conclusion: Conclusion
    results: Mapping[str, Result | RememberedResult]
    evaluate_again: Callable[[str], Result]
    destinations: tuple[str, ...] = ()
    last_stages: frozenset[str] = frozenset()

    def rendering(self) -> Rendering:
        """With the manifests of all groups, made now or earlier."""
        made = list(self.conclusion.manifests)
        for stem, result in self.results.items():
            manifests = None if isinstance(result, Result) else result.manifests()
            if manifests is None:  # of this run, or not understood
                whole = result if isinstance(result, Result) else self.evaluate_again(stem)
                manifests = tuple(whole.manifests)
            made += manifests
        in_order = _sound_manifests(made, self.conclusion)
        places = self.destinations, self.last_stages
        return Rendering(in_order, self.diagnostics, self.conclusion.unsound, *places)


def run(
    project: Project,
    question: Question,
    memo: Memo = _NO_MEMO,
    jobs: int = 1,
    watch: Watch = no_watch,
) -> Run:
    """The same as `render`, with as little work as possible and without the trees of objects."""
    project.refuse_unknown(question.environments)
    return _Runner(project, question, memo, jobs, watch).run()


class _EvaluatedGroup(NamedTuple):
    """A result, and whether the files were those that its key was made of."""

    result: Result
    is_as_found: bool


class _Runner:
    """One run: what is remembered is recalled, the rest is evaluated, and all of it concluded."""

    def __init__(
        self, project: Project, question: Question, memo: Memo, jobs: int, watch: Watch
    ) -> None:
        self.project, self.question, self.memo = project, question, memo
        self.jobs, self.watch = jobs, watch
        self.shared, self.stems = project.shared, project.stems

    @cached_property
    def checked(self) -> CheckedShared:
        """The shared inputs, which need no check if the same ones were clean before."""
        is_clean = self.memo.is_clean(self.shared.digest.hex())
        return assume_clean(self.shared) if is_clean else self.project.checked

    def run(self) -> Run:
        if not self.memo.remembers:
            results = {stem: made.result for stem, made in self._evaluate_some(self.stems).items()}
            return self._make_run(self._conclude(results.values()), results)
        shared, digest_of = self.shared, digests_of(self.shared)
        inputs = self.project.inputs
        keys = {stem: group_key(stem, inputs, shared, self.question) for stem in self.stems}
        was_clean = self.memo.is_clean(shared.digest.hex())
        recalled = self.memo.recall(keys, digest_of)
        fresh = self._evaluate_some([stem for stem in self.stems if stem not in recalled])
        known: dict[str, Result | RememberedResult] = {
            **recalled,
            **{stem: made.result for stem, made in fresh.items()},
        }
        digests = {stem: _digest(item) for stem, item in known.items()}
        key = conclusion_key(digests, shared, self.question)
        conclusion = self.memo.conclusion(key)
        if conclusion is None:
            known = {stem: self._result(stem, item) for stem, item in known.items()}
            conclusion = self._conclude(i for i in known.values() if isinstance(i, Result))
        new = {keys[stem]: made.result for stem, made in fresh.items() if made.is_as_found}
        is_kept = len(new) == len(fresh) and not _speaks_of_groups(conclusion, self.project)
        is_clean = was_clean or (bool(fresh) and self.checked.is_clean)
        concluded = (key, conclusion) if is_kept else None
        clean = shared.digest.hex() if is_clean else None
        self.memo.keep(FreshResults(new, concluded, clean), digest_of)
        return self._make_run(conclusion, known)

    def _make_run(
        self, conclusion: Conclusion, known: Mapping[str, Result | RememberedResult]
    ) -> Run:
        pairs = ((stem, item) for stem, item in known.items() if item.has_findings)
        found = _join_findings(
            conclusion, (one for pair in pairs for one in self._spec_findings(*pair))
        )
        _expect_errors(found, conclusion)
        environments = self.shared.environments
        places = wanted_destinations(environments, self.question), last_stage_folders(environments)
        return Run(found, conclusion.counts, conclusion, known, self._evaluate_again, *places)

    def _conclude(self, results: Iterable[Result]) -> Conclusion:
        from renderer.evaluate.conclusion import conclude

        return conclude(self.checked, self.question, KnownResults(tuple(results)))

    def _result(self, stem: str, item: Result | RememberedResult) -> Result:
        """A result in full; evaluated again if what is remembered is not understood."""
        if isinstance(item, Result):
            return item
        return item.result() or self._evaluate_again(stem)

    def _spec_findings(self, stem: str, item: Result | RememberedResult) -> Iterable[SpecFindings]:
        """What was found, without the rest of a result."""
        if isinstance(item, Result):
            return item.spec_findings
        return item.spec_findings() or self._evaluate_again(stem).spec_findings

    def _evaluate_again(self, stem: str) -> Result:
        return evaluate(self.project.group(stem), self.checked, self.question).portable()

    def _evaluate_some(self, stems: Sequence[str]) -> dict[str, _EvaluatedGroup]:
        """Results without trees, made by several processes if there are many."""
        first = self._work(stems[:_FIRST_GROUPS])
        parts = [
            first,
            *map_chunks(stems[_FIRST_GROUPS:], self.jobs, self._work, _CHUNK_SIZE, self.watch),
        ]
        return {made.result.stem: made for part in parts for made in part}

    def _work(self, stems: Sequence[str]) -> list[_EvaluatedGroup]:
        found: list[_EvaluatedGroup] = []
        for start in range(0, len(stems), _BATCH_SIZE):
            groups = [self.project.group(stem) for stem in stems[start : start + _BATCH_SIZE]]
            results = evaluate_some(groups, self.checked, self.question)
            found += (
                _EvaluatedGroup(result.portable(), self.project.is_as_found(group))
                for group, result in zip(groups, results, strict=True)
            )
        return found


def _expect_errors(found: Iterable[Diagnostic], conclusion: Conclusion) -> None:
    """What is not rendered must be reported: without it in the output, it would be deleted."""
    if conclusion.unsound and not has_errors(found):
        spec = min(conclusion.unsound)
        message = f"{spec.kind}/{spec.stem} cannot be rendered for {spec.environment}"
        raise RendererError(f"{message}, and no finding says why; this is a bug in servingctl")


def _digest(item: Result | RememberedResult) -> str:
    return conclusion_digest(item) if isinstance(item, Result) else item.digest


def _speaks_of_groups(conclusion: Conclusion, project: Project) -> bool:
    """Whether a conclusion says where something stands in a file of a group."""
    shared = project.shared.reads.keys() | {""}
    own = project.inputs.digests.keys() - shared
    return any(item.file in own for item in conclusion.diagnostics)
