"""Objects that an environment says its clusters have already, beside what is there."""

from collections.abc import Collection, Iterator

from renderer.backends.kinds import group_of, kind_called, names_objects
from renderer.inspect.needs import placed_specs
from renderer.kubernetes.versions import CLUSTERS
from renderer.manifests.references import canonical, resolve
from renderer.values.live import NOTHING_LIVE, Live, Query
from renderer.values.model import Environment
from renderer.values.references import ProvidedObject, ReferenceSettings
from renderer.values.statuses import MissingObject

#: Of objects that are there already no more is read than who they are.
_NAMES = (("kind",),)

Place = tuple[ProvidedObject, str, str]


def provided_places(environment: Environment) -> list[Place]:
    """Each provided object with the destinations and namespaces in which it has to be.

    That is where it is needed; of one that nothing needs, where its entry says.
    """
    settings = ReferenceSettings.of(environment)
    if not settings.provided or not names_objects(environment):
        return []
    placed, summaries = placed_specs(environment, environment.specs)
    needs = resolve(environment, placed, summaries).needs
    found = [
        (need.maker.provided, need.destination, need.namespace)
        for need in needs
        if need.maker and need.maker.provided
    ]
    needed = {item.origin for item, *_ in found}
    for item in settings.provided:
        if item.origin not in needed:
            found += _stated_places(item, environment)
    return list({(i.origin, name, space): (i, name, space) for i, name, space in found}.values())


def _stated_places(item: ProvidedObject, environment: Environment) -> Iterator[Place]:
    kind = kind_called(item.kind)
    is_everywhere = kind is not None and kind.cluster_wide
    for place in environment.platform_destinations(CLUSTERS):
        if item.destination in ("", place.name):
            namespace = "" if is_everywhere else item.namespace or place.namespace
            yield item, place.name, namespace


def provided_queries(places: Collection[Place]) -> list[Query]:
    """What to ask for to see whether they are there: names alone, as some hold secrets."""
    return list(
        dict.fromkeys(
            Query(
                destination,
                f"{group}/" if (group := group_of(canonical(item.kind))) else "v1",
                canonical(item.kind).partition(".")[0],
                namespace,
                required=False,
                reads=_NAMES,
                are_names_enough=True,
            )
            for item, destination, namespace in places
        )
    )


def missing_objects(places: Collection[Place], live: Live) -> Iterator[MissingObject]:
    """Those that are not there, as far as their kinds could be read."""
    for item, destination, namespace in places:
        kind = canonical(item.kind).partition(".")[0]
        here = live.get(destination, NOTHING_LIVE)
        if kind in here.unread:
            continue
        if here.find(kind, namespace, item.name, group_of(canonical(item.kind))) is None:
            place = f"{namespace}/{item.name}" if namespace else item.name
            where = f"{item.origin.file}:{item.origin.line}"
            yield MissingObject(destination, f"{kind} {place}", where)
