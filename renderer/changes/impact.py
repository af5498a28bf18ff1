"""What an edit does to what runs: two derivations compared, by the rows of the controllers."""

from collections.abc import Iterator, Mapping
from functools import partial

from renderer.changes.affected_specs import AffectedSpec, affected_specs
from renderer.changes.attribution import Attribution, concerns_unit
from renderer.changes.derivations import UnitKey
from renderer.changes.impact_words import Words
from renderer.changes.kubernetes_behaviour import KINDS, ROWS
from renderer.derive.behaviour import Row, Situation, Stage
from renderer.derive.evidence import is_observed
from renderer.values.changes import Change, Impact, ObjectChange, State
from renderer.values.derivations import Problem
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity

CausedImpact = tuple[Change | None, Impact]


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What the change of an object does to the units of its spec, or of those that use it."""
    seen: set[tuple[int, Impact]] = set()
    for spec in affected_specs(change, before, after):
        for cause, impact in _spec_impacts(spec):
            if (id(cause), impact) not in seen:
                seen.add((id(cause), impact))
                yield cause, impact


def _spec_impacts(spec: AffectedSpec) -> Iterator[CausedImpact]:
    """What the change does to the units of one spec; if it is refused, nothing else happens."""
    problems = [item for item in spec.present.problems if _is_caused_by_edit(spec, item)]
    refusals = [item for item in problems if item.refused]
    for problem in refusals or problems:
        yield from _problem_impacts(spec, problem)
    if refusals:
        return
    if spec.stage is not Stage.EDITED:
        cause = next(_changes_near(("metadata", "name"), spec.change))
        for key in spec.pairs:
            yield from _classify(spec, key, spec.situation(key, cause))
        return
    follows_settings = spec.object_is_same and spec.behaviour.follows_settings
    # an object that others refer to, or of which a cluster makes something else
    whole_object = (None,) if follows_settings or not spec.is_own else ()
    changes: tuple[Change | None, ...] = spec.change.changes or whole_object
    attribution = Attribution(spec, changes)
    for change in changes:
        for key in spec.pairs:
            situation = spec.situation(key, change)._replace(
                is_near=concerns_unit(spec, change, key),
                find_differences=partial(attribution.differences, change, key),
            )
            yield from _classify(spec, key, situation)


def _is_caused_by_edit(spec: AffectedSpec, problem: Problem) -> bool:
    """Whether a problem is new, and the edited object is the one that causes it."""
    if problem in spec.former.problems:
        return False
    if spec.is_own:
        return problem.source not in spec.changed_needs
    return problem.source in spec.edited_names or (spec.object_is_same and not problem.source)


def _problem_impacts(spec: AffectedSpec, problem: Problem) -> Iterator[CausedImpact]:
    kind = problem.kind or ("refused" if problem.refused else "broken")
    words = {"reason": problem.reason, "remedy": problem.remedy, **dict(problem.words)}
    for key in spec.pairs:
        if spec.is_in_cluster(key) and (not problem.units or key in problem.units):
            path = problem.path if spec.is_own else problem.source_path
            for cause in _changes_near(path, spec.change):
                yield cause, _impact(spec, spec.situation(key, cause), key, kind, words)


def _changes_near(place: Path, change: ObjectChange) -> Iterator[Change | None]:
    """The changes at, below or around a place; if there is none, the object itself."""
    found: list[Change | None] = [
        item
        for item in change.changes
        if all(one == other for one, other in zip(place, item.path, strict=False))
    ]
    yield from found if place and found else [None]


def _classify(spec: AffectedSpec, key: UnitKey, situation: Situation) -> Iterator[CausedImpact]:
    """The impacts of a situation: by the rows of its backend, then by those of Kubernetes."""
    for row in _rows(spec.behaviour.rows, situation.kind, situation.source, situation.stage):
        if row.fits(situation):
            if row.kind:
                words = row.words(situation)
                yield situation.change, _impact(spec, situation, key, row.kind, words)
            if not row.goes_on:
                return


@cached_by_identity
def _rows(own: tuple[Row, ...], kind: str, source: str, stage: Stage) -> tuple[Row, ...]:
    """The rows that may fit an edit of a spec's own object or of another kind, in their order.

    Most rows are about another kind or stage, and an edit may reach a thousand specs.
    """
    return tuple(row for row in (*own, *ROWS) if row.is_about(kind, source, stage))


def _impact(
    spec: AffectedSpec, situation: Situation, key: UnitKey, name: str, words: Mapping[str, str]
) -> Impact:
    kind = spec.behaviour.kinds.get(name) or KINDS[name]
    is_seen = is_observed(kind, spec.behaviour.setting(situation), situation)
    note = " (observed)" if is_seen else ""
    given = {**spec.behaviour.words(situation), **words, "observed": note}
    all_words = Words(situation, given)
    texts = (text.format_map(all_words) for text in (kind.consequence, kind.advice))
    consequence, advice = (text.strip() for text in texts)
    if note and "{observed}" not in kind.consequence:
        consequence = f"{consequence.removesuffix('.')}{note}."
    return Impact(
        kind.effect,
        *(key[0], str(spec.applied.spec), key[1]),
        consequence,
        advice,
        replaces_pods=kind.replaces_pods,
        by_platform=kind.by_platform,
        leaves_pods=kind.leaves_pods,
    )
