"""A cluster, job or service as a picture: its head, its groups, and the applications on them."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.preview.addresses import host_of, is_serve_service, stable_head_host
from renderer.backends.kuberay.preview.network import make_services
from renderer.backends.kuberay.preview.plan import DASHBOARD, K8S_JOB, RayPlan, sketch
from renderer.backends.kuberay.preview.submission import submitter_job
from renderer.backends.kuberay.preview.summaries import bounds_text, sizes_text
from renderer.backends.kuberay.serve_config.applications import (
    DISABLED,
    HEAD_ONLY,
    Application,
    Deployment,
    applications_of,
    proxy_location,
)
from renderer.backends.kuberay.services import serve_config_of
from renderer.backends.kuberay.start_params import offered, start_params
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, TEMPLATE
from renderer.backends.kuberay.workloads import Group as RayGroup
from renderer.backends.kuberay.workloads import Workload, references
from renderer.backends.registries import registries_of, relocated
from renderer.kubernetes.data import Data, items, mapping, number
from renderer.text.wording import counted, listed
from renderer.values.derivations import Applied, Derivation
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

_SERVE, _OBJECT, _GCS = "kuberay/serve", "kuberay/object", "kuberay/head/gcs-server"
_TYPES = {"NodePort": Exposure.ANYWHERE, "LoadBalancer": Exposure.ANYWHERE}


def draw_workload(applied: Applied, _derivation: Derivation) -> Picture:
    """One spec: where it goes, what runs there, and who calls whom."""
    spec, environment = applied.spec, applied.environment
    workload = Workload.of(spec, environment)
    plan = sketch(workload)
    groups = plan.cluster.groups if plan.is_own else ()
    serving = next(filter(is_serve_service, make_services(plan)), None)
    applications = _applications(workload)
    cards = [_card(workload, plan, group, serving) for group in groups]
    cards += (_application_card(item, serving) for item in applications)
    cards += (_submitter_card(plan, job) for job in _submitters(plan))
    rows = tuple(_applied(workload, plan, serving))
    place = Group(place_title(workload), (f"KubeRay {plan.dialect}",), rows, tuple(cards))
    counts = [counted(len(groups), "group")] if groups else []
    counts += [counted(len(applications), "application")] if applications else []
    return Picture(
        f"{spec.name} in {environment.name}",
        ", ".join((spec.kind.name, *counts)),
        (place,),
        tuple(_links(workload, plan, serving)),
        tuple(_remarks(plan)),
    )


def place_title(workload: Workload) -> str:
    """The destination and the namespace there."""
    name = workload.destination.name if workload.destination else "no destination"
    return f"{name}, namespace {workload.namespace}" if workload.namespace else name


def _applied(workload: Workload, plan: RayPlan, serving: Data | None) -> Iterator[PictureRow]:
    yield PictureRow(_OBJECT, f"{plan.kind} {workload.name}", note="applied here")
    if plan.kind == JOB and not plan.is_own:
        note = "applied here" if plan.cluster.head.container else "must be there"
        yield PictureRow("kuberay/used", f"{CLUSTER} {plan.cluster_name}", note=note)
    for name in template_users(workload):
        yield PictureRow(f"kuberay/template/{name}", template_title(name), note="resolved here")
    if serving:
        spec = mapping(serving, "spec")
        exposure = _TYPES.get(str(spec.get("type")), Exposure.OTHERS)
        title, address = f"Service {mapping(serving, 'metadata').get('name')}", host_of(serving)
        yield PictureRow(_SERVE, title, "", address, str(spec.get("type")), exposure)


def template_title(name: str) -> str:
    return f"compute template {name}"


def template_users(workload: Workload) -> dict[str, list[RayGroup]]:
    """The compute templates that a spec names, each with the groups that it sizes."""
    found: dict[str, list[RayGroup]] = {}
    groups = workload.cluster.groups if workload.cluster else ()
    for item in references(workload.spec, workload.environment):
        if item.kind == TEMPLATE and item.unit < len(groups):
            found.setdefault(item.name, []).append(groups[item.unit])
    return found


def _card(workload: Workload, plan: RayPlan, group: RayGroup, serving: Data | None) -> Card:
    lines = (image_of(workload, group), sizes_text(offered(start_params(group))))
    rows = [PictureRow(_key(group), "nodes", bounds_text(plan, group))]
    rows += _head_rows(plan) if group.is_head else ()
    if serving and group.name in {item.name for item in _proxied(workload, plan)}:
        rows.append(PictureRow(f"{_key(group)}/proxy", "proxy", "http", exposure=Exposure.INSIDE))
    return Card(group.name, (), tuple(filter(None, lines)), tuple(rows))


def image_of(workload: Workload, group: RayGroup) -> str:
    """The image of a group as its destination pulls it."""
    image = group.container.node.get("image") if group.container else None
    return str(relocated(image, registries_of(workload.destination)).value) if image else ""


def _head_rows(plan: RayPlan) -> Iterator[PictureRow]:
    host = stable_head_host(plan)
    for name, shown in ((DASHBOARD, "http"), ("client", "ray"), ("gcs-server", "")):
        if name in plan.ports:
            address = f"{host}:{plan.ports[name]}"
            key = f"kuberay/head/{name}"
            yield PictureRow(key, name, shown, address, exposure=Exposure.OTHERS)


def _key(group: RayGroup) -> str:
    return f"kuberay/group/{group.name}"


def _applications(workload: Workload) -> tuple[Application, ...]:
    config = serve_config_of(workload)
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


def _submitters(plan: RayPlan) -> Iterator[Data]:
    if plan.kind == JOB and plan.mode == K8S_JOB:
        yield from submitter_job(plan)


def _submitter_card(plan: RayPlan, job: Data) -> Card:
    pod = mapping(job, "spec", "template", "spec")
    image = next(iter(items(pod, "containers")), {}).get("image")
    row = PictureRow("kuberay/submitter", "submits", note=str(plan.spec.get("entrypoint") or ""))
    return Card("submitter", (), (str(image), "1 pod"), (row,))


def _proxied(workload: Workload, plan: RayPlan) -> list[RayGroup]:
    """The groups whose nodes take requests for the applications."""
    config = serve_config_of(workload)
    where = proxy_location(config) if config else ""
    if where == DISABLED:
        return []
    without_head = plan.spec.get("excludeHeadPodFromServeSvc") is True
    heads = [] if without_head else [plan.cluster.head]
    return heads if where == HEAD_ONLY else [*heads, *plan.cluster.workers]


def _links(workload: Workload, plan: RayPlan, serving: Data | None) -> Iterator[Link]:
    if plan.is_own and (workers := plan.cluster.workers):
        meaning = f"is joined by {listed(group.name for group in workers)}"
        sources = tuple(map(_key, workers))
        target = _GCS if "gcs-server" in plan.ports else _key(plan.cluster.head)
        yield Link(LinkKind.CALL, "head", meaning, sources, (target,))
    for name, groups in template_users(workload).items():
        meaning = f"sizes {listed(group.name for group in groups)}"
        targets = tuple(map(_key, groups))
        yield Link(LinkKind.MEMBERS, name, meaning, (f"kuberay/template/{name}",), targets)
    yield from _serve_links(workload, plan, serving)
    for _ in _submitters(plan):
        head = _key(plan.cluster.head) if plan.is_own else "kuberay/used"
        meaning = f"submits the job to {'the head' if plan.is_own else plan.cluster_name}"
        yield Link(LinkKind.CALL, "submitter", meaning, ("kuberay/submitter",), (head,))


def _serve_links(workload: Workload, plan: RayPlan, serving: Data | None) -> Iterator[Link]:
    """Requests come to the proxies of nodes, and from there to the application of their route."""
    proxied = _proxied(workload, plan)
    if serving is None or not proxied:
        return
    meaning = f"to the proxies of {listed(group.name for group in proxied)}"
    targets = tuple(f"{_key(group)}/proxy" for group in proxied)
    yield Link(LinkKind.CALL, "requests", meaning, (_SERVE,), targets)
    routed = [item for item in _applications(workload) if item.route_prefix]
    if routed:
        meaning = f"to {listed(f'{item.name} at {item.route_prefix}' for item in routed)}"
        targets = tuple(f"kuberay/application/{item.name}" for item in routed)
        yield Link(LinkKind.CALL, "routes", meaning, (_SERVE,), targets)


def _remarks(plan: RayPlan) -> Iterator[str]:
    if plan.cluster.is_scaled and plan.is_own:
        yield "Ray's autoscaler decides how many workers there are, within the bounds."
    if plan.kind == JOB and plan.mode != K8S_JOB:
        yield f"There is no Job that submits it ({plan.mode})."
