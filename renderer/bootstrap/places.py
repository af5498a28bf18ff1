"""Destinations as a GitOps controller knows them: a name, a folder of the source, a cluster."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from renderer.backends import BACKENDS
from renderer.backends.fields import text
from renderer.errors import RendererError, UsageError
from renderer.text.wording import listed
from renderer.values.model import Destination, Environment
from renderer.values.objects import Stored

#: Instead of what only the operator knows.
REPOSITORY = "HOST/OWNER/REPOSITORY"
#: Where a controller may take the rendered tree from: how addresses begin, and what is applied.
SOURCES = {"git": (("https", "http", "ssh"), "main"), "oci": (("oci",), "latest")}
#: As Git takes an address of ssh, and Flux does not.
_SHORT = re.compile(r"([\w.-]+@[\w.-]+):([\w./~-]+)")


class Source(NamedTuple):
    """Where a controller finds the repository of specs: an address, a revision, and the path there.

    `output` is the path of the rendered tree below that of the specs.
    """

    url: str
    revision: str
    specs: str = ""
    output: str = "rendered"

    @property
    def rendered(self) -> str:
        return f"{self.specs}{self.output}"


def source_of(kind: str, url: str | None, revision: str | None) -> Source:
    """A source of one of the kinds; what is not given has a default, or is to be filled in."""
    schemes, usual = SOURCES[kind]
    address = url or f"{schemes[0]}://{REPOSITORY}"
    _refuse_odd_address(address, schemes)
    return Source(address, revision or usual)


def _refuse_odd_address(url: str, schemes: Sequence[str]) -> None:
    """An address of a kind that the controller takes, without a password."""
    scheme, mark, rest = url.partition("://")
    if not mark or scheme not in schemes or not rest or not url.isprintable() or " " in url:
        begins = listed([f"{scheme}://" for scheme in schemes], "or")
        short = _SHORT.fullmatch(url)
        fix = f"write ssh://{short[1]}/{short[2]}" if short else f"one begins with {begins}"
        raise UsageError(f"{url!r} is no address to use; {fix}")
    if ":" in rest.partition("/")[0].rpartition("@")[0]:
        what = "the address holds a password, and what is written here is committed"
        raise UsageError(f"{what}; give it without, and the controller a Secret")


class Place(NamedTuple):
    """A destination of an environment, for which there is one application."""

    environment: str
    destination: Destination

    @property
    def name(self) -> str:
        """What its application is called."""
        return f"{self.environment}-{self.destination.name}"

    @property
    def folder(self) -> str:
        """Where it is below the rendered tree."""
        return f"{self.environment}/{self.destination.name}"

    def serves(self, other: "Place") -> bool:
        """Whether what another one needs may be here: a cluster has each prerequisite once."""
        here = (self.environment, self.destination.cluster)
        return here == (other.environment, other.destination.cluster)

    def said(self, key: str) -> str:
        """What the destination says for controllers; empty if it says nothing."""
        return text(self.destination.tree, key)


def places_of(environments: Iterable[Environment]) -> list[Place]:
    """All destinations, each with a name of its own."""
    places = [Place(item.name, where) for item in environments for where in item.destinations]
    if not places:
        raise RendererError("no environment has destinations, so there is nothing to apply")
    first: dict[str, Place] = {}
    for place in places:
        other = first.setdefault(place.name, place)
        if other is not place:
            what = f"the applications of {other.folder} and {place.folder}"
            raise RendererError(f"{what} would both be called {place.name!r}; rename one of them")
    return places


def stored_kinds(places: Sequence[Place]) -> list[Stored]:
    """The kinds of objects that may come to these places, of all backends for their platforms."""
    platforms = {place.destination.platform for place in places}
    backends = [item for item in BACKENDS if item.platform in platforms]
    kinds = (kind for backend in backends for kind in backend.stored)
    return sorted(kinds, key=lambda kind: (kind.group, kind.kind))
