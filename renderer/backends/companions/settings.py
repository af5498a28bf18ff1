"""What an environment says of companions: the kinds that are allowed, and those that are kept."""

from collections.abc import Iterator, Mapping

from renderer.backends.companions.kinds import find, row_of
from renderer.backends.companions.table import ROWS
from renderer.backends.fields import elements
from renderer.schema.crds import Crd
from renderer.values.kinds import Kind
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import ObjectType, PermittedKinds


class CompanionSettings(NamedTuple):
    """The names of kinds that may be added, nothing for the usual ones, and of those to keep."""

    allow: frozenset[str] | None
    keep: frozenset[str]
    are_given: bool

    @classmethod
    def of(cls, environment: Environment) -> "CompanionSettings":
        given = environment.tree.get("companions")
        allow = given.get("allow") if given else None
        keep = elements(given, "keep")
        return cls(
            frozenset(str(item.value) for item in allow.elements) if allow else None,
            frozenset(str(item.value) for item in keep),
            given is not None,
        )

    def allows(self, kind: Kind) -> bool:
        """Whether people may add objects of a kind."""
        if self.allow is not None:
            return not self.allow.isdisjoint(_names(kind))
        return not kind.cluster_wide and not row_of(kind.name).family

    def keeps(self, kind: Kind) -> bool:
        """Whether its objects stay where they are when they leave the tree."""
        return row_of(kind.name).holds or not self.keep.isdisjoint(_names(kind))


def permits(environment: Environment, crds: Mapping[tuple[str, str], Crd]) -> PermittedKinds:
    """What GitOps controllers have to be permitted, whichever companions there are just now."""
    settings = CompanionSettings.of(environment)
    if settings.allow is None:
        rows = (row for row in ROWS if row.is_namespaced and row.family)
        return PermittedKinds(refused=frozenset(ObjectType(row.group, row.kind) for row in rows))
    namespaced: set[ObjectType] = set()
    cluster_wide: set[ObjectType] = set()
    for kind in _called(settings.allow):
        row = row_of(kind.name)
        crd = crds.get((row.group, row.kind))
        is_cluster_wide = not crd.is_namespaced if crd else kind.cluster_wide
        (cluster_wide if is_cluster_wide else namespaced).add(ObjectType(row.group, row.kind))
    return PermittedKinds(frozenset(namespaced), frozenset(cluster_wide))


def _called(names: frozenset[str]) -> Iterator[Kind]:
    """The kinds of some names; one that is no kind allows nothing."""
    for name in names:
        kind, dot, group = name.partition(".")
        if found := find(kind, group if dot else None):
            yield found


def _names(kind: Kind) -> tuple[str, str]:
    """As its specs are called, and with its group."""
    row = row_of(kind.name)
    return kind.name, f"{row.kind}.{row.group}".rstrip(".")
