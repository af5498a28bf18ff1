"""What is worth a word about the impacts of a change, at the line that causes them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.check import impacts
from renderer.compare.pair import EvaluatedState
from renderer.evaluate.judgement import Judgement
from renderer.text.wording import listed
from renderer.values.changes import Affected, Effect
from renderer.values.diagnostics import Diagnostic, Origin, Rule, merged

_BY_EFFECT: dict[Effect, Rule] = {
    Effect.BREAKS: impacts.BREAKS,
    Effect.REFUSED: impacts.REFUSED,
    Effect.IGNORED: impacts.IGNORED,
    Effect.ORPHANS: impacts.ORPHANS,
    Effect.RECREATE: impacts.RECREATE,
}
_MOST_NAMED = 3
_Whom = dict[str, dict[str, None]]


class _Words(NamedTuple):
    """What is said at a place in an environment, whomever it is about."""

    origin: Origin
    effect: Effect
    consequence: str
    advice: str
    environment: str


def findings(objects: Iterable[Affected], after: EvaluatedState | None) -> list[Diagnostic]:
    """The impacts that are errors or warnings, as bad as the new state's settings have them."""
    found = [_finding(words, *about) for words, about in _told(objects)]
    if after is None:
        return merged(_once(found))
    comments = dict(after.project.checked.comments)
    for result in after.results:
        comments.update(result.comments)
    judge = Judgement(after.project.shared, comments, {}).in_environment
    judged = (judge(item, item.environments[0]) for item in found)
    return merged(_once(item for item in judged if item))


def _once(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The same words of the same units once: where several lines cause them, at the first."""
    said: set[tuple[object, ...]] = set()
    for item in sorted(found, key=lambda item: (not item.line, *item.place)):
        words = item.code, item.message, item.fix, item.environments
        if words not in said:
            said.add(words)
            yield item


def _told(objects: Iterable[Affected]) -> Iterator[tuple[_Words, tuple[_Whom, set[str]]]]:
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


def _finding(words: _Words, whom: _Whom, files: set[str]) -> Diagnostic:
    named = [_named(spec, units) for spec, units in whom.items()]
    more = [f"{len(named) - _MOST_NAMED} more"] if len(named) > _MOST_NAMED else []
    message = f"{listed([*named[:_MOST_NAMED], *more])}: {words.consequence}"
    finding = _BY_EFFECT[words.effect].at(words.origin, message, words.advice)
    return finding.about(words.environment, related=files)


def _named(spec: str, units: Iterable[str]) -> str:
    names = [unit for unit in units if unit]
    return f"{spec} ({listed(names)})" if names else spec
