"""What one change does to some units, as a kind of change and the words of its sentences."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from renderer.backends.fields import text
from renderer.backends.kuberay.impact.change_kinds import CHANGE_KINDS
from renderer.backends.kuberay.impact.cluster_hash import WORKERS
from renderer.backends.kuberay.impact.observed import is_observed
from renderer.backends.kuberay.impact.rendered_workload import RenderedWorkload
from renderer.backends.kuberay.impact.service_change_kinds import SERVICE_CHANGE_KINDS
from renderer.backends.kuberay.workloads import HEAD
from renderer.text.wording import path_text
from renderer.values.changes import Change, Impact, ObjectChange, State
from renderer.values.diagnostics import Path
from renderer.values.objects import Manifest
from renderer.values.tree import Node

CausedImpact: TypeAlias = tuple[Change | None, Impact]
KINDS = {**CHANGE_KINDS, **SERVICE_CHANGE_KINDS}
_LISTS = {"labels": "label", "annotations": "annotation"}


class Judged(NamedTuple):
    """A change, or the object as a whole, its kind, the units that it is about, and words."""

    change: Change | None
    kind: str
    units: tuple[str, ...]
    words: Mapping[str, str] = {}


def impacts_of(found: Iterable[Judged], workload: RenderedWorkload) -> Iterator[CausedImpact]:
    """Kinds of changes as impacts on the units of a workload."""
    where = workload.manifest.destination, str(workload.manifest.spec)
    for change, name, units, words in found:
        kind = KINDS[name]
        said = {**_words(change, workload), **words}
        sentences = (kind.consequence.format(**said), kind.advice.format(**said))
        if is_observed(name, workload.dialect):
            sentences = (f"{sentences[0].removesuffix('.')} (observed).", sentences[1])
        for unit in units:
            pods = kind.replaces_pods
            yield change, Impact(kind.effect, *where, unit, *sentences, replaces_pods=pods)


def _words(change: Change | None, workload: RenderedWorkload) -> dict[str, str]:
    what = _named(change.path) if change else ""
    field = what[:1].upper() + what[1:]
    return {"what": what, "field": field, "name": workload.name, "kind": workload.kind}


def _named(path: Path) -> str:
    """A path in words."""
    if path[:1] == ("metadata",) and path[2:] and str(path[1]) in _LISTS:
        return f"the {_LISTS[str(path[1])]} `{path[-1]}`"
    return f"`{path_text(path[1:] if path[:1] == ('spec',) else path)}`"


class Pair(NamedTuple):
    """An object that stays, on both sides."""

    old: RenderedWorkload
    new: RenderedWorkload
    change: ObjectChange

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.change.changes

    @property
    def units(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.new.units, *self.old.units)))

    def concerned(self, change: Change) -> tuple[str, ...]:
        """The units of the groups that a change is in, brings or takes; all if it is in none."""
        rest = change.path[len(self.new.cluster_path) :]
        if rest[:1] == ("headGroupSpec",):
            return (HEAD,)
        if rest[:1] != (WORKERS,):
            return self.units
        if len(rest) > 1:
            return (str(rest[1]).removeprefix("[").removesuffix("]"),)
        return tuple(dict.fromkeys((*groups_in(change.before), *groups_in(change.after))))


def groups_in(node: Node | None) -> tuple[str, ...]:
    """The names of the groups that a list, or one of them, describes."""
    listing = (node.elements or (node,)) if node else ()
    return tuple(name for item in listing if (name := text(item, "groupName")))


def elsewhere(manifest: Manifest, state: State) -> str:
    """Another destination of the environment that has the same object."""
    same = (
        item.destination
        for item in state.manifests_below(f"{manifest.environment}/")
        if item.identity == manifest.identity and item.destination != manifest.destination
    )
    return next(same, "")


def keys_at(change: Change, depth: int) -> set[str]:
    """The keys at a depth of its path that a change is about; all of them if it is above it."""
    if len(change.path) > depth:
        return {str(change.path[depth])}
    sides = (side.items for side in (change.before, change.after) if side)
    return {key for items in sides for key in items}


def field_of(change: Change, depth: int = 1) -> str:
    """The key at a depth of its path; empty if it is above it."""
    return str(change.path[depth]) if len(change.path) > depth else ""


def is_below(change: Change, where: Path) -> bool:
    """Whether a change is at a path or below it."""
    return change.path[: len(where)] == where
