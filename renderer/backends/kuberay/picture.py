"""What pictures say of a cluster, job or service: head, groups, and the applications on them."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.derive.network import (
    host_of,
    is_serve_service,
    make_services,
    stable_head_host,
)
from renderer.backends.kuberay.derive.plan import (
    DASHBOARD,
    K8S_JOB,
    RayPlan,
    applied_config,
    plan_of,
)
from renderer.backends.kuberay.derive.summaries import sizes_text
from renderer.backends.kuberay.derive.units import SUBMITTER
from renderer.backends.kuberay.dialect import version_text
from renderer.backends.kuberay.serve_config.applications import (
    DISABLED,
    GPU,
    HEAD_ONLY,
    Application,
    applications_of,
    proxy_location,
)
from renderer.backends.kuberay.start_params import node_resources, start_params
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, TEMPLATE
from renderer.backends.kuberay.workloads import HEAD, Group, references
from renderer.derive.drawn_units import namespace_place
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.kubernetes.data import Data, items, mapping, number
from renderer.text.wording import counted, listed
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.picture import (
    Card,
    DrawnSpec,
    DrawnUnit,
    Exposure,
    Link,
    LinkKind,
    PictureRow,
    Place,
    SharedThing,
)

_SERVE, _GCS, _RUN = "serve", "gcs-server", "job"
_TYPES = {"NodePort": Exposure.ANYWHERE, "LoadBalancer": Exposure.ANYWHERE}


def draw_workload(applied: Applied, derivation: Derivation) -> DrawnSpec:
    """One spec: what runs, what sizes it, and who calls whom."""
    plan, units = plan_of(applied), {unit.unit: unit for unit in derivation.units}
    place = namespace_place(applied, f"KubeRay {plan.dialect}")
    groups = plan.cluster.groups if plan.is_own else ()
    serving = next(filter(is_serve_service, make_services(plan)), None)
    config = applied_config(applied)
    applications = applications_of(config) if config else ()
    proxied = _proxied(applied, plan) if serving else []
    drawn = [_draw_group(plan, group, units.get(group.name), proxied, place) for group in groups]
    drawn += (_draw_application(item, serving, place) for item in applications)
    drawn += _draw_submission(plan, units.get(SUBMITTER), place)
    counts = [counted(len(groups), "group")] if groups else []
    counts += [counted(len(applications), "application")] if applications else []
    return DrawnSpec(
        ", ".join((plan.kind, *counts)),
        place,
        tuple(drawn),
        (*_used_cluster(plan, drawn), *_templates(applied, groups)),
        tuple(_lines(plan)),
        tuple(_serve_row(serving)) if serving else (),
        (*_cluster_links(plan, drawn), *_serve_links(proxied, applications)),
        tuple(_remarks(plan)),
        name=applied.spec.name,
        unit_noun="group",
    )


def _lines(plan: RayPlan) -> Iterator[str]:
    if version := plan.cluster.stated_version or plan.settings.ray_version:
        yield f"Ray {version_text(version)}"
    if not plan.is_own:
        yield f"in the cluster {plan.cluster_name}"


def _serve_row(serving: Data) -> Iterator[PictureRow]:
    kind = str(mapping(serving, "spec").get("type"))
    exposure = _TYPES.get(kind, Exposure.OTHERS)
    title = f"Service {mapping(serving, 'metadata').get('name')}"
    yield PictureRow(_SERVE, title, "", host_of(serving), kind, exposure)


def _used_cluster(plan: RayPlan, drawn: Iterable[DrawnUnit]) -> Iterator[SharedThing]:
    """The cluster of a job that has none of its own."""
    if plan.kind == JOB and not plan.is_own:
        note = "applied here" if plan.cluster.head.container else "must be there"
        users = tuple(item.row.key for item in drawn)
        meaning = "submits the job to" if SUBMITTER in users else "runs in"
        yield SharedThing(CLUSTER, plan.cluster_name, note, meaning, users, is_called=True)


def _templates(applied: Applied, groups: tuple[Group, ...]) -> Iterator[SharedThing]:
    """The compute templates that a spec names, each with the groups that it sizes."""
    users: dict[str, list[str]] = {}
    for item in references(applied.spec, applied.environment):
        if item.kind == TEMPLATE and item.unit < len(groups):
            users.setdefault(item.name, []).append(groups[item.unit].name)
    for name, names in users.items():
        yield SharedThing("compute template", name, "resolved here", "sizes", tuple(names))


def _draw_group(
    plan: RayPlan, group: Group, unit: DerivedUnit | None, proxied: list[Group], place: Place
) -> DrawnUnit:
    image = text(group.container.node, "image") if group.container else ""
    sizes, pods = node_resources(start_params(group)), bounds_text(unit_bounds(unit))
    rows = [PictureRow(group.name, "nodes", pods)]
    rows += _head_rows(plan) if group.is_head else ()
    if group.name in {item.name for item in proxied}:
        rows.append(PictureRow(_proxy(group), "proxy", "http", exposure=Exposure.INSIDE))
    lines = tuple(filter(None, (image, sizes_text(sizes))))
    gpus = sizes.get(GPU)
    note = f"{counted(int(gpus), 'GPU')} each" if gpus else ""
    row = PictureRow(group.name, group.name, pods, note=note)
    return DrawnUnit(Card(group.name, (), lines, tuple(rows)), row, place, unit)


def _proxy(group: Group) -> str:
    return f"{group.name}/proxy"


def _head_rows(plan: RayPlan) -> Iterator[PictureRow]:
    host = stable_head_host(plan)
    for name, protocol in ((DASHBOARD, "http"), ("client", "ray"), (_GCS, "")):
        if name in plan.ports:
            address = f"{host}:{plan.ports[name]}"
            yield PictureRow(f"{HEAD}/{name}", name, protocol, address, exposure=Exposure.OTHERS)


def _draw_application(item: Application, serving: Data | None, place: Place) -> DrawnUnit:
    deployments = (
        f"{part.name}: {bounds_text((part.replicas.fewest, part.replicas.most), 'replica')}"
        for part in item.deployments
    )
    lines = tuple(filter(None, (text(item.node, "import_path"), *deployments)))
    port = next(iter(items(mapping(serving or {}, "spec"), "ports")), {})
    route, key = item.route_prefix, f"application/{item.name}"
    title, tag, exposure = "no requests", "", Exposure.NOWHERE
    if route:
        title, tag, exposure = "requests", "http", Exposure.OTHERS
    address = f"{host_of(serving)}:{number(port, 'port')}{route}" if serving and route else ""
    note = counted(len(item.deployments), "deployment")
    return DrawnUnit(
        Card(
            item.name,
            (route or "no route",),
            lines,
            (PictureRow(key, title, tag, address, exposure=exposure),),
        ),
        PictureRow(key, f"application {item.name}", route or "", note=note, exposure=exposure),
        place,
    )


def _draw_submission(plan: RayPlan, unit: DerivedUnit | None, place: Place) -> Iterator[DrawnUnit]:
    """What submits a job; without a Job for that, the run itself, if no head is drawn."""
    command = str(plan.spec.get("entrypoint") or "")
    if unit and unit.pods:
        pods = bounds_text(unit_bounds(unit))
        image = text(unit.pods[0].spec, "containers", 0, "image")
        rows = (PictureRow(SUBMITTER, "submits", note=command),)
        row = PictureRow(SUBMITTER, SUBMITTER, pods)
        yield DrawnUnit(Card(SUBMITTER, (), (image, pods), rows), row, place, unit)
    elif plan.kind == JOB and not plan.is_own:
        rows = (PictureRow(_RUN, "runs", note=command),)
        yield DrawnUnit(Card(_RUN, rows=rows), PictureRow(_RUN, _RUN), place)


def _proxied(applied: Applied, plan: RayPlan) -> list[Group]:
    """The groups whose nodes take requests for the applications."""
    config = applied_config(applied)
    where = proxy_location(config) if config else ""
    if where == DISABLED:
        return []
    without_head = plan.spec.get("excludeHeadPodFromServeSvc") is True
    heads = [] if without_head else [plan.cluster.head]
    return heads if where == HEAD_ONLY else [*heads, *plan.cluster.workers]


def _cluster_links(plan: RayPlan, drawn: Iterable[DrawnUnit]) -> Iterator[Link]:
    """Workers join the head, and a job is submitted to it."""
    if not plan.is_own:
        return
    if workers := [group.name for group in plan.cluster.workers]:
        meaning = f"is joined by {listed(workers)}"
        target = f"{HEAD}/{_GCS}" if _GCS in plan.ports else HEAD
        yield Link(LinkKind.CALL, "head", meaning, tuple(workers), (target,))
    if any(item.row.key == SUBMITTER for item in drawn):
        meaning = "submits the job to the head"
        yield Link(LinkKind.CALL, SUBMITTER, meaning, (SUBMITTER,), (HEAD,))


def _serve_links(proxied: list[Group], applications: Iterable[Application]) -> Iterator[Link]:
    """Requests come to the proxies of nodes, and from there to the application of their route."""
    if not proxied:
        return
    meaning = f"to the proxies of {listed(group.name for group in proxied)}"
    targets = tuple(map(_proxy, proxied))
    yield Link(LinkKind.CALL, "requests", meaning, (_SERVE,), targets)
    routed = [item for item in applications if item.route_prefix]
    if routed:
        meaning = f"to {listed(f'{item.name} at {item.route_prefix}' for item in routed)}"
        targets = tuple(f"application/{item.name}" for item in routed)
        yield Link(LinkKind.CALL, "routes", meaning, (_SERVE,), targets)


def _remarks(plan: RayPlan) -> Iterator[str]:
    if plan.cluster.is_scaled and plan.is_own:
        yield "Ray's autoscaler decides how many workers there are, within the bounds."
    if plan.kind == JOB and plan.mode != K8S_JOB:
        yield f"There is no Job that submits it ({plan.mode})."
