"""Two states side by side: what changed, and what the change does to what runs."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from renderer.values.derivations import Problem
from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, SpecKey
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.tree import Node


class EditKind(StrEnum):
    """What was changed that brings a change of objects about."""

    EDIT = "edit"
    TEMPLATE = "template"
    SETTINGS = "settings"
    CRD = "crd"
    OUTPUT = "output"
    TOOL = "tool"


FindRefusals: TypeAlias = Callable[[Manifest, Manifest], Sequence[Problem]]


def no_refusals(new: Manifest, old: Manifest) -> Sequence[Problem]:  # noqa: ARG001
    """Of objects whose CRDs are not here, or have no rules on changes."""
    return ()


class State(NamedTuple):
    """One side of a comparison: its environments, and what was rendered of them.

    Manifests are in order of their paths. A state that was read from rendered files has the
    environments of the other side, if any, and specs that only have a name. `unrendered` are
    specs that have errors or need one that has, and so no manifests; `obstacles` are what rules
    found of other specs at which their platform stops. `find_refusals` says why the API server
    refuses an object in the place of a former one, as far as the CRDs of this state say so.
    """

    environments: Mapping[str, Environment]
    manifests: tuple[Manifest, ...]
    unrendered: frozenset[SpecKey] = frozenset()
    obstacles: Mapping[SpecKey, tuple[Diagnostic, ...]] = {}
    find_refusals: FindRefusals = no_refusals

    def manifests_below(self, folder: str) -> Iterator[Manifest]:
        """The manifests whose paths start in some way."""
        start = bisect_left(self.manifests, folder, key=lambda item: item.path)
        for index in range(start, len(self.manifests)):
            if not self.manifests[index].path.startswith(folder):
                return
            yield self.manifests[index]

    def manifest_at(self, path: str) -> Manifest | None:
        return _manifests_by_path(self).get(path)


@cached_by_identity
def _manifests_by_path(state: State) -> dict[str, Manifest]:
    return {item.path: item for item in state.manifests}


class How(StrEnum):
    """In which way a value differs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    RENAMED = "renamed"


class Change(NamedTuple):
    """One difference of an object; a side without a value is nothing.

    Items of lists with a natural key are named in the path as `[alice/guest]`, other ones by
    their number. The path goes on into texts that hold JSON or YAML. `texts_only` says that a text
    was written in another way but holds the same data.
    """

    path: Path
    how: How
    before: Node | None
    after: Node | None
    texts_only: bool = False


class Edit(NamedTuple):
    """What was changed in a file, in the words of its author; the cause of what objects change.

    A side without a value is nothing. The place is where the new value is, or where the old one
    was. Without a path it is the whole file, whose names are the values if it has another one.
    """

    kind: EditKind
    origin: Origin
    path: Path = ()
    how: How = How.CHANGED
    before: Node | None = None
    after: Node | None = None


#: No edit of anybody: another version of this tool writes something else.
TOOL = Edit(EditKind.TOOL, Origin(""))


class ObjectChange(NamedTuple):
    """An object that differs; on one side it may not exist at all, and then has no changes.

    A spec that renders under another name is one object that was renamed.
    """

    environment: str
    destination: str
    before: Manifest | None
    after: Manifest | None
    changes: tuple[Change, ...] = ()

    @property
    def manifest(self) -> Manifest:
        """The object as it will be, or as it was."""
        found = self.after or self.before
        assert found is not None, "an object is on one side at least"  # noqa: S101
        return found

    @property
    def sides(self) -> tuple[Manifest, ...]:
        """The object as it was and as it will be, as far as it exists."""
        return tuple(side for side in (self.before, self.after) if side)

    @property
    def is_renamed(self) -> bool:
        return bool(self.before and self.after and self.before.identity != self.after.identity)


class Effect(StrEnum):
    """What a change does to a running unit."""

    CREATE = "create"
    DELETE = "delete"
    IN_PLACE = "in-place"
    ROLLING = "rolling"
    DEFERRED = "deferred"
    IGNORED = "ignored"
    REPLACE = "replace"
    RECREATE = "recreate"
    ORPHANS = "orphans"
    BREAKS = "breaks"
    REFUSED = "refused"
    RUNS = "runs"
    UNKNOWN = "unknown"


