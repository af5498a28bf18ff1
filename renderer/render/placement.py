"""Where specs go: as their kind says, and prerequisites wherever their users need them."""

from collections.abc import Collection, Iterator

from renderer.backends.kinds import functions_of, owner_of
from renderer.compose.environment_rules import NO_ROUTE
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Diagnostic
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Destination, Environment, Kind, Spec
from renderer.values.objects import Placement


def place(spec: Spec, environment: Environment) -> Placement:
    """Where a spec goes, and where what it refers to must be present, once for each cluster."""
    route = functions_of(spec.kind.name).route
    if route is None:
        own = _named(spec, environment)
        placement = Placement(own, own)
    else:
        placement = route(spec, environment)
    needed = {_first_of_place(item, environment).name for item in placement.prerequisites}
    ordered = tuple(item for item in environment.destinations if item.name in needed)
    return Placement(placement.own, ordered)


@cached_by_identity
def _first_of_place(destination: Destination, environment: Environment) -> Destination:
    """Two destinations of one cluster and namespace are one: a shared object goes there once."""
    ours = environment.of_platform(destination.platform)
    place = destination.cluster, destination.namespace
    return next((item for item in ours if (item.cluster, item.namespace) == place), destination)


def homes(kind: Kind, needed: Collection[str], environment: Environment) -> list[Destination]:
    """The destinations for a prerequisite that is needed at some."""
    wanted = [item for item in environment.destinations if item.name in needed]
    if not kind.cluster_wide:
        return wanted
    first: dict[str, Destination] = {}
    for item in environment.destinations:
        first.setdefault(item.cluster, item)
    clusters = dict.fromkeys(item.cluster for item in wanted)
    return [first[cluster] for cluster in clusters]


def _named(spec: Spec, environment: Environment) -> tuple[Destination, ...]:
    return environment.routed(owner_of(spec.kind.name).platform, spec)


def unrouted(spec: Spec, environment: Environment) -> Iterator[Diagnostic]:
    """Why a spec that does not route itself goes nowhere."""
    if functions_of(spec.kind.name).route is not None or _named(spec, environment):
        return
    platform = owner_of(spec.kind.name).platform
    names = [item.name for item in environment.of_platform(platform)]
    given = spec.tree.get("destination")
    if given is None:
        message = f"it is not clear which of {listed(names)} this goes to"
        message = message if names else f"the environment has no destination of {platform}"
        fix = f"name one: destination: {names[0]}" if names else _another(platform, environment)
        yield NO_ROUTE.at(spec.tree.origin, message, fix)
        return
    message = f"there is no destination {given.value!r} of {platform}"
    fix = suggest(str(given.value), names) if names else _another(platform, environment)
    yield NO_ROUTE.at(given.origin, message, fix)


def _another(platform: str, environment: Environment) -> str:
    place = f"{{name: …, platform: {platform}}}"
    return f"add one to the destinations of {environment.file}: {place}"
