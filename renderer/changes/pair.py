"""Two states of a repository, evaluated as far as they can differ."""

from collections.abc import Collection, Iterable, Mapping

from renderer.backends.kinds import KINDS
from renderer.evaluate.conclusion import conclude
from renderer.evaluate.evaluation import outline
from renderer.evaluate.group import summarise
from renderer.evaluate.parallel import Workers
from renderer.evaluate.project import Project
from renderer.evaluate.question import Question, Shard
from renderer.evaluate.rendering import Rendering
from renderer.evaluate.result import KnownResults, Result, SpecResult
from renderer.evaluate.run import GroupSelection, evaluate_groups, rendering_of
from renderer.evaluate.shards import clashing_groups
from renderer.values.model import Environment, Reference, Spec, SpecKey, Summary
from renderer.values.named_tuple import NamedTuple


class EvaluatedState(NamedTuple):
    """A repository, and what some of its groups come to; `strays` are files with a wrong name."""

    project: Project
    results: tuple[Result, ...]
    rendering: Rendering
    strays: frozenset[SpecKey] = frozenset()

    @property
    def specs(self) -> list[tuple[Environment, Spec]]:
        """The specs that were looked at, each with its environment."""
        environments = {e.name: e for e in self.project.shared.environments if e.destinations}
        own = (spec for result in self.results for spec in result.specs)
        needed = (spec for item in environments.values() for spec in item.specs)
        return [(environments[spec.environment], spec) for spec in (*own, *needed)]


def evaluate_state(
    project: Project,
    question: Question | None,
    results: Iterable[Result],
    others: Iterable[Summary] | None = (),
) -> EvaluatedState:
    """A state of which some groups were evaluated, and the others at most summarised."""
    if question is None:
        return EvaluatedState(project, (), Rendering((), []))
    found = tuple(results)
    known = KnownResults(found, None if others is None else tuple(others))
    conclusion = conclude(project.checked, question, known)
    made = (*conclusion.manifests, *(one for item in found for one in item.manifests))
    rendering = rendering_of(conclusion, found, made)
    return EvaluatedState(project, found, rendering, conclusion.misnamed)


def question_of(project: Project, environments: Collection[str]) -> Question | None:
    """What is asked of a state; nothing if it has none of the environments."""
    names = {item.name for item in project.shared.environments}
    known = tuple(name for name in environments if name in names)
    return Question(known) if known or not environments else None


def evaluate_pair(
    before: Project,
    after: Project,
    environments: Collection[str],
    workers: Workers,
    shard: Shard = Shard(),  # noqa: B008 - a frozen value
) -> tuple[EvaluatedState, EvaluatedState]:
    """Evaluate the groups that differ, on both sides.

    Others are summarised if what is shared differs, or what a changed group shows to others; those
    that may be in the way of a changed one are evaluated in any case. Of a part, the groups of
    other parts are outlined instead if nothing seems to be wrong with them.
    """
    pair = _Pair(before, after, environments, workers)
    pair.shard = shard
    others: dict[str, tuple[Summary, ...]] | None = None
    first, second = before.shared, after.shared
    if (first.common_digest, first.rule_digests) != (second.common_digest, second.rule_digests):
        pair.evaluate({*before.stems, *after.stems})
        others = {}
    elif first.digest != second.digest:
        others = pair.summarise(pair.same)
        pair.evaluate(pair.different | pair.users_of_changes(others))
    else:
        pair.evaluate(pair.different)
        if pair.summaries_differ():
            others = pair.summarise(pair.same)
    namesakes = pair.namesakes(others or pair.summarise(pair.possibly_renamed()))
    pair.evaluate(namesakes, in_full=True)
    pair.evaluate(pair.fellow_users(others or {}))
    pair.evaluate_again(pair.possible_clashes())
    return pair.states(others)


class _AskedSide(NamedTuple):
    """A state of which something is asked; `results` are those of its groups so far."""

    project: Project
    stems: frozenset[str]
    question: Question
    results: dict[str, Result]


