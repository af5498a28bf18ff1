"""What is worth a word about the impacts of a change, at the line that causes them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from renderer.changes import Affected, Change, Impact, ObjectChange
from renderer.comparison.locating import origin_of
from renderer.diagnostics import Diagnostic, merged
from renderer.ignores import Ignores
from renderer.model import Project
from renderer.policy import Policy
from renderer.rules.impacts import BY_EFFECT
from renderer.wording import listed


def findings(
    objects: Iterable[Affected], before: Project | None, after: Project | None
) -> list[Diagnostic]:
    """The impacts that are errors or warnings, as bad as the new state's settings have them."""
    found = [one for item in objects for one in _of(item, before, after)]
    if after is None:
        return merged(found)
    ignores = Ignores(after.documents.values())
    policies = {item.name: Policy.of(after.settings, item) for item in after.environments}
    general = Policy.of(after.settings)
    judged = (ignores.judge(item, policies.get(item.environments[0], general)) for item in found)
    return merged(item for item in judged if item)


@dataclass(slots=True)
class _Told:
    cause: Change | None
    impact: Impact
    units: list[str]


def _of(item: Affected, before: Project | None, after: Project | None) -> Iterator[Diagnostic]:
    """One finding for all units that a change does the same to."""
    told: dict[tuple[object, ...], _Told] = {}
    for cause, impact in item.impacts:
        if impact.effect in BY_EFFECT:
            same = (cause, impact.effect, impact.consequence, impact.advice, impact.spec)
            word = told.setdefault(same, _Told(cause, impact, []))
            word.units.append(impact.unit)
    for word in told.values():
        where = origin_of(word.cause, item.change, before, after)
        rule = BY_EFFECT[word.impact.effect]
        message = _message(word)
        finding = rule.at(where._replace(note=""), message, word.impact.advice)
        yield finding.about(item.change.environment, related=_files(item.change))


def _message(word: _Told) -> str:
    units = [unit for unit in dict.fromkeys(word.units) if unit]
    whom = f"{word.impact.spec} ({listed(units)})" if units else word.impact.spec
    return f"{whom}: {word.impact.consequence}"


def _files(change: ObjectChange) -> set[str]:
    return {file for side in (change.before, change.after) if side for file in side.spec.files}
