"""Control planes as the places of a picture: our own by cluster, a partner's by its domain."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.backends.kuscia.serving import Serving, domains, external_domains
from renderer.values.model import Destination, Environment


class Place(NamedTuple):
    """A control plane; without destinations it is a partner's."""

    key: str
    title: str
    destinations: tuple[Destination, ...]
    domains: tuple[str, ...]

    @property
    def ours(self) -> bool:
        return bool(self.destinations)

    @property
    def tags(self) -> tuple[str, ...]:
        return ("control plane",) if self.ours else ("control plane", "not ours")


def places(environment: Environment, servings: Iterable[Serving]) -> tuple[Place, ...]:
    """Every control plane of an environment, partners' last; a domain of nobody's is a partner."""
    own = tuple(_own(environment))
    ours = {domain for place in own for domain in place.domains}
    taking_part = (party.domain for serving in servings for party in serving.parties)
    others = (*external_domains(environment), *taking_part)
    return (*own, *_foreign(name for name in others if name not in ours))


def _own(environment: Environment) -> Iterator[Place]:
    clusters: dict[str, list[Destination]] = {}
    for item in environment.of_platform("kuscia"):
        clusters.setdefault(item.cluster, []).append(item)
    for cluster, items in clusters.items():
        given = items[0].tree.get("cluster")
        owned = tuple(dict.fromkeys(domain for item in items for domain in domains(item)))
        yield Place(f"ours/{cluster}", cluster if given else items[0].name, tuple(items), owned)


def _foreign(names: Iterable[str]) -> Iterator[Place]:
    for name in dict.fromkeys(names):
        yield Place(f"partner/{name}", name, (), (name,))
