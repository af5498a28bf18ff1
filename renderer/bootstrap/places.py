"""Destinations as a GitOps controller knows them: a name, a folder, a cluster."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from renderer.backends import BACKENDS
from renderer.backends.fields import text
from renderer.errors import RendererError
from renderer.values.model import Destination, Environment
from renderer.values.objects import StoredKind


class AppliedFolder(NamedTuple):
    """A destination of an environment, for which there is one application."""

    environment: str
    destination: Destination

    @property
    def name(self) -> str:
        """What its application is called, behind what all of a source begin with."""
        return f"{self.environment}-{self.destination.name}"

    @property
    def folder(self) -> str:
        """Where it is below the rendered tree."""
        return f"{self.environment}/{self.destination.name}"

    def serves(self, other: "AppliedFolder") -> bool:
        """Whether what another one needs may be here: a cluster has each prerequisite once."""
        here = (self.environment, self.destination.cluster)
        return here == (other.environment, other.destination.cluster)

    def setting(self, key: str) -> str:
        """What the destination says for controllers; empty if it says nothing."""
        return text(self.destination.tree, key)


def places_of(environments: Iterable[Environment]) -> list[AppliedFolder]:
    """All destinations, each with a name of its own."""
    places = [
        AppliedFolder(item.name, where) for item in environments for where in item.destinations
    ]
    if not places:
        raise RendererError("no environment has destinations, so there is nothing to apply")
    first: dict[str, AppliedFolder] = {}
    for place in places:
        other = first.setdefault(place.name, place)
        if other is not place:
            what = f"the applications of {other.folder} and {place.folder}"
            raise RendererError(f"{what} would both be called {place.name!r}; rename one of them")
    return places


def refuse_one_cluster(
    places: Iterable[AppliedFolder],
    cluster_of: Callable[[AppliedFolder], str],
    controller: str,
    fix: str,
) -> None:
    """What are different clusters must not be one to a controller: each would prune the other."""
    known: dict[str, AppliedFolder] = {}
    for place in places:
        cluster = cluster_of(place)
        other = known.setdefault(cluster, place)
        if other.destination.cluster != place.destination.cluster:
            what = f"{other.folder} and {place.folder} are different clusters"
            raise RendererError(f"{what}, and {controller} would apply both to {cluster}; {fix}")


def stored_kinds(places: Sequence[AppliedFolder]) -> list[StoredKind]:
    """The kinds of objects that may come to these places, of all backends for their platforms."""
    platforms = {place.destination.platform for place in places}
    backends = [item for item in BACKENDS if item.platform in platforms]
    kinds = (kind for backend in backends for kind in backend.stored)
    return sorted(kinds, key=lambda kind: (kind.group, kind.kind))
