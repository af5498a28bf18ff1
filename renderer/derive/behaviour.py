"""How controllers follow an edit: kinds of change, and rows that say which edit is of which."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from renderer.values.changes import Change, Effect, How, ObjectChange
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple

_REPLACES = frozenset((Effect.ROLLING, Effect.REPLACE, Effect.RECREATE))
ANY = "*"
#: The recorded outcome of an edit after which all was as before.
NOTHING = "nothing"


class ChangeKind(NamedTuple):
    """A kind of change: its effect, a sentence of consequence and one of advice.

    Sentences have the words of the situation in braces; `{observed}` stands behind what recordings
    can show, if the sentence says more than that. Pods come and go, or are left behind, as the
    effect has it, unless `pods` says otherwise. `shown_by` are the recorded outcomes that show it,
    if it is not that of its effect; `by_platform` is false where the platform need not look at all.
    """

    effect: Effect
    consequence: str
    advice: str = ""
    shown_by: tuple[str, ...] | None = None
    pods: bool | None = None
    by_platform: bool = True

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What a recording of an edit must show for this to be seen."""
        if self.shown_by is not None:
            return self.shown_by
        return (self.effect, NOTHING) if self.effect is Effect.IGNORED else (self.effect,)

    @property
    def replaces_pods(self) -> bool:
        return self.effect in _REPLACES if self.pods is None else self.pods

    @property
    def leaves_pods(self) -> bool:
        return self.effect is Effect.ORPHANS and self.pods is not False


class Difference(NamedTuple):
    """A value of an object that a platform makes, which is another one after an edit.

    Without a path the object itself comes or goes.
    """

    object: DerivedObject
    change: Change

    @property
    def is_whole(self) -> bool:
        return not self.change.path


def no_differences() -> tuple[Difference, ...]:
    """Of an object that comes or goes as a whole."""
    return ()


class Stage(StrEnum):
    """What became of an applied object; it is mended if its spec had errors before."""

    CREATED = "created"
    MENDED = "mended"
    DELETED = "deleted"
    RENAMED = "renamed"
    MOVED = "moved"
    EDITED = "edited"


