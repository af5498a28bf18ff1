"""What is worth a word about the impacts of a change, at the line that causes them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.changes.pair import EvaluatedState
from renderer.evaluate.judgement import Judgement
from renderer.rules import impacts
from renderer.values.changes import AffectedObject, Effect, ImpactFinding
from renderer.values.diagnostics import Origin, Rule

_BY_EFFECT: dict[Effect, Rule] = {
    Effect.BREAKS: impacts.BREAKS,
    Effect.REFUSED: impacts.REFUSED,
    Effect.IGNORED: impacts.IGNORED,
    Effect.ORPHANS: impacts.ORPHANS,
    Effect.RECREATE: impacts.RECREATE,
    Effect.UNKNOWN: impacts.UNKNOWN,
}
_Whom = dict[str, dict[str, None]]


class _Words(NamedTuple):
    """What is said at a place in an environment, whomever it is about."""

    origin: Origin
    effect: Effect
    consequence: str
    advice: str
    environment: str


def findings(
    objects: Iterable[AffectedObject], after: EvaluatedState | None
) -> list[ImpactFinding]:
    """The impacts that are errors or warnings, as bad as the new state's settings have them."""
    found = [_finding(words, *about) for words, about in _told(objects)]
    if after is None:
        return found
    comments = dict(after.project.checked.comments)
    for result in after.results:
        comments.update(result.comments)
    judge = Judgement(after.project.shared, comments, {}).judge_in
    judged = ((judge(item.finding, item.finding.environments[0]), item.whom) for item in found)
    return [ImpactFinding(finding, whom) for finding, whom in judged if finding]


def _told(objects: Iterable[AffectedObject]) -> Iterator[tuple[_Words, tuple[_Whom, set[str]]]]:
    """The same words at one place once, with every unit and all files that they are about."""
    told: dict[_Words, tuple[_Whom, set[str]]] = {}
    for item in objects:
        change = item.change
        for cause, impact in item.impacts:
            if impact.effect in _BY_EFFECT:
                where = item.origin_of(cause)._replace(note="")
                said = (impact.effect, impact.consequence, impact.advice, change.environment)
                whom, files = told.setdefault(_Words(where, *said), ({}, set()))
                whom.setdefault(impact.spec, {})[impact.unit] = None
                sides = (side for side in (change.before, change.after) if side)
                files.update(file for side in sides for file in side.spec.files)
    yield from told.items()


def _finding(words: _Words, whom: _Whom, files: set[str]) -> ImpactFinding:
    finding = _BY_EFFECT[words.effect].at(words.origin, words.consequence, words.advice)
    about = tuple((spec, tuple(units)) for spec, units in whom.items())
    return ImpactFinding(finding.about(words.environment, related=files), about)
