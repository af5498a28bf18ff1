"""An environment as a picture: clusters, the services in their namespaces, and their runtimes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kserve.annotations import AUTOSCALER
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.inference_service import Component, InferenceService
from renderer.backends.kserve.picture import place_title, runtime_note
from renderer.backends.kserve.replicas import bounds_text, replica_bounds
from renderer.text.wording import counted
from renderer.values.derivations import Applied, Derivation
from renderer.values.model import Environment
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

KIND = "InferenceService"
#: Of more components services are counted instead of named.
_MOST = 60
#: What a page has room for of a fleet: namespaces, and runtimes in each of them.
_PLACES, _RUNTIMES = 12, 6
_OWN = "containers of their own"
_COUNTED = "Services are counted by namespace and runtime; draw one by its name to see it whole."


class _Place(NamedTuple):
    """A namespace at a destination, and what runs there."""

    title: str
    services: tuple[InferenceService, ...]

    @property
    def modes(self) -> tuple[str, ...]:
        return tuple(sorted({service.mode for service in self.services}))


def draw_environment(
    environment: Environment, _found: Sequence[tuple[Applied, Derivation]]
) -> Picture:
    """All services of an environment; counted, if there are many."""
    services = [
        InferenceService.of(spec, environment)
        for spec in environment.specs
        if spec.kind.name == KIND
    ]
    places = _places(services)
    number = sum(len(service.components) for service in services)
    clusters = len({service.destination.cluster for service in services if service.destination})
    counts = (
        counted(clusters, "cluster"),
        counted(len(places), "namespace"),
        counted(len(services), KIND),
    )
    summary = ", ".join(counts)
    if number > _MOST:
        return Picture(environment.name, summary, tuple(_fleet(places)), (), (_COUNTED,))
    groups, links = tuple(_each(places)), tuple(_links(services))
    return Picture(environment.name, summary, groups, links)


def _places(services: Sequence[InferenceService]) -> list[_Place]:
    found: dict[str, list[InferenceService]] = {}
    for service in services:
        found.setdefault(place_title(service), []).append(service)
    return [_Place(title, tuple(inside)) for title, inside in found.items()]


def _each(places: Sequence[_Place]) -> Iterator[Group]:
    """Every service by its name, with its components."""
    for place in places:
        names = dict.fromkeys(map(_runtime, place.services))
        rows = tuple(
            PictureRow(_runtime_key(place.title, name), f"runtime {name}", note=note)
            for name in names
            if name != _OWN
            for note in [runtime_note(place.services[0], name)]
        )
        cards = tuple(_card(service) for service in place.services)
        yield Group(place.title, place.modes, rows, cards)


def _card(service: InferenceService) -> Card:
    model = service.model
    about = f"{model.format} {model.version}".strip() if model else _OWN
    rows = tuple(
        PictureRow(
            _key(service, item),
            item.unit,
            _share(item, service),
            note=_replicas(item, service),
            exposure=Exposure.ANYWHERE if item is service.predictor else Exposure.OTHERS,
        )
        for item in service.components
    )
    return Card(service.name, (), (about, f"protocol {service.protocol or 'v1'}"), rows)


def _share(component: Component, service: InferenceService) -> str:
    """The percentage of traffic that a canary, or the newest revision, is meant to get."""
    if component in service.canaries:
        entry = service.tree.get(*component.path[:-1])
        given = entry.get("trafficPercent") if entry else None
        return f"{given.value} %" if given else ""
    share = component.number("canaryTrafficPercent")
    return f"{share} %" if share is not None and service.mode == KNATIVE else ""


def _replicas(component: Component, service: InferenceService) -> str:
    if service.mode == MODEL_MESH:
        return "run by ModelMesh"
    least, most = component.number("minReplicas"), component.number("maxReplicas")
    kind = text(service.tree, "annotations", AUTOSCALER)
    return bounds_text(replica_bounds(least, most, service.mode, kind), "replica")


def _links(services: Sequence[InferenceService]) -> Iterator[Link]:
    """The runtimes, each with the services that it serves."""
    users: dict[tuple[str, str], list[InferenceService]] = {}
    for service in services:
        users.setdefault((place_title(service), _runtime(service)), []).append(service)
    for (place, name), found in users.items():
        if name != _OWN:
            targets = tuple(_key(service, service.predictor) for service in found)
            source = (_runtime_key(place, name),)
            meaning = f"serves {counted(len(found), KIND)}"
            yield Link(LinkKind.MEMBERS, name, meaning, source, targets)


def _fleet(places: Sequence[_Place]) -> Iterator[Group]:
    """A row for each runtime of a namespace; what has no room is counted."""
    ranked = sorted(places, key=lambda place: (-len(place.services), place.title))
    for place in ranked[:_PLACES]:
        counts = Counter(map(_runtime, place.services))
        rows = [
            PictureRow(_runtime_key(place.title, name), name, counted(number, "service"))
            for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        ]
        if len(rows) > _RUNTIMES:
            rest = sum(number for _, number in counts.most_common()[_RUNTIMES:])
            key = _runtime_key(place.title, "")
            more = PictureRow(key, "other runtimes", counted(rest, "service"))
            rows[_RUNTIMES:] = [more]
        components = sum(len(service.components) for service in place.services)
        lines = (counted(len(place.services), "service"), counted(components, "component"))
        yield Group(place.title, place.modes, (), (Card(KIND, (), lines, tuple(rows)),))
    if left := ranked[_PLACES:]:
        services = sum(len(place.services) for place in left)
        row = PictureRow("kserve/rest", counted(services, "service"))
        yield Group(counted(len(left), "more namespace"), (), (row,))


def _runtime(service: InferenceService) -> str:
    """The name of what serves its model."""
    if service.model is None:
        return _OWN
    return service.runtime.name if service.runtime else service.model.runtime or "no runtime"


def _key(service: InferenceService, component: Component) -> str:
    return f"kserve/{place_title(service)}/{service.name}/{component.unit}"


def _runtime_key(place: str, name: str) -> str:
    return f"kserve/{place}/runtime/{name}"
