"""Two states side by side: what changed, and what the change does to what runs."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.model import Environment, Manifest
from renderer.values.tree import Node


class EditKind(StrEnum):
    """What was changed that brings a change of objects about."""

    EDIT = "edit"
    TEMPLATE = "template"
    SETTINGS = "settings"
    CRD = "crd"
    OUTPUT = "output"
    TOOL = "tool"


class State(NamedTuple):
    """One side of a comparison: its environments, and what was rendered of them.

    Manifests are in order of their paths. A state that was read from rendered files has the
    environments of the other side, if any, and specs that only have a name.
    """

    environments: Mapping[str, Environment]
    manifests: tuple[Manifest, ...]

    def below(self, folder: str) -> Iterator[Manifest]:
        """The manifests whose paths start in some way."""
        start = bisect_left(self.manifests, folder, key=lambda item: item.path)
        for index in range(start, len(self.manifests)):
            if not self.manifests[index].path.startswith(folder):
                return
            yield self.manifests[index]

    def at(self, path: str) -> Manifest | None:
        return next((item for item in self.below(path) if item.path == path), None)


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
    their number. The path goes on into texts that hold JSON. `texts_only` says that a text was
    written in another way but holds the same data.
    """

    path: Path
    how: How
    before: Node | None
    after: Node | None
    texts_only: bool = False


class Edit(NamedTuple):
    """What was changed in a file, in the words of its author; the cause of what objects change.

    A side without a value is nothing. The place is where the new value is, or where the old one
    was. Without a path it is the whole file.
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


class Impact(NamedTuple):
    """What a change does to one unit of one spec: a sentence of consequence, one of advice.

    `replaces_pods` says that pods come and go with it, now or later; `by_platform` that it happens
    when the platform looks at the spec, and so only if that does not fail.
    """

    effect: Effect
    destination: str
    spec: str
    unit: str
    consequence: str
    advice: str = ""
    replaces_pods: bool = False
    by_platform: bool = True


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


class Reached(NamedTuple):
    """A spec that an edit reaches, and its units."""

    environment: str
    spec: str
    units: tuple[str, ...]


class Reach(NamedTuple):
    """An edited file and every spec whose objects change with it."""

    file: str
    specs: tuple[Reached, ...]


class Affected(NamedTuple):
    """An object that differs, with the impacts of its changes; of the whole object if of none.

    `origins` are the places in the specs where its changes were made, in their order; `causes` are,
    by number, the edits that brought them about, and those of the object as a whole last. A change
    is `carried` if rendering made it of other values, to bring their change to this object.
    """

    change: ObjectChange
    impacts: tuple[tuple[Change | None, Impact], ...] = ()
    origins: tuple[Origin, ...] = ()
    causes: tuple[tuple[int, ...], ...] = ()
    carried: tuple[bool, ...] = ()

    def of(self, change: Change | None) -> tuple[Impact, ...]:
        """The impacts of one change, or (of nothing) of the object as a whole."""
        return tuple(impact for cause, impact in self.impacts if cause == change)


class Comparison(NamedTuple):
    """Two states compared: objects in order of their place, findings in order of theirs.

    `findings` are what is wrong with the new state and with the change itself, `incomparable` the
    errors of the old state, whose objects could not be made. `edits` are what people changed, by
    number, whether it changes an object or not; `production` are the environments that real users
    depend on.
    """

    objects: tuple[Affected, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    incomparable: tuple[Diagnostic, ...] = ()
    capacity: tuple[Capacity, ...] = ()
    reach: tuple[Reach, ...] = ()
    edits: tuple[Edit, ...] = ()
    production: frozenset[str] = frozenset()
