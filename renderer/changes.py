"""Two states side by side: what changed, and what the change does to what runs."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from renderer.diagnostics import Path
from renderer.model import Environment, Manifest
from renderer.tree import Node


class State(NamedTuple):
    """One side of a comparison: its environments, and what was rendered of them."""

    environments: Mapping[str, Environment]
    manifests: tuple[Manifest, ...]


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
    """What a change does to one unit of one spec: a sentence of consequence, one of advice."""

    effect: Effect
    destination: str
    spec: str
    unit: str
    consequence: str
    advice: str = ""


class Demand(NamedTuple):
    """What a unit asks of a place, by resource and in its base unit (cores, bytes, pieces)."""

    environment: str
    destination: str
    spec: str
    unit: str
    amounts: Mapping[str, Decimal]
