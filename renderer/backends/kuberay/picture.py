"""A cluster, job or service as a picture: its head, its groups, and the applications on them."""

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
from renderer.backends.kuberay.serve_config.applications import (
    DISABLED,
    HEAD_ONLY,
    Application,
    Deployment,
    applications_of,
    proxy_location,
)
from renderer.backends.kuberay.start_params import node_resources, start_params
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, TEMPLATE
from renderer.backends.kuberay.workloads import Group as RayGroup
from renderer.backends.kuberay.workloads import references
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.kubernetes.data import Data, items, mapping, number
from renderer.text.wording import counted, listed
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

_SERVE, _OBJECT, _GCS = "kuberay/serve", "kuberay/object", "kuberay/head/gcs-server"
_TYPES = {"NodePort": Exposure.ANYWHERE, "LoadBalancer": Exposure.ANYWHERE}


def draw_workload(applied: Applied, derivation: Derivation) -> Picture:
    """One spec: where it goes, what runs there, and who calls whom."""
    plan, units = plan_of(applied), {unit.unit: unit for unit in derivation.units}
    groups = plan.cluster.groups if plan.is_own else ()
    serving = next(filter(is_serve_service, make_services(plan)), None)
    applications = applications_in(applied)
    proxied = _proxied(applied, plan) if serving else []
    cards = [_card(plan, group, units[group.name], proxied) for group in groups]
    cards += (_application_card(item, serving) for item in applications)
    cards += (_submitter_card(plan, unit) for unit in _submitters(derivation))
    rows = tuple(_applied(applied, plan, serving))
    place = Group(place_title(applied), (f"KubeRay {plan.dialect}",), rows, tuple(cards))
    counts = [counted(len(groups), "group")] if groups else []
    counts += [counted(len(applications), "application")] if applications else []
    return Picture(
        f"{applied.spec.name} in {applied.environment.name}",
        ", ".join((plan.kind, *counts)),
        (place,),
        (*_links(applied, plan, derivation), *_serve_links(proxied, applications)),
        tuple(_remarks(plan)),
    )


def place_title(applied: Applied) -> str:
    """The destination and the namespace there."""
    name = applied.destination or "no destination"
    return f"{name}, namespace {applied.namespace}" if applied.namespace else name


def _applied(applied: Applied, plan: RayPlan, serving: Data | None) -> Iterator[PictureRow]:
    yield PictureRow(_OBJECT, f"{plan.kind} {applied.spec.name}", note="applied here")
    if plan.kind == JOB and not plan.is_own:
        note = "applied here" if plan.cluster.head.container else "must be there"
        yield PictureRow("kuberay/used", f"{CLUSTER} {plan.cluster_name}", note=note)
    for name in template_users(applied):
        yield PictureRow(f"kuberay/template/{name}", template_title(name), note="resolved here")
    if serving:
        spec = mapping(serving, "spec")
        exposure = _TYPES.get(str(spec.get("type")), Exposure.OTHERS)
        title, address = f"Service {mapping(serving, 'metadata').get('name')}", host_of(serving)
        yield PictureRow(_SERVE, title, "", address, str(spec.get("type")), exposure)


def template_title(name: str) -> str:
    return f"compute template {name}"


def template_users(applied: Applied) -> dict[str, list[RayGroup]]:
    """The compute templates that a spec names, each with the groups that it sizes."""
    found: dict[str, list[RayGroup]] = {}
    plan = plan_of(applied)
    groups = plan.cluster.groups if plan.is_own else ()
    for item in references(applied.spec, applied.environment):
        if item.kind == TEMPLATE and item.unit < len(groups):
            found.setdefault(item.name, []).append(groups[item.unit])
    return found


def _card(plan: RayPlan, group: RayGroup, unit: DerivedUnit, proxied: list[RayGroup]) -> Card:
    image = text(group.container.node, "image") if group.container else ""
    lines = (image, sizes_text(node_resources(start_params(group))))
    rows = [PictureRow(_key(group), "nodes", bounds_text(unit_bounds(unit)))]
    rows += _head_rows(plan) if group.is_head else ()
    if group.name in {item.name for item in proxied}:
        rows.append(PictureRow(f"{_key(group)}/proxy", "proxy", "http", exposure=Exposure.INSIDE))
    return Card(group.name, (), tuple(filter(None, lines)), tuple(rows))