class Impact(NamedTuple):
    """What a change does to one unit of one spec: a sentence of consequence, one of advice.

    `replaces_pods` says that pods come and go with it, now or later; `leaves_pods` that former ones
    are among what is left behind; `by_platform` that it happens when the platform looks at the
    spec, and so only if that does not fail.
    """

    effect: Effect
    destination: str
    spec: str
    unit: str
    consequence: str
    advice: str = ""
    replaces_pods: bool = False
    by_platform: bool = True
    leaves_pods: bool = False


UnitImpacts: TypeAlias = Mapping[tuple[str, str], Collection[Impact]]
"""All impacts on the units of one spec, by destination and unit."""


class Demand(NamedTuple):
    """What a unit asks of a place, by resource and in its base unit (cores, bytes, pieces).

    `before` is for what runs now, `after` for what will run once the change has taken effect, as
    far as it does; `peak` is the most at any moment in between.
    """

    environment: str
    destination: str
    spec: str
    unit: str
    before: Mapping[str, Decimal]
    after: Mapping[str, Decimal]
    peak: Mapping[str, Decimal]


class Capacity(NamedTuple):
    """What the units of one name ask of a place: before, after, and while the change happens."""

    environment: str
    destination: str
    unit: str
    resource: str
    before: Decimal
    after: Decimal
    peak: Decimal

    @property
    def is_a_change(self) -> bool:
        return not self.before == self.after == self.peak


class ReachedSpec(NamedTuple):
    """A spec that an edit reaches, and its units."""

    environment: str
    spec: str
    units: tuple[str, ...]


class Reach(NamedTuple):
    """An edited file and every spec whose objects change with it."""

    file: str
    specs: tuple[ReachedSpec, ...]


class AffectedObject(NamedTuple):
    """An object that differs, with the impacts of its changes; of the whole object if of none.

    `origins` are the places in the specs where its changes were made, in their order; `causes` are,
    by number, the edits that brought them about; both have that of the object as a whole last. A
    change is `carried` if rendering made it of other values, to bring their change to this object.
    Causes are assumed if nothing but its surroundings can be behind it. It is shared if every part
    of a comparison has it.
    """

    change: ObjectChange
    impacts: tuple[tuple[Change | None, Impact], ...] = ()
    origins: tuple[Origin, ...] = ()
    causes: tuple[tuple[int, ...], ...] = ()
    carried: tuple[bool, ...] = ()
    is_assumed: bool = False
    is_shared: bool = False

    def impacts_of(self, change: Change | None) -> tuple[Impact, ...]:
        """The impacts of one change, or (of nothing) of the object as a whole."""
        return tuple(impact for cause, impact in self.impacts if cause == change)

    def origin_of(self, change: Change | None) -> Origin:
        """The place of one change, or (of nothing) of the object as a whole."""
        return self.origins[self.change.changes.index(change) if change else -1]


class Breakage(NamedTuple):
    """A spec that cannot be rendered any more, and by number the edits behind that.

    Without a spec, and maybe without an environment, it is an error in what was edited. Every part
    of a diff speaks for itself of a prerequisite, which `is_shared`.
    """

    environment: str
    spec: str
    causes: tuple[int, ...]
    is_shared: bool = False


def drop_known_causes(broken: Iterable[Breakage]) -> list[Breakage]:
    """In order, without edits that are named for their errors although a spec suffers from them."""
    found = list(broken)
    known = {number for item in found if item.spec for number in item.causes}
    rest = {
        item
        if item.spec
        else item._replace(causes=tuple(number for number in item.causes if number not in known))
        for item in found
    }
    return sorted(item for item in rest if item.causes)


class ImpactFinding(NamedTuple):
    """What is worth a word about an impact, as a finding, and the specs and units it is about."""

    finding: Diagnostic
    whom: tuple[tuple[str, tuple[str, ...]], ...]


class Comparison(NamedTuple):
    """Two states compared: objects in order of their place, findings in order of theirs.

    `findings` are what is wrong with the new state and with the change itself; the latter are also
    `impact_findings`, with those whom they are about. `incomparable` are the errors of the old
    state, whose objects could not be made. `edits` are what people changed, by number, whether it
    changes an object or not; `production` are the environments that real users depend on; `broken`
    is what the edits make wrong.
    """

    objects: tuple[AffectedObject, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    incomparable: tuple[Diagnostic, ...] = ()
    capacity: tuple[Capacity, ...] = ()
    reach: tuple[Reach, ...] = ()
    edits: tuple[Edit, ...] = ()
    production: frozenset[str] = frozenset()
    impact_findings: tuple[ImpactFinding, ...] = ()
    broken: tuple[Breakage, ...] = ()