class _Pair:
    """Two states, and the results of their groups so far."""

    def __init__(
        self, before: Project, after: Project, environments: Collection[str], workers: Workers
    ) -> None:
        self.projects = before, after
        self.environments, self.workers = environments, workers
        self.questions = [question_of(item, environments) for item in self.projects]
        self.results: tuple[dict[str, Result], dict[str, Result]] = ({}, {})
        sides = zip(self.projects, self.questions, self.results, strict=True)
        self._asked_sides = [
            _AskedSide(project, frozenset(project.stems), question, results)
            for project, question, results in sides
            if question is not None
        ]
        self.evaluated: set[str] = set()
        self.shard, self.outlined = Shard(), dict[str, None]()
        self.same = {
            stem
            for stem in {*before.stems} & {*after.stems}
            if _content(before, stem) == _content(after, stem)
        }
        self.different = {*before.stems, *after.stems} - self.same

    def states(
        self, others: Mapping[str, tuple[Summary, ...]] | None
    ) -> tuple[EvaluatedState, EvaluatedState]:
        unevaluated: list[Summary] | None = None
        if others is not None:
            left = (some for stem, some in others.items() if stem not in self.evaluated)
            unevaluated = [item for some in left for item in some]
        pairs = zip(self.projects, self.questions, self.results, strict=True)
        first, second = (
            evaluate_state(project, question, results.values(), unevaluated)
            for project, question, results in pairs
        )
        return first, second

    def evaluate(self, stems: Collection[str], *, in_full: bool = False) -> None:
        """Evaluate some groups, on each side that has them."""
        left = {*stems} - self.evaluated
        if not in_full:
            left = {stem for stem in sorted(left) if not self._outline(stem)}
        wanted = [
            GroupSelection(side.project, left & side.stems, side.question)
            for side in self._asked_sides
        ]
        every = evaluate_groups(wanted, *self.workers)
        for side, made in zip(self._asked_sides, every, strict=True):
            side.results.update((item.stem, item) for item in made)
        self.evaluated.update(stems)

    def _outline(self, stem: str) -> bool:
        """Outline a group of another part; on no side if it cannot be done on both."""
        if self.shard.owns_group(stem):
            return False
        sides = [side for side in self._asked_sides if stem in side.stems]
        made = [
            outline(side.project.group(stem), side.project.checked, side.question) for side in sides
        ]
        found = [item for item in made if item]
        if len(found) < len(sides):
            return False
        for side, item in zip(sides, found, strict=True):
            side.results[stem] = item
        self.outlined[stem] = None
        return True

    def possible_clashes(self) -> set[str]:
        """Outlined groups whose objects matter to others: by their name, or as they moved."""
        if not self.outlined:
            return set()
        first, second = (
            {item.summary.key for item in self._specs(results)} for results in self.results
        )
        gone, come = first - second, second - first
        found = {key.stem for key in gone | come} if gone and come else set()
        results = (some.values() for some in self.results)
        found |= clashing_groups(zip(self.projects, results, strict=True))
        return found & self.outlined.keys()

    def evaluate_again(self, stems: Collection[str]) -> None:
        """Evaluate groups that were outlined before."""
        self.evaluated.difference_update(stems)
        self.evaluate(stems, in_full=True)

    def users_of_changes(self, others: Mapping[str, tuple[Summary, ...]]) -> set[str]:
        """The groups that refer to prerequisites which differ."""
        first, second = (item.shared for item in self.projects)
        return {
            stem
            for stem, some in others.items()
            for use in (use for item in some for use in item.references)
            if first.digest_of(use.kind, use.name) != second.digest_of(use.kind, use.name)
        }

    def summarise(self, stems: Iterable[str]) -> dict[str, tuple[Summary, ...]]:
        """What is shown by groups that are the same; it does not depend on prerequisites."""
        after, names = self.projects[1], self.environments
        return {
            stem: tuple(
                item
                for item in summarise(after.group(stem), after.shared)
                if not names or item.environment in names
            )
            for stem in sorted({*stems} - self.evaluated)
        }

    def summaries_differ(self) -> bool:
        """Whether changed groups show something else, or look as if they were meant for another."""
        first, second = (
            {item.summary.key: _visible_content(item.summary) for item in self._specs(results)}
            for results in self.results
        )
        missing = (item.missing for results in self.results for item in self._specs(results))
        return first != second or any(missing)

    def possibly_renamed(self) -> list[str]:
        """The groups that may have another name than their files, which most have not."""
        fields = {kind.name_field.encode() for kind in KINDS.values()} | {b"\\"}
        after = self.projects[1]
        return [
            stem
            for stem in self.same - self.evaluated
            if stem not in after.inputs.groups
            or any(word in item.data for item in after.group(stem).sources for word in fields)
        ]

    def namesakes(self, others: Mapping[str, tuple[Summary, ...]]) -> set[str]:
        """Groups with a spec of the name of one that changes: they may be in its way."""
        changed = (item.summary for results in self.results for item in self._specs(results))
        names = {str(summary.name.value) for summary in changed}
        renamed = {
            stem
            for stem, some in others.items()
            if any(str(item.name.value) in names for item in some)
        }
        return renamed | (self.same & names)

    def fellow_users(self, others: Mapping[str, tuple[Summary, ...]]) -> set[str]:
        """Groups that use what changed groups begin or cease to use.

        A prerequisite goes where its sound users need it, so all of them must be evaluated.
        """
        first, second = (
            {
                (item.summary.environment, use.kind, use.name, item.summary.needs)
                for item in self._specs(results)
                for use in item.summary.references
            }
            for results in self.results
        )
        moved = {(kind, name) for _, kind, name, _ in first ^ second}
        return {
            stem
            for stem, some in others.items()
            if any((use.kind, use.name) in moved for item in some for use in item.references)
        }

    def _specs(self, results: Mapping[str, Result]) -> list[SpecResult]:
        return [item for result in results.values() for item in result.results]


def _content(project: Project, stem: str) -> list[tuple[str, bytes]]:
    paths = project.inputs.groups.get(stem, ())
    return [(path, project.inputs.digests[path]) for path in paths]


def _visible_content(summary: Summary) -> tuple[object, ...]:
    """What other specs may see of a summary, without the places of its values."""
    content = summary.name.plain(), summary.fields.plain(), _uses(summary)
    return (*content, summary.files, summary.own, summary.needs)


def _uses(summary: Summary) -> list[Reference]:
    return [use.content for use in summary.references]
