"""An environment as a picture: its Ray clusters, jobs and services, and what sizes their pods."""

from collections import Counter
from collections.abc import Iterator, Sequence

from renderer.backends.kuberay.derive.plan import plan_of
from renderer.backends.kuberay.dialect import shown
from renderer.backends.kuberay.picture import (
    applications_in,
    place_title,
    template_title,
    template_users,
)
from renderer.backends.kuberay.serve_config.applications import GPU
from renderer.backends.kuberay.start_params import node_resources, start_params
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.backends.kuberay.workloads import HEAD
from renderer.backends.kuberay.workloads import Group as RayGroup
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.text.wording import counted
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.model import Environment
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

#: Of more groups, workloads are counted instead of named.
_MOST = 60
#: What a page has room for of a fleet: namespaces.
_PLACES = 12
_COUNTED = "Ray clusters, jobs and services are counted; draw one by its name to see it whole."
_KINDS = (CLUSTER, JOB, SERVICE)
Derived = tuple[Applied, Derivation]
_Places = dict[str, list[Derived]]


def draw_environment(environment: Environment, found: Sequence[Derived]) -> Picture:
    """All that runs on Ray in an environment; counted, if there is much."""
    found = [item for item in found if item[0].spec.kind.name in _KINDS]
    places: _Places = {}
    for applied, derivation in found:
        places.setdefault(place_title(applied), []).append((applied, derivation))
    clusters = {applied.cluster for applied, _ in found if applied.destination}
    counts = Counter(applied.spec.kind.name for applied, _ in found)
    parts = [counted(len(clusters), "cluster"), counted(len(places), "namespace")]
    parts += (counted(counts[kind], kind) for kind in _KINDS if counts[kind])
    summary = ", ".join(parts)
    if sum(len(derivation.units) for _, derivation in found) > _MOST:
        return Picture(environment.name, summary, tuple(_fleet(places)), (), (_COUNTED,))
    groups = tuple(_place(title, inside) for title, inside in places.items())
    return Picture(environment.name, summary, groups, tuple(_links(found)))


def _place(title: str, inside: Sequence[Derived]) -> Group:
    names = dict.fromkeys(name for applied, _ in inside for name in template_users(applied))
    rows = tuple(
        PictureRow(_template_key(title, name), template_title(name), note="resolved here")
        for name in names
    )
    tag = f"KubeRay {plan_of(inside[0][0]).dialect}"
    return Group(title, (tag,), rows, tuple(_card(*item) for item in inside))


def _card(applied: Applied, derivation: Derivation) -> Card:
    plan = plan_of(applied)
    version = plan.cluster.stated_version or plan.settings.ray_version
    lines = [f"Ray {shown(version)}"] if version else []
    lines += [f"in the cluster {plan.cluster_name}"] if not plan.is_own else []
    units = {unit.unit: unit for unit in derivation.units}
    groups = plan.cluster.groups if plan.is_own else ()
    rows = [_group_row(applied, group, units[group.name]) for group in groups]
    rows += _application_rows(applied)
    if not rows:
        rows.append(PictureRow(_key(applied, HEAD), "job"))
    return Card(applied.spec.name, (plan.kind,), tuple(lines), tuple(rows))


def _group_row(applied: Applied, group: RayGroup, unit: DerivedUnit) -> PictureRow:
    gpus = node_resources(start_params(group)).get(GPU)
    tag = bounds_text(unit_bounds(unit))
    note = f"{counted(int(gpus), 'GPU')} each" if gpus else ""
    return PictureRow(_key(applied, group.name), group.name, tag, note=note)


def _application_rows(applied: Applied) -> Iterator[PictureRow]:
    for item in applications_in(applied):
        key = f"{_key(applied, '')}application/{item.name}"
        route, note = item.route_prefix, counted(len(item.deployments), "deployment")
        reach = Exposure.OTHERS if route else Exposure.NOWHERE
        yield PictureRow(key, f"application {item.name}", route or "", note=note, exposure=reach)


def _links(found: Sequence[Derived]) -> Iterator[Link]:
    """What templates size, and which jobs run in clusters that are drawn as well."""
    users: dict[tuple[str, str], list[str]] = {}
    for applied, _ in found:
        for name, groups in template_users(applied).items():
            keys = (_key(applied, group.name) for group in groups)
            users.setdefault((place_title(applied), name), []).extend(keys)
    for (place, name), targets in users.items():
        meaning = f"sizes {counted(len(targets), 'group')}"
        source = (_template_key(place, name),)
        yield Link(LinkKind.MEMBERS, name, meaning, source, tuple(targets))
    heads = {
        (place_title(applied), applied.name): _key(applied, HEAD)
        for applied, _ in found
        if applied.spec.kind.name == CLUSTER
    }
    for applied, _ in found:
        plan = plan_of(applied)
        head = heads.get((place_title(applied), plan.cluster_name))
        if not plan.is_own and head:
            meaning = f"runs in {plan.cluster_name}"
            yield Link(LinkKind.CALL, applied.spec.name, meaning, (_key(applied, HEAD),), (head,))


def _fleet(places: _Places) -> Iterator[Group]:
    """A row for each kind in a namespace; what has no room is counted."""
    ranked = sorted(places.items(), key=lambda place: (-len(place[1]), place[0]))
    for title, inside in ranked[:_PLACES]:
        counts = Counter(applied.spec.kind.name for applied, _ in inside)
        rows = tuple(
            PictureRow(f"kuberay/{title}/{kind}", counted(number, kind))
            for kind, number in sorted(counts.items())
        )
        groups = sum(len(derivation.units) for _, derivation in inside)
        yield Group(title, (), (), (Card("Ray", (), (counted(groups, "group"),), rows),))
    if left := ranked[_PLACES:]:
        number = sum(len(inside) for _, inside in left)
        row = PictureRow("kuberay/rest", f"{number} Ray clusters, jobs and services")
        yield Group(counted(len(left), "more namespace"), (), (row,))


def _key(applied: Applied, group: str) -> str:
    own = f"{applied.spec.kind.name}/{applied.spec.name}"
    return f"kuberay/{place_title(applied)}/{own}/{group}"


def _template_key(place: str, name: str) -> str:
    return f"kuberay/{place}/template/{name}"
