"""Findings about the impacts of a change, at the lines that cause them."""

from collections.abc import Callable, Iterable, Iterator

from renderer.changes.pair import EvaluatedState
from renderer.evaluate.judgement import Judgement
from renderer.rules import impacts
from renderer.values.changes import AffectedObject, Effect, ImpactFinding
from renderer.values.diagnostics import Diagnostic, Origin, Rule
from renderer.values.named_tuple import NamedTuple

_RULES: dict[Effect, Rule] = {
    Effect.BREAKS: impacts.BREAKS,
    Effect.REFUSED: impacts.REFUSED,
    Effect.IGNORED: impacts.IGNORED,
    Effect.ORPHANS: impacts.ORPHANS,
    Effect.RECREATE: impacts.RECREATE,
    Effect.UNKNOWN: impacts.UNKNOWN,
}
_UnitsOfSpecs = dict[str, dict[str, None]]


class _Message(NamedTuple):
    """What a finding says at a place in an environment, whichever units it is about."""

    origin: Origin
    effect: Effect
    consequence: str
    advice: str
    environment: str


def findings(
    objects: Iterable[AffectedObject], after: EvaluatedState | None
) -> list[ImpactFinding]:
    """The impacts that are errors or warnings, as bad as the new state's settings have them."""
    found = [_finding(message, *about) for message, about in _group_by_message(objects)]
    if after is None:
        return found
    judge = judge_of(after)
    judged = ((judge(item.finding), item.whom) for item in found)
    return [ImpactFinding(finding, whom) for finding, whom in judged if finding]


def judge_of(state: EvaluatedState) -> Callable[[Diagnostic], Diagnostic | None]:
    """How bad a finding is in its environment, by settings and comments; nothing if ignored."""
    comments = dict(state.project.checked.comments)
    for result in state.results:
        comments.update(result.comments)
    judgement = Judgement(state.project.shared, comments, {})
    return lambda item: judgement.judge_in(item, item.environments[0])


def _group_by_message(
    objects: Iterable[AffectedObject],
) -> Iterator[tuple[_Message, tuple[_UnitsOfSpecs, set[str]]]]:
    """Each message once, with all units and files that it is about."""
    grouped: dict[_Message, tuple[_UnitsOfSpecs, set[str]]] = {}
    for item in objects:
        change = item.change
        for cause, impact in item.impacts:
            if impact.effect in _RULES:
                where = item.origin_of(cause)._replace(note="")
                text = (impact.effect, impact.consequence, impact.advice, change.environment)
                whom, files = grouped.setdefault(_Message(where, *text), ({}, set()))
                whom.setdefault(impact.spec, {})[impact.unit] = None
                sides = (side for side in (change.before, change.after) if side)
                files.update(file for side in sides for file in side.spec.files)
    yield from grouped.items()


def _finding(message: _Message, whom: _UnitsOfSpecs, files: set[str]) -> ImpactFinding:
    finding = _RULES[message.effect].at(message.origin, message.consequence, message.advice)
    about = tuple((spec, tuple(units)) for spec, units in whom.items())
    return ImpactFinding(finding.about(message.environment, related=files), about)
