"""What an environment says of companions: the kinds that are allowed, and those that are kept."""

from typing import NamedTuple

from renderer.backends.companions.kinds import row_of
from renderer.backends.fields import elements
from renderer.values.kinds import Kind
from renderer.values.model import Environment


class CompanionSettings(NamedTuple):
    """The names of kinds that may be added, nothing for the usual ones, and of those to keep."""

    allow: frozenset[str] | None
    keep: frozenset[str]

    @classmethod
    def of(cls, environment: Environment) -> "CompanionSettings":
        given = environment.tree.get("companions")
        allow = given.get("allow") if given else None
        keep = elements(given, "keep")
        return cls(
            frozenset(str(item.value) for item in allow.elements) if allow else None,
            frozenset(str(item.value) for item in keep),
        )

    def allows(self, kind: Kind) -> bool:
        """Whether people may add objects of a kind."""
        if self.allow is not None:
            return not self.allow.isdisjoint(_names(kind))
        return not kind.cluster_wide and not row_of(kind.name).family

    def keeps(self, kind: Kind) -> bool:
        """Whether its objects stay where they are when they leave the tree."""
        return row_of(kind.name).holds or not self.keep.isdisjoint(_names(kind))


def _names(kind: Kind) -> tuple[str, str]:
    """As its specs are called, and with its group."""
    row = row_of(kind.name)
    return kind.name, f"{row.kind}.{row.group}".rstrip(".")
