"""An environment as a picture: its Ray clusters, jobs and services, and what sizes their pods."""

from collections import Counter
from collections.abc import Iterator, Sequence

from renderer.backends.kuberay.dialect import shown
from renderer.backends.kuberay.picture import place_title, template_title, template_users
from renderer.backends.kuberay.preview.plan import RayPlan, sketch
from renderer.backends.kuberay.preview.summaries import bounds_text
from renderer.backends.kuberay.serve_config.applications import GPU, applications_of
from renderer.backends.kuberay.services import serve_config_of
from renderer.backends.kuberay.start_params import offered, start_params
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.backends.kuberay.workloads import HEAD, Workload
from renderer.backends.kuberay.workloads import Group as RayGroup
from renderer.text.wording import counted
from renderer.values.derivations import Applied, Derivation
from renderer.values.model import Environment
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

#: Of more groups, workloads are counted instead of named.
_MOST = 60
#: What a page has room for of a fleet: namespaces.
_PLACES = 12
_COUNTED = "Ray clusters, jobs and services are counted; draw one by its name to see it whole."
_Places = dict[str, list[Workload]]


def draw_environment(
    environment: Environment, _found: Sequence[tuple[Applied, Derivation]]
) -> Picture:
    """All that runs on Ray in an environment; counted, if there is much."""
    kinds = (CLUSTER, JOB, SERVICE)
    found = [
        Workload.of(spec, environment) for spec in environment.specs if spec.kind.name in kinds
    ]
    places: _Places = {}
    for item in found:
        places.setdefault(place_title(item), []).append(item)
    clusters = {item.destination.cluster for item in found if item.destination}
    counts = Counter(item.spec.kind.name for item in found)
    parts = [counted(len(clusters), "cluster"), counted(len(places), "namespace")]
    parts += (counted(counts[kind], kind) for kind in kinds if counts[kind])
    summary = ", ".join(parts)
    if sum(len(item.cluster.groups) if item.cluster else 1 for item in found) > _MOST:
        return Picture(environment.name, summary, tuple(_fleet(places)), (), (_COUNTED,))
    groups = tuple(_place(title, inside) for title, inside in places.items())
    return Picture(environment.name, summary, groups, tuple(_links(found)))


def _place(title: str, workloads: Sequence[Workload]) -> Group:
    names = dict.fromkeys(name for item in workloads for name in template_users(item))
    rows = tuple(
        PictureRow(_template_key(title, name), template_title(name), note="resolved here")
        for name in names
    )
    tag = f"KubeRay {workloads[0].settings.dialect}"
    return Group(title, (tag,), rows, tuple(_card(item) for item in workloads))


def _card(workload: Workload) -> Card:
    plan = sketch(workload)
    version = workload.ray_version
    lines = [f"Ray {shown(version)}"] if version else []
    lines += [f"in the cluster {plan.cluster_name}"] if not plan.is_own else []
    groups = plan.cluster.groups if plan.is_own else ()
    rows = [_group_row(workload, plan, group) for group in groups]
    rows += _application_rows(workload)
    if not rows:
        rows.append(PictureRow(_key(workload, HEAD), "job"))
    return Card(workload.name, (workload.spec.kind.name,), tuple(lines), tuple(rows))


def _group_row(workload: Workload, plan: RayPlan, group: RayGroup) -> PictureRow:
    gpus = offered(start_params(group)).get(GPU)
    tag = bounds_text(plan, group)
    note = f"{counted(int(gpus), 'GPU')} each" if gpus else ""
    return PictureRow(_key(workload, group.name), group.name, tag, note=note)


def _application_rows(workload: Workload) -> Iterator[PictureRow]:
    config = serve_config_of(workload)
    for item in applications_of(config) if config else ():
        key = f"{_key(workload, '')}application/{item.name}"
        route, note = item.route_prefix, counted(len(item.deployments), "deployment")
        reach = Exposure.OTHERS if route else Exposure.NOWHERE
        yield PictureRow(key, f"application {item.name}", route or "", note=note, exposure=reach)


def _links(workloads: Sequence[Workload]) -> Iterator[Link]:
    """What templates size, and which jobs run in clusters that are drawn as well."""
    users: dict[tuple[str, str], list[str]] = {}
    for item in workloads:
        for name, groups in template_users(item).items():
            keys = (_key(item, group.name) for group in groups)
            users.setdefault((place_title(item), name), []).extend(keys)
    for (place, name), targets in users.items():
        meaning = f"sizes {counted(len(targets), 'group')}"
        source = (_template_key(place, name),)
        yield Link(LinkKind.MEMBERS, name, meaning, source, tuple(targets))
    heads = {
        (place_title(item), item.name): _key(item, HEAD)
        for item in workloads
        if item.spec.kind.name == CLUSTER
    }
    for item in workloads:
        plan = sketch(item)
        head = heads.get((place_title(item), plan.cluster_name))
        if not plan.is_own and head:
            meaning = f"runs in {plan.cluster_name}"
            yield Link(LinkKind.CALL, item.name, meaning, (_key(item, HEAD),), (head,))


def _fleet(places: _Places) -> Iterator[Group]:
    """A row for each kind in a namespace; what has no room is counted."""
    ranked = sorted(places.items(), key=lambda place: (-len(place[1]), place[0]))
    for title, inside in ranked[:_PLACES]:
        counts = Counter(item.spec.kind.name for item in inside)
        rows = tuple(
            PictureRow(f"kuberay/{title}/{kind}", counted(number, kind))
            for kind, number in sorted(counts.items())
        )
        groups = sum(len(item.cluster.groups) for item in inside if item.cluster)
        yield Group(title, (), (), (Card("Ray", (), (counted(groups, "group"),), rows),))
    if left := ranked[_PLACES:]:
        number = sum(len(inside) for _, inside in left)
        row = PictureRow("kuberay/rest", f"{number} Ray clusters, jobs and services")
        yield Group(counted(len(left), "more namespace"), (), (row,))


def _key(workload: Workload, group: str) -> str:
    own = f"{workload.spec.kind.name}/{workload.name}"
    return f"kuberay/{place_title(workload)}/{own}/{group}"


def _template_key(place: str, name: str) -> str:
    return f"kuberay/{place}/template/{name}"