def _head_rows(plan: RayPlan) -> Iterator[PictureRow]:
    host = stable_head_host(plan)
    for name, shown in ((DASHBOARD, "http"), ("client", "ray"), ("gcs-server", "")):
        if name in plan.ports:
            address = f"{host}:{plan.ports[name]}"
            key = f"kuberay/head/{name}"
            yield PictureRow(key, name, shown, address, exposure=Exposure.OTHERS)


def _key(group: RayGroup) -> str:
    return f"kuberay/group/{group.name}"


def applications_in(applied: Applied) -> tuple[Application, ...]:
    """The applications that a service runs."""
    config = applied_config(applied)
    return applications_of(config) if config else ()


def _application_card(item: Application, serving: Data | None) -> Card:
    lines = (text(item.node, "import_path"), *map(deployment_text, item.deployments))
    port = next(iter(items(mapping(serving or {}, "spec"), "ports")), {})
    address = f"{host_of(serving)}:{number(port, 'port')}" if serving else ""
    route = item.route_prefix
    row = PictureRow(
        f"kuberay/application/{item.name}",
        "requests" if route else "no requests",
        "http" if route else "",
        f"{address}{route}" if address and route else "",
        exposure=Exposure.OTHERS if route else Exposure.NOWHERE,
    )
    return Card(item.name, (route or "no route",), tuple(filter(None, lines)), (row,))


def deployment_text(item: Deployment) -> str:
    least, most = item.replicas.fewest, item.replicas.most
    count = counted(most, "replica") if least == most else f"{least} to {counted(most, 'replica')}"
    return f"{item.name}: {count}"


def _submitters(derivation: Derivation) -> list[DerivedUnit]:
    return [unit for unit in derivation.units if unit.unit == SUBMITTER and unit.pods]


def _submitter_card(plan: RayPlan, unit: DerivedUnit) -> Card:
    image = text(unit.pods[0].spec, "containers", 0, "image")
    row = PictureRow("kuberay/submitter", "submits", note=str(plan.spec.get("entrypoint") or ""))
    return Card(SUBMITTER, (), (image, bounds_text(unit_bounds(unit))), (row,))


def _proxied(applied: Applied, plan: RayPlan) -> list[RayGroup]:
    """The groups whose nodes take requests for the applications."""
    config = applied_config(applied)
    where = proxy_location(config) if config else ""
    if where == DISABLED:
        return []
    without_head = plan.spec.get("excludeHeadPodFromServeSvc") is True
    heads = [] if without_head else [plan.cluster.head]
    return heads if where == HEAD_ONLY else [*heads, *plan.cluster.workers]


def _links(applied: Applied, plan: RayPlan, derivation: Derivation) -> Iterator[Link]:
    if plan.is_own and (workers := plan.cluster.workers):
        meaning = f"is joined by {listed(group.name for group in workers)}"
        sources = tuple(map(_key, workers))
        target = _GCS if "gcs-server" in plan.ports else _key(plan.cluster.head)
        yield Link(LinkKind.CALL, "head", meaning, sources, (target,))
    for name, groups in template_users(applied).items():
        meaning = f"sizes {listed(group.name for group in groups)}"
        targets = tuple(map(_key, groups))
        yield Link(LinkKind.MEMBERS, name, meaning, (f"kuberay/template/{name}",), targets)
    for _ in _submitters(derivation):
        head = _key(plan.cluster.head) if plan.is_own else "kuberay/used"
        meaning = f"submits the job to {'the head' if plan.is_own else plan.cluster_name}"
        yield Link(LinkKind.CALL, SUBMITTER, meaning, ("kuberay/submitter",), (head,))


def _serve_links(proxied: list[RayGroup], applications: Iterable[Application]) -> Iterator[Link]:
    """Requests come to the proxies of nodes, and from there to the application of their route."""
    if not proxied:
        return
    meaning = f"to the proxies of {listed(group.name for group in proxied)}"
    targets = tuple(f"{_key(group)}/proxy" for group in proxied)
    yield Link(LinkKind.CALL, "requests", meaning, (_SERVE,), targets)
    routed = [item for item in applications if item.route_prefix]
    if routed:
        meaning = f"to {listed(f'{item.name} at {item.route_prefix}' for item in routed)}"
        targets = tuple(f"kuberay/application/{item.name}" for item in routed)
        yield Link(LinkKind.CALL, "routes", meaning, (_SERVE,), targets)


def _remarks(plan: RayPlan) -> Iterator[str]:
    if plan.cluster.is_scaled and plan.is_own:
        yield "Ray's autoscaler decides how many workers there are, within the bounds."
    if plan.kind == JOB and plan.mode != K8S_JOB:
        yield f"There is no Job that submits it ({plan.mode})."