class Situation(NamedTuple):
    """An edit and one unit: what the edit changes of what the platform makes for the unit.

    `change` is nothing if the object as a whole comes, goes or gets another name. `edited` is the
    object that has the change: the spec's own, or one that it refers to. The unit is nothing on a
    side that does not have it. The change `is_near` if it is where the unit is described.
    `places` are the destinations from which and to which an object moves.
    """

    change: Change | None
    edited: ObjectChange
    stage: Stage
    before: Applied | None
    after: Applied | None
    former: Derivation
    present: Derivation
    unit: str
    old_unit: DerivedUnit | None
    new_unit: DerivedUnit | None
    is_near: bool = True
    places: tuple[str, str] = ("", "")
    find_differences: Callable[[], tuple[Difference, ...]] = no_differences

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What is not there without the change; worked out when a row asks for it."""
        return self.find_differences()

    @property
    def is_concerned(self) -> bool:
        return self.is_near or bool(self.differences)

    @property
    def applied(self) -> Applied:
        """The object as it will be, or as it was."""
        found = self.after or self.before
        assert found is not None, "an edit has a side at least"  # noqa: S101
        return found

    @property
    def kind(self) -> str:
        """The kind of the spec that the unit is of."""
        return self.applied.spec.kind.name

    @property
    def source(self) -> str:
        """The kind of the edited object."""
        return self.edited.manifest.spec.kind.name

    @property
    def path(self) -> Path:
        """Where the edit is; empty if it is the whole object."""
        return self.change.path if self.change else ()

    @property
    def new_objects(self) -> tuple[DerivedObject, ...]:
        """Objects that the change makes differ, and that no unit had before all changes."""
        return self._missing_objects(self.former)

    @property
    def gone_objects(self) -> tuple[DerivedObject, ...]:
        """Objects that the change takes away, and that no unit has any more."""
        return self._missing_objects(self.present)

    def _missing_objects(self, side: Derivation) -> tuple[DerivedObject, ...]:
        """Those that differ and are not on a side; a pod is no object that the platform makes."""
        found = {item.object.identity: item.object for item in self.differences}
        known = {item.identity for unit in side.units for item in unit.objects} if found else ()
        return tuple(item for key, item in found.items() if key not in known and item.kind != "Pod")

    def differs(self, kind: str, path: Path = (), how: How | None = None) -> bool:
        """Whether an object of a kind, or of `Kind.group`, is another one at or below a place."""
        return any(
            kind in (ANY, item.object.kind, f"{item.object.kind}.{item.object.group}")
            and matches(path, item.change.path)
            and (how is None or (item.is_whole and item.change.how is how))
            for item in self.differences
        )


def matches(pattern: Path, path: Path) -> bool:
    """Whether a path is at a place or below it; `*` is any segment."""
    if len(path) < len(pattern):
        return False
    return all(want in (ANY, have) for want, have in zip(pattern, path, strict=False))


Condition = Callable[[Situation], bool]


def all_of(*conditions: Condition) -> Condition:
    return lambda situation: all(holds(situation) for holds in conditions)


def negated(condition: Condition) -> Condition:
    return lambda situation: not condition(situation)


def always(situation: Situation) -> bool:  # noqa: ARG001
    """Of a row that needs no more than its places to match."""
    return True


def no_words(situation: Situation) -> Mapping[str, str]:  # noqa: ARG001
    """Of a row whose sentences have no words of their own."""
    return {}


class Row(NamedTuple):
    """Which edits are of a kind of change: by their place, or by what they make differ.

    `at` is a place in the edited object, which is of the kind `of` (`*` is any) or else the spec's
    own. `made` is the kind of object that must differ, `where` the place in it, `how` whether the
    object came or went. An edit is of the kind of the first row that fits, and also of that of the
    next one if the row `goes_on`. Rows are about units that the edit concerns, unless one
    `reaches_all`, and about objects that stay, unless one names another stage. A row without a kind
    says nothing, because another object's edit says it.
    """

    kind: str
    at: Path = ()
    of: str = ""
    made: str = ""
    where: Path = ()
    how: How | None = None
    when: Condition = always
    words: Callable[[Situation], Mapping[str, str]] = no_words
    stage: Stage = Stage.EDITED
    goes_on: bool = False
    reaches_all: bool = False

    def is_about(self, kind: str, source: str, stage: Stage) -> bool:
        """Whether it is about such edits: the spec's kind, that of the edited object, a stage."""
        return stage is self.stage and (self.of == ANY or source == (self.of or kind))

    def fits(self, situation: Situation) -> bool:
        """Whether an edit that the row is about is of its kind."""
        return (
            matches(self.at, situation.path)
            and (self.reaches_all or situation.is_concerned)
            and (not self.made or situation.differs(self.made, self.where, self.how))
            and self.when(situation)
        )


class Setting(NamedTuple):
    """Where an edit is made, as far as recordings of it say what it does.

    The mode is whatever makes the platform act in another way on the same edit; the unit is the
    sort of unit that the edit reaches. `free` are maps whose keys anybody may choose, beside those
    that all platforms have.
    """

    platform: str
    version: str
    mode: str
    unit: str
    free: frozenset[str] = frozenset()


def no_setting(situation: Situation) -> Setting | None:  # noqa: ARG001
    """Of a platform that nobody has watched."""
    return None


class Behaviour(NamedTuple):
    """How the controllers of a platform depart from "make it so", and the words for it.

    `kinds` are kinds of change by their names, beside those that Kubernetes has or in their place;
    `rows` come before those of Kubernetes. `setting` says where an edit is made, to look for
    recordings of it. `words` are those that all sentences may use.
    `unit` is what an object is called of which nothing is made, but whose edits are worth a word.
    Of one that `follows_settings` something else may be made although it stays the same, as what an
    environment says of its clusters has changed.
    """

    kinds: Mapping[str, ChangeKind] = {}
    rows: tuple[Row, ...] = ()
    setting: Callable[[Situation], Setting | None] = no_setting
    words: Callable[[Situation], Mapping[str, str]] = no_words
    unit: str = ""
    follows_settings: bool = False


#: Of a platform that makes what its objects say, as Kubernetes itself does.
MAKES_IT_SO = Behaviour()
