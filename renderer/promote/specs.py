"""One spec of the target brought to what the source has, difference by difference."""

from collections.abc import Sequence
from typing import NamedTuple

from renderer.changes.environments import spec_differences
from renderer.evaluate.composition import Identity
from renderer.promote.attempts import Case, SourceSpec, attempts
from renderer.promote.draft import Attempt, Draft
from renderer.promote.tree_paths import match_order
from renderer.values.changes import How
from renderer.values.environments import SpecDifference
from renderer.values.model import Environment, Settings, Spec
from renderer.values.promotion import UncarriedDifference


class Sides(NamedTuple):
    """Both environments as they are, and the settings that say what they may differ in."""

    source: Environment
    target: Environment
    settings: Settings

    def differences(self, source: SourceSpec, target: Spec) -> list[SpecDifference]:
        pair = (self.source, self.target)
        return list(spec_differences(source.spec, target, self.settings, pair))


def carry(
    draft: Draft, identity: Identity, source: SourceSpec, sides: Sides
) -> list[UncarriedDifference]:
    """Edit the draft's spec until it is as the source's where it must be; what cannot be done."""
    target = draft.spec(identity)
    if target is None:
        return [UncarriedDifference("/".join(identity), None, f"it has errors in {draft.name}")]
    now = sides.differences(source, target)
    failed: dict[tuple[object, ...], SpecDifference] = {}
    while item := next((d for d in now if not d.reason and _key(d) not in failed), None):
        own = draft.own_file(identity)
        case = Case(item.change, source, target, draft, own) if own else None
        done = _first(case, item, now, sides) if case else None
        if done is None:
            failed[_key(item)] = item
            continue
        attempt, target, now = done
        draft.take(identity, attempt)
    own = draft.own.get(identity)
    if own and not own.text:
        draft.take(identity, Attempt(match_order(own.tree, source.fresh or source.unbound)))
    return [
        UncarriedDifference(item.spec, item.change, _reason(draft, identity, item))
        for item in now
        if not item.reason
    ]


def _first(
    case: Case, item: SpecDifference, now: Sequence[SpecDifference], sides: Sides
) -> tuple[Attempt, Spec, list[SpecDifference]] | None:
    """The first attempt that does what it should and nothing else."""
    for attempt in attempts(case):
        made = case.draft.spec(case.target.identity, attempt)
        new = sides.differences(case.source, made) if made else None
        if made and new is not None and _is_better(item, now, new):
            return attempt, made, new
    return None


def _is_better(
    item: SpecDifference, now: Sequence[SpecDifference], new: Sequence[SpecDifference]
) -> bool:
    """Whether a difference is gone, what may differ is as before, and nothing else differs.

    What is new may differ where it may; the order of a list that is not complete yet is no matter.
    """
    known = {_key(other) for other in now if not other.reason} - {_key(item)}
    path = item.change.path
    for other in new:
        is_below = bool(other.reason) and other.change.path[: len(path)] == path
        is_order = other.change.how is How.MOVED and other.change.path == path[:-1]
        is_known = _is_among(other, now) if other.reason else _key(other) in known
        if not (is_below or is_order or is_known):
            return False
    return all(_is_among(other, new) for other in now if other.reason)


def _key(item: SpecDifference) -> tuple[object, ...]:
    """What tells the differences of a spec apart, whatever their values are."""
    change = item.change
    if change.how is How.RENAMED:
        return change.path, *(repr(node and node.plain()) for node in (change.before, change.after))
    return change.path, change.how is How.MOVED


def _is_among(item: SpecDifference, others: Sequence[SpecDifference]) -> bool:
    return any(_same(item, other) for other in others)


def _same(one: SpecDifference, other: SpecDifference) -> bool:
    first, second = one.change, other.change
    if (first.path, first.how) != (second.path, second.how):
        return False
    pairs = ((first.before, second.before), (first.after, second.after))
    return all(repr(a and a.plain()) == repr(b and b.plain()) for a, b in pairs)


def _reason(draft: Draft, identity: Identity, item: SpecDifference) -> str:
    own = draft.own_file(identity)
    file = own.file if own else f"environments/{draft.name}"
    if item.change.how is How.MOVED:
        return f"the order of these items comes from above, and {file} cannot change it"
    return f"no edit of {file} by itself does it without changing what else {draft.name} has"
