"""A run over a repository: every group evaluated, then one conclusion.

This is the only way through the program. A memo saves work, several processes share it, and a diff
runs over the groups that differ; none of them changes what comes out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.compose.environment_rules import ADDED
from renderer.evaluate.conclusion import Conclusion, Known, conclude
from renderer.evaluate.evaluation import evaluate
from renderer.evaluate.memo import (
    Memo,
    NoMemo,
    Remembered,
    conclusion_key,
    digests_of,
    group_key,
)
from renderer.evaluate.parallel import in_chunks
from renderer.evaluate.project import Project
from renderer.evaluate.question import Question, Shard
from renderer.evaluate.rendering import Rendering
from renderer.evaluate.result import Result, conclusion_digest
from renderer.values.diagnostics import Diagnostic, Severity, merged
from renderer.values.model import Manifest

_AT_ONCE = 200
_FIRST = 5  # before others are forked, so that all processes have what any group needs
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
    question = Question(tuple(environments), shard)
    results = tuple(evaluate_groups(project, project.stems, question, jobs))
    conclusion = conclude(project.shared, question, Known(results))
    made = (*conclusion.manifests, *(one for result in results for one in result.manifests))
    return rendering_of(conclusion, results, made)


def rendering_of(
    conclusion: Conclusion, results: Iterable[Result], manifests: Iterable[Manifest]
) -> Rendering:
    """What results and their conclusion say together."""
    said = (*conclusion.diagnostics, *_said(results, conclusion))
    return Rendering(
        _in_order(manifests, conclusion), merged(_without_doubts(said)), conclusion.unsound
    )


def _in_order(manifests: Iterable[Manifest], conclusion: Conclusion) -> tuple[Manifest, ...]:
    """By path, without those of specs that turned out to be unsound."""
    made = (item for item in manifests if item.spec.key not in conclusion.unsound)
    return tuple(sorted(made, key=lambda item: item.path))


def _said(results: Iterable[Result], conclusion: Conclusion) -> Iterator[Diagnostic]:
    for result in results:
        yield from result.diagnostics
        for item in result.results:
            if item.summary.key not in conclusion.misnamed:
                yield from item.diagnostics


def _without_doubts(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is perhaps a typo is not worth a word where an error stands."""
    wrong = {item.place for item in found if item.severity is Severity.ERROR}
    return [item for item in found if item.code != ADDED.code or item.place not in wrong]


def evaluate_groups(
    project: Project, stems: Sequence[str], question: Question, jobs: int
) -> Iterator[Result]:
    """The results of some groups, with all that is known of their specs."""

    def work(some: Sequence[str]) -> list[Result]:
        return [evaluate(project.group(stem), project.shared, question) for stem in some]

    for part in in_chunks(stems, jobs, work):
        yield from part


class Run(NamedTuple):
    """What a run came to: its findings, and its manifests when they are asked for.

    `counts` are the specs of each environment that was asked for.
    """

    diagnostics: list[Diagnostic]
    counts: Mapping[str, int]
    conclusion: Conclusion
    results: Mapping[str, Result | Remembered]
    evaluate_again: Callable[[str], Result]

    def rendering(self) -> Rendering:
        """With the manifests of all groups, made now or earlier."""
        made = list(self.conclusion.manifests)
        for stem, result in self.results.items():
            manifests = None if isinstance(result, Result) else result.manifests()
            if manifests is None:  # of this run, or not understood
                whole = result if isinstance(result, Result) else self.evaluate_again(stem)
                manifests = tuple(whole.manifests)
            made += manifests
        in_order = _in_order(made, self.conclusion)
        return Rendering(in_order, self.diagnostics, self.conclusion.unsound)


def run(project: Project, question: Question, memo: Memo = _NO_MEMO, jobs: int = 1) -> Run:
    """The same as `render`, with as little work as possible and without the trees of objects."""
    project.refuse_unknown(question.environments)
    shared, inputs = project.shared, project.inputs

    def again(stem: str) -> Result:
        return evaluate(project.group(stem), shared, question).portable()

    keys = {stem: group_key(stem, inputs, shared, question) for stem in project.stems}
    digest_of = digests_of(shared)
    known: dict[str, Result | Remembered] = {**memo.recall(keys, digest_of)}
    missing = [stem for stem in project.stems if stem not in known]
    fresh = _evaluated(project, missing, question, jobs)
    known |= {stem: made.result for stem, made in fresh.items()}
    digests = {stem: _digest(known[stem]) for stem in project.stems}
    key = conclusion_key(digests, shared, question)
    conclusion = memo.conclusion(key)
    if conclusion is None:
        results = {stem: _result(known[stem]) or again(stem) for stem in project.stems}
        known = {**results}
        conclusion = conclude(shared, question, Known(tuple(results.values())))
    new = {keys[stem]: made.result for stem, made in fresh.items() if made.is_as_found}
    is_kept = len(new) == len(fresh) and not _speaks_of_groups(conclusion, project)
    memo.keep(new, (key, conclusion) if is_kept else None, digest_of)
    telling = [stem for stem, item in known.items() if item.has_findings]
    said = [_result(known[stem]) or again(stem) for stem in telling]
    found = rendering_of(conclusion, said, ()).diagnostics
    return Run(found, conclusion.counts, conclusion, known, again)


class _Evaluated(NamedTuple):
    """A result, and whether the files were those that its key was made of."""

    result: Result
    is_as_found: bool


def _evaluated(
    project: Project, stems: Sequence[str], question: Question, jobs: int
) -> dict[str, _Evaluated]:
    """Results without trees, made by several processes if there are many."""

    def work(some: Sequence[str]) -> list[_Evaluated]:
        groups = (project.group(stem) for stem in some)
        return [
            _Evaluated(
                evaluate(group, project.shared, question).portable(), project.is_as_found(group)
            )
            for group in groups
        ]

    first = work(stems[:_FIRST])
    parts = [first, *in_chunks(stems[_FIRST:], jobs, work, _AT_ONCE)]
    return {made.result.stem: made for part in parts for made in part}


def _digest(item: Result | Remembered) -> str:
    return conclusion_digest(item) if isinstance(item, Result) else item.digest


def _result(item: Result | Remembered) -> Result | None:
    """A result in full; nothing if what is remembered is not understood."""
    return item if isinstance(item, Result) else item.result()


def _speaks_of_groups(conclusion: Conclusion, project: Project) -> bool:
    """Whether a conclusion says where something stands in a file of a group."""
    shared = project.shared.reads.keys() | {""}
    own = project.inputs.digests.keys() - shared
    return any(item.file in own for item in conclusion.diagnostics)
