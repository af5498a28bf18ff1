"""Where specs go: as their backend says, and prerequisites wherever their users need them."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.base import Backend
from renderer.compose.environment_rules import NO_ROUTE
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Diagnostic
from renderer.values.identity_cache import within
from renderer.values.model import Destination, Environment, Spec

Identity = tuple[str, str]


def placements(
    environment: Environment, specs: Iterable[Spec], owners: Mapping[str, Backend]
) -> dict[Identity, tuple[Destination, ...]]:
    """The destinations of each spec, in the order of the environment."""
    places: dict[Identity, set[str]] = {}
    for spec in specs:
        if spec.kind.prerequisite:
            continue
        backend = owners[spec.kind.name]
        placement = backend.place(spec, environment)
        places.setdefault(spec.identity, set()).update(item.name for item in placement.own)
        needed = {_first_of_cluster(item, environment).name for item in placement.prerequisites}
        for reference in backend.references(spec):
            if used := environment.named(reference.kind, reference.name):
                places.setdefault(used.identity, set()).update(needed)
    return {
        identity: tuple(item for item in environment.destinations if item.name in names)
        for identity, names in places.items()
    }


@within
def _first_of_cluster(destination: Destination, environment: Environment) -> Destination:
    """Two destinations of one cluster are one place: a shared object goes there once."""
    ours = environment.of_platform(destination.platform)
    return next((item for item in ours if item.cluster == destination.cluster), destination)


def route(spec: Spec, environment: Environment, platform: str) -> tuple[Destination, ...]:
    """Where a spec goes that does not route itself: as it says, else the only one there is."""
    known = environment.of_platform(platform)
    given = spec.tree.get("destination")
    if given is not None:
        return tuple(item for item in known if item.name == given.value)
    return known if len(known) == 1 else ()


def unrouted(spec: Spec, environment: Environment, platform: str) -> Iterator[Diagnostic]:
    """Why a spec that does not route itself goes nowhere."""
    if route(spec, environment, platform):
        return
    names = [item.name for item in environment.of_platform(platform)]
    given = spec.tree.get("destination")
    if given is None:
        message = f"it is not clear which of {listed(names)} this goes to"
        message = message if names else f"the environment has no destination of {platform}"
        yield NO_ROUTE.at(spec.tree.origin, message, "name a destination")
        return
    message = f"there is no destination {given.value!r} of {platform}"
    yield NO_ROUTE.at(given.origin, message, suggest(str(given.value), names))
