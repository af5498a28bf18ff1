"""A part of a run over a repository: some groups evaluated, the others at most summarised.

What the parts say together is what one run says. A conclusion needs all groups. Of those of other
parts it takes that nothing is wrong with them; where that could make a difference, they are
evaluated after all.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from renderer.compose.environment_rules import (
    ADDED,
    BROADCAST_WITHOUT_ITEMS,
    UNUSED,
)
from renderer.compose.spec_rules import UNUSED_IGNORE
from renderer.evaluate.conclusion import conclude
from renderer.evaluate.evaluation import evaluate_some, outline
from renderer.evaluate.ignores import futile_ignores
from renderer.evaluate.parallel import Workers
from renderer.evaluate.project import Project
from renderer.evaluate.question import Question, Shard, chosen
from renderer.evaluate.result import Conclusion, KnownResults, Result
from renderer.evaluate.run import Run, group_findings, rendering_of
from renderer.manifests import rules as man
from renderer.values.diagnostics import Diagnostic, merge_findings

_BATCH_SIZE = 50
#: What is found less often, the more is known to be wrong elsewhere.
_UNCERTAIN = frozenset(
    rule.code
    for rule in (
        *(ADDED, BROADCAST_WITHOUT_ITEMS, UNUSED, UNUSED_IGNORE),
        *man.RULES,
    )
)


def run_shard(
    project: Project,
    question: Question,
    shard: Shard,
    workers: Workers = Workers(),  # noqa: B008 - a frozen value
) -> Run:
    """What a part says: of its own groups, and if it is the first, of all of them together."""
    project.refuse_unknown(question.environments)
    return _ShardRun(project, question, shard, workers).run()


class _ShardRun:
    """The groups of a part, and of the others what a conclusion needs."""

    def __init__(
        self, project: Project, question: Question, shard: Shard, workers: Workers
    ) -> None:
        self.project, self.question, self.shard, self.workers = project, question, shard, workers
        self.own = [stem for stem in project.stems if shard.owns_group(stem)]

    def run(self) -> Run:
        own = {item.stem: item for item in self._evaluate_some(self.own)}
        is_first = self.shard.number == 1
        conclusion = Conclusion(())
        if is_first or any(_needs_others(item) for item in own.values()):
            conclusion = self._conclude_all(own)
        if is_first:
            found = rendering_of(conclusion, own.values(), ()).diagnostics
        else:
            used = (item for result in own.values() for item in result.used)
            found = merge_findings(
                (*futile_ignores(used), *group_findings(own.values(), conclusion))
            )
        return Run(
            found, self._counts(own.values(), conclusion), conclusion, own, self._evaluate_again
        )

    def _counts(self, own: Iterable[Result], conclusion: Conclusion) -> dict[str, int]:
        """The specs of a part; prerequisites are the first one's."""
        results = list(own)
        environments = chosen(self.project.shared.environments, self.question.environments)
        counts = {
            item.name: sum(result.counts.get(item.name, 0) for result in results)
            + (len(item.specs) if self.shard.number == 1 else 0)
            for item in environments
        }
        for key in conclusion.misnamed:
            counts[key.environment] -= self.shard.owns_group(key.stem)
        return counts

    def _conclude_all(self, own: dict[str, Result]) -> Conclusion:
        """The conclusion of all groups, those of other parts taken to be sound if they may be."""
        known = dict(own)
        others = [stem for stem in self.project.stems if stem not in own]
        outlines = {item.stem: item for item in self._outline_some(others)}
        known.update(outlines)
        doubtful = {*others} - outlines.keys() | clashing_groups([(self.project, known.values())])
        looked_at = [stem for stem in others if stem in doubtful]
        known.update((item.stem, item) for item in self._evaluate_some(looked_at))
        conclusion = self._conclude(known.values())
        left = [stem for stem in others if stem not in doubtful]
        if left and self._is_uncertain(conclusion, known.values()):
            known.update((item.stem, item) for item in self._evaluate_some(left))
            conclusion = self._conclude(known.values())
        return conclusion

    def _conclude(self, results: Collection[Result]) -> Conclusion:
        return conclude(self.project.checked, self.question, KnownResults(tuple(results)))

    def _is_uncertain(self, conclusion: Conclusion, results: Iterable[Result]) -> bool:
        """Whether another conclusion may be drawn if something is wrong with other groups."""
        comments = [*self.project.checked.comments.values()]
        comments += (some for result in results for some in result.comments.values())
        accepted = {code for some in comments for item in some for code in item.codes}
        said = {item.code for item in conclusion.diagnostics}
        return not _UNCERTAIN.isdisjoint(said | accepted)

    def _outline_some(self, stems: Sequence[str]) -> Iterator[Result]:
        checked, question = self.project.checked, self.question

        def work(some: Sequence[str]) -> list[Result | None]:
            return [outline(self.project.group(stem), checked, question) for stem in some]

        for part in self.workers.share(stems, work):
            yield from (item for item in part if item)

    def _evaluate_some(self, stems: Sequence[str]) -> Iterator[Result]:
        checked, question = self.project.checked, self.question

        def work(stems: Sequence[str]) -> list[Result]:
            found: list[Result] = []
            for start in range(0, len(stems), _BATCH_SIZE):
                groups = [self.project.group(stem) for stem in stems[start : start + _BATCH_SIZE]]
                found += (item.portable() for item in evaluate_some(groups, checked, question))
            return found

        for part in self.workers.share(stems, work):
            yield from part

    def _evaluate_again(self, stem: str) -> Result:
        (result,) = self._evaluate_some([stem])
        return result


def clashing_groups(states: Iterable[tuple[Project, Collection[Result]]]) -> set[str]:
    """Groups whose objects may be in the way of others, as clusters and names are the same.

    What is one group's object in one state may be another one's in the other state.
    """
    groups_by_place: dict[tuple[str, str], set[str]] = {}
    found: set[str] = set()
    for project, results in states:
        for place, stems in _places(project, results).items():
            found.update(stems if len(stems) > 1 else ())
            groups_by_place.setdefault(place, set()).update(stems)
    return found.union(*(stems for stems in groups_by_place.values() if len(stems) > 1))


def _places(project: Project, results: Iterable[Result]) -> dict[tuple[str, str], list[str]]:
    """By cluster and name, the groups that have an object there, once for each environment."""
    clusters = {
        (environment.name, item.name): item.cluster
        for environment in project.shared.environments
        for item in environment.destinations
    }
    places: dict[tuple[str, str], list[str]] = {}
    for summary in (item.summary for result in results for item in result.results):
        for name in summary.own:
            place = clusters[summary.environment, name], str(summary.name.value)
            places.setdefault(place, []).append(summary.stem)
    return places


def _needs_others(result: Result) -> bool:
    """Whether what a group says depends on other ones: its file may be meant for one of them."""
    return any(item.missing for item in result.results) or any(
        item.code == ADDED.code for item in _findings(result)
    )


def _findings(result: Result) -> Iterator[Diagnostic]:
    yield from result.diagnostics
    for item in result.results:
        yield from item.diagnostics
