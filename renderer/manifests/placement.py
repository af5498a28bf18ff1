"""Where specs go: as their kind says, and prerequisites wherever their users need them."""

from collections.abc import Collection, Iterator

from renderer.backends.kinds import functions_of, owner_of
from renderer.compose.environment_rules import NO_ROUTE
from renderer.text.wording import listed, misspelt, suggest
from renderer.values.diagnostics import Diagnostic
from renderer.values.identity_cache import cached_by_identity
from renderer.values.kinds import Kind
from renderer.values.model import Destination, Environment, Spec, environment_of
from renderer.values.objects import Placement
from renderer.values.tree import Node


def place(spec: Spec, environment: Environment) -> Placement:
    """Where a spec goes, and where what it refers to must be present, once for each cluster."""
    route = functions_of(spec.kind.name).route
    if route is None:
        own = _named_destinations(spec, environment)
        placement = Placement(own, own)
    else:
        placement = route(spec, environment)
    needed = {_first_of_place(item, environment).name for item in placement.prerequisites}
    ordered = tuple(item for item in environment.destinations if item.name in needed)
    return Placement(placement.own, ordered)


@cached_by_identity
def _first_of_place(destination: Destination, environment: Environment) -> Destination:
    """Two destinations of one cluster and namespace are one: a shared object goes there once."""
    ours = environment.platform_destinations(destination.platform)
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


def _named_destinations(spec: Spec, environment: Environment) -> tuple[Destination, ...]:
    return environment.routed_destinations(owner_of(spec.kind.name).platform, spec)


def unrouted_findings(spec: Spec, environment: Environment) -> Iterator[Diagnostic]:
    """Why a spec that does not route itself goes nowhere."""
    if functions_of(spec.kind.name).route is not None or _named_destinations(spec, environment):
        return
    platform = owner_of(spec.kind.name).platform
    names = [item.name for item in environment.platform_destinations(platform)]
    given = spec.tree.get("destination")
    where, message = spec.tree.origin, f"the environment has no destination of {platform}"
    fix = f"add one to the destinations of {environment.file}: {{name: …, platform: {platform}}}"
    if given is not None:
        where, message = given.origin, f"there is no destination {given.value!r} of {platform}"
        fix = _destination_fix(given, names, environment.name) if names else fix
    elif names:
        message = f"it is not clear which of {listed(names)} this goes to"
        fix = f"name one: destination: {names[0]}"
    related = (*spec.files, *environment.files)
    yield NO_ROUTE.at(where, message, fix).about(environment.name, related=related)


def _destination_fix(given: Node, names: list[str], environment: str) -> str:
    """The name that was misspelt; one that is right elsewhere is another in the environment."""
    name = str(given.value)
    if environment_of(given.origin.file) == environment or misspelt(name, names):
        return suggest(name, names)
    return f"write another one in a file of {environment!r}, where there is {listed(names)}"
