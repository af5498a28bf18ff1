"""Objects that come, go, move or get another name, and what no object may change."""

from collections.abc import Callable, Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.impact.judgement import (
    CausedImpact,
    Judged,
    Pair,
    elsewhere,
    impacts_of,
)
from renderer.backends.kuberay.impact.rendered_workload import RenderedWorkload, is_on
from renderer.text.wording import path_text
from renderer.values.changes import Change, ObjectChange, State
from renderer.values.diagnostics import Path

_MANAGED_BY, _KUBERAY = "managedBy", "ray.io/kuberay-operator"
_BACKEND = ("gcsFaultToleranceOptions", "backend")
#: Since when it may not be changed.
_FIXED_BACKEND = (1, 7, 0)


def impacts_on_object(
    change: ObjectChange,
    before: State,
    after: State,
    edited: Callable[[Pair], Iterator[Judged]],
) -> Iterator[CausedImpact]:
    """What becomes of a cluster or service, as a whole or by its changes."""
    old = RenderedWorkload.of(change.before, before, after) if change.before else None
    new = RenderedWorkload.of(change.after, after, before) if change.after else None
    if new and not old:
        yield from impacts_of([_came(new, before)], new)
    elif old and not new:
        yield from impacts_of([_went(old, after)], old)
    elif old and new and change.is_renamed:
        yield from impacts_of([_renamed(Pair(old, new, change))], new)
    elif old and new:
        yield from impacts_of(edits_of(Pair(old, new, change), edited), new)


def edits_of(pair: Pair, edited: Callable[[Pair], Iterator[Judged]]) -> Iterator[Judged]:
    """What the changes of an object do that stays, if KubeRay gets to see them."""
    if found := [*_refusals(pair)]:
        yield from found
    elif text(pair.new.spec, _MANAGED_BY) not in ("", _KUBERAY):
        yield Judged(None, "other-manager", pair.units)
    else:
        yield from edited(pair)


def switch(pair: Pair, *path: str) -> Change | None:
    """The change that suspends or resumes something; nothing if none does."""
    was, now = (is_on(side.spec, *path) for side in (pair.old, pair.new))
    found = (item for item in pair.changes if item.path == ("spec", *path))
    return next(found, None) if was != now else None


def _came(new: RenderedWorkload, before: State) -> Judged:
    """An object that is new; it may come from another destination."""
    if new.is_suspended:
        return Judged(None, "created-suspended", new.units)
    if origin := elsewhere(new.manifest, before):
        words = {"before": origin, "after": new.manifest.destination}
        return Judged(None, "moved", new.units, words)
    return Judged(None, "created", new.units)


def _went(old: RenderedWorkload, after: State) -> Judged:
    """An object that is gone; it may be at another destination now."""
    if target := elsewhere(old.manifest, after):
        words = {"before": old.manifest.destination, "after": target}
        return Judged(None, "moved", old.units, words)
    return Judged(None, "deleted", old.units)


def _renamed(pair: Pair) -> Judged:
    """An object of another name, or in another namespace."""
    names = [(side.name, side.namespace) for side in (pair.old, pair.new)]
    is_name = names[0][0] != names[1][0]
    before, after = (both[0] if is_name else both[1] for both in names)
    return Judged(None, "renamed", pair.units, {"before": before, "after": after})


def _refusals(pair: Pair) -> Iterator[Judged]:
    """Fields that have a value for good; giving them one, or none, is fine."""
    where = pair.new.cluster_path
    paths: list[Path] = [("spec", _MANAGED_BY), (*where, _MANAGED_BY)]
    if pair.new.dialect.knows(_FIXED_BACKEND):
        paths.append((*where, *_BACKEND))
    for path in dict.fromkeys(paths):
        was, now = (text(side.manifest.tree, *path) for side in (pair.old, pair.new))
        if was and now and was != now:
            words = {"place": path_text(path[1:])}
            yield Judged(_cause(pair.changes, path), "refused", pair.units, words)


def _cause(changes: tuple[Change, ...], path: Path) -> Change | None:
    """The change at a path, or around it."""
    return next((item for item in changes if path[: len(item.path)] == item.path), None)
