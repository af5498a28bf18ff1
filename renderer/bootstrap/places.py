"""Destinations as a GitOps controller knows them: a name, a folder, a cluster."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from renderer.backends import BACKENDS, kinds
from renderer.backends.fields import text
from renderer.errors import RendererError
from renderer.schema.crds import Crd
from renderer.values.model import Destination, Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import PermittedKinds, StoredKind

Crds = Mapping[tuple[str, str], Crd]
_NO_CRDS: Crds = MappingProxyType({})


class AppliedFolder(NamedTuple):
    """A destination of an environment, for which there is one application.

    `permitted` are the kinds of objects that people may add there beside those of platforms. One
    that `has_last_stage` has a list of what is applied after all others.
    """

    environment: str
    destination: Destination
    permitted: PermittedKinds
    has_last_stage: bool

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


def folders_of(environment: Environment, crds: Crds = _NO_CRDS) -> Iterator[AppliedFolder]:
    """The destinations of an environment, in their order."""
    for item in environment.destinations:
        permitted = PermittedKinds()
        for backend in BACKENDS:
            if backend.open_kind and backend.platform == item.platform:
                permitted = permitted.joined(backend.load().permits(environment, crds))
        has_last_stage = kinds.has_last_stage(environment, item)
        yield AppliedFolder(environment.name, item, permitted, has_last_stage)


def places_of(environments: Iterable[Environment], crds: Crds = _NO_CRDS) -> list[AppliedFolder]:
    """All destinations, each with a name of its own."""
    places = [place for item in environments for place in folders_of(item, crds)]
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
    stored = (kind for backend in backends for kind in backend.stored)
    return sorted(stored, key=lambda kind: (kind.group, kind.kind))
