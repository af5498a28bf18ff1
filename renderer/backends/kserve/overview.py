"""An environment as a picture: clusters, the services in their namespaces, and their runtimes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload, plan_service
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.picture import place_title, runtime_rows
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.kubernetes.data import mapping, number
from renderer.text.wording import counted
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.model import Environment
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

KIND = "InferenceService"
#: Of more components services are counted instead of named.
_MOST = 60
#: What a page has room for of a fleet: namespaces, and runtimes in each of them.
_PLACES, _RUNTIMES = 12, 6
_OWN = "containers of their own"
_COUNTED = "Services are counted by namespace and runtime; draw one by its name to see it whole."


class _Service(NamedTuple):
    """A service as it is applied, as KServe sees it, and what becomes of it."""

    applied: Applied
    plan: ServicePlan
    units: tuple[DerivedUnit, ...]

    @property
    def place(self) -> str:
        return place_title(self.applied)

    @property
    def runtime(self) -> str:
        """The name of what serves its model."""
        first = self.plan.predictor
        return (first.runtime.name or "no runtime") if first.model else _OWN

    def key(self, workload: Workload) -> str:
        return f"kserve/{self.place}/{self.applied.name}/{workload.unit}"


_Places = dict[str, list[_Service]]


def draw_environment(
    environment: Environment, found: Sequence[tuple[Applied, Derivation]]
) -> Picture:
    """All services of an environment; counted, if there are many."""
    services = [
        _Service(applied, plan_service(applied), derivation.units) for applied, derivation in found
    ]
    places: _Places = {}
    for service in services:
        places.setdefault(service.place, []).append(service)
    counts = (
        counted(len({applied.cluster for applied, _ in found if applied.destination}), "cluster"),
        counted(len(places), "namespace"),
        counted(len(services), KIND),
    )
    summary = ", ".join(counts)
    if sum(len(service.units) for service in services) > _MOST:
        return Picture(environment.name, summary, tuple(_fleet(places)), (), (_COUNTED,))
    groups = tuple(
        Group(title, _modes(inside), tuple(_runtimes(inside)), tuple(map(_card, inside)))
        for title, inside in places.items()
    )
    return Picture(environment.name, summary, groups, tuple(_links(services)))


def _modes(services: list[_Service]) -> tuple[str, ...]:
    return tuple(sorted({service.plan.mode for service in services}))


def _runtimes(services: list[_Service]) -> list[PictureRow]:
    rows = (row for service in services for row in runtime_rows(service.plan, _prefix(service)))
    return list({row.key: row for row in rows}.values())


def _prefix(service: _Service) -> str:
    return f"kserve/{service.place}"


def _card(service: _Service) -> Card:
    model = service.plan.predictor.model
    form = mapping(model, "modelFormat")
    about = f"{form.get('name')} {form.get('version') or ''}".strip() if model else _OWN
    rows = tuple(
        PictureRow(
            service.key(workload),
            workload.unit,
            _share(workload, service.plan),
            note=_replicas(unit, service.plan),
            exposure=Exposure.ANYWHERE if workload.unit == "predictor" else Exposure.OTHERS,
        )
        for workload, unit in zip(service.plan.workloads, service.units, strict=True)
    )
    protocol = f"protocol {model.get('protocolVersion') or 'v1'}"
    return Card(service.applied.name, (), (about, protocol), rows)


def _share(workload: Workload, plan: ServicePlan) -> str:
    """The percentage of traffic that a canary, or the newest revision, is meant to get."""
    if workload.is_canary:
        return f"{workload.percent} %"
    share = number(workload.fields, "canaryTrafficPercent")
    return f"{share} %" if share is not None and plan.mode == KNATIVE else ""


def _replicas(unit: DerivedUnit, plan: ServicePlan) -> str:
    if plan.mode == MODEL_MESH:
        return "run by ModelMesh"
    return bounds_text(unit_bounds(unit), "replica")


def _links(services: Sequence[_Service]) -> Iterator[Link]:
    """The runtimes, each with the services that it serves."""
    users: dict[str, list[_Service]] = {}
    for service in services:
        for row in runtime_rows(service.plan, _prefix(service)):
            users.setdefault(row.key, []).append(service)
    for key, found in users.items():
        unique = list(dict.fromkeys(service.key(service.plan.predictor) for service in found))
        meaning = f"serves {counted(len(unique), KIND)}"
        yield Link(LinkKind.MEMBERS, key.rpartition("/")[2], meaning, (key,), tuple(unique))


def _fleet(places: _Places) -> Iterator[Group]:
    """A row for each runtime of a namespace; what has no room is counted."""
    ranked = sorted(places.items(), key=lambda place: (-len(place[1]), place[0]))
    for title, services in ranked[:_PLACES]:
        counts = Counter(service.runtime for service in services)
        rows = [
            PictureRow(f"kserve/{title}/runtime/{name}", name, counted(number, "service"))
            for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        ]
        if len(rows) > _RUNTIMES:
            rest = sum(number for _, number in counts.most_common()[_RUNTIMES:])
            more = PictureRow(
                f"kserve/{title}/runtime/", "other runtimes", counted(rest, "service")
            )
            rows[_RUNTIMES:] = [more]
        components = sum(len(service.units) for service in services)
        lines = (counted(len(services), "service"), counted(components, "component"))
        yield Group(title, _modes(services), (), (Card(KIND, (), lines, tuple(rows)),))
    if left := ranked[_PLACES:]:
        number_left = sum(len(services) for _, services in left)
        row = PictureRow("kserve/rest", counted(number_left, "service"))
        yield Group(counted(len(left), "more namespace"), (), (row,))
