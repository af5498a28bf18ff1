"""What pictures say of an LLM service: router, scheduler, pool, and the pods of each role."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from renderer.backends.kserve.derive.addresses import CLUSTER
from renderer.backends.kserve.llm.derive.plan import (
    MAIN,
    SCHEDULER_UNIT,
    LlmPlan,
    Workload,
    plan_llm,
    used_configs,
)
from renderer.backends.kserve.llm.derive.routing import has_managed_route
from renderer.backends.kserve.llm.derive.workloads import bounds
from renderer.backends.kserve.llm.service import LLM_CONFIG, PREFILL
from renderer.derive.drawn_units import images, namespace_place
from renderer.derive.pods import bounds_text, pod_amounts, unit_bounds
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

_ROUTER, _GATEWAY, _ROUTE, _POOL = "router", "router/gateway", "router/route", "router/pool"
_WORKERS, _PICKS = "workers", "scheduler/picks"
_GROUPS = "A weight counts beside those of the other services of the group {}."
_GATEWAYS = (
    "The Gateway is the one of the configuration that KServe ships; a cluster may have another."
)


def draw_llm(applied: Applied, derivation: Derivation) -> DrawnSpec:
    """One service: how requests come in, what picks a pod, and which pods answer."""
    plan, place = plan_llm(applied), namespace_place(applied)
    workloads = {workload.unit: workload for workload in plan.workloads()}
    runs = all(unit.pods for unit in derivation.units)
    drawn = list(_draw_router(plan, place)) if runs else []
    for unit in derivation.units:
        workload = workloads.get(unit.unit)
        if workload:
            drawn.append(_draw_workload(plan, workload, unit, place))
        else:
            drawn.append(_draw_scheduler(plan, unit, place))
    return DrawnSpec(
        f"{counted(len(derivation.units), 'role')}, KServe {plan.cluster.dialect}",
        place,
        tuple(drawn),
        tuple(_configurations(applied, plan)),
        (str(plan.model.get("uri") or "a model of its configurations"),),
        links=tuple(_links(plan, drawn)) if runs else (),
        remarks=tuple(_remarks(plan)),
        unit_noun="role",
    )


def _draw_router(plan: LlmPlan, place: Place) -> Iterator[DrawnUnit]:
    """Gateways, route and pool: what requests pass before they reach a pod."""
    rows = [*_gateway_rows(plan), *_route_rows(plan), *_pool_row(plan)]
    if rows:
        way = "through the gateway" if _has_route(plan) else "without a route"
        exposure = Exposure.ANYWHERE if _has_route(plan) else Exposure.OTHERS
        row = PictureRow(_ROUTER, _ROUTER, _share(plan), note=way, exposure=exposure)
        yield DrawnUnit(Card(_ROUTER, rows=tuple(rows)), row, place)


def _has_route(plan: LlmPlan) -> bool:
    return "route" in plan.router


def _gateway_rows(plan: LlmPlan) -> Iterator[PictureRow]:
    """Those that the route names, as far as KServe makes it, else those of the spec."""
    parents = items(mapping(plan.router, "route", "http", "spec"), "parentRefs")
    for index, item in enumerate(parents or items(mapping(plan.router, "gateway"), "refs")):
        name = f"{item.get('namespace') or plan.namespace}/{item.get('name')}"
        exposure = Exposure.ANYWHERE if _has_route(plan) else Exposure.NOWHERE
        key, note = f"{_GATEWAY}/{index}", "must be there"
        yield PictureRow(key, f"Gateway {name}", note=note, exposure=exposure)


def _route_rows(plan: LlmPlan) -> Iterator[PictureRow]:
    if has_managed_route(plan):
        path = f"/{plan.namespace}/{plan.name}/v1"
        name = plan.child("-kserve-route")
        exposure = Exposure.ANYWHERE
        yield PictureRow(f"{_ROUTE}/0", f"HTTPRoute {name}", _share(plan), path, "", exposure)
        return
    refs = items(mapping(plan.router, "route", "http"), "refs")
    for index, item in enumerate(refs):
        title, note = f"HTTPRoute {item.get('name')}", "must be there"
        yield PictureRow(f"{_ROUTE}/{index}", title, note=note, exposure=Exposure.ANYWHERE)


def _share(plan: LlmPlan) -> str:
    """The weight of a service beside others of its group."""
    route = mapping(plan.router, "route")
    group, weight = route.get("group"), number(route, "weight")
    return f"weight {weight} in {group}" if group and weight is not None else ""


def _pool_row(plan: LlmPlan) -> Iterator[PictureRow]:
    if "scheduler" in plan.router:
        note = "" if plan.scheduler is not None else "must be there"
        yield PictureRow(_POOL, f"InferencePool {plan.pool}", note=note, exposure=Exposure.OTHERS)


def _draw_workload(plan: LlmPlan, workload: Workload, unit: DerivedUnit, place: Place) -> DrawnUnit:
    role = "decode" if plan.has_prefill and not workload.is_prefill else ""
    tags, size = (role,) if role else (), _size(workload)
    title = f"{unit.unit} ({role})" if role else unit.unit
    exposure = Exposure.NOWHERE if workload.is_prefill else Exposure.OTHERS
    row = PictureRow(unit.unit, title, size, note=_devices(unit), exposure=exposure)
    if not unit.pods:
        return DrawnUnit(Card(unit.unit, tags, (unit.problem,)), row, place, unit)
    shape = _shape(mapping(workload.fields, "parallelism"))
    lines = filter(None, (*images(unit), size, _devices(unit), shape, *_model_lines(plan)))
    rows = (_first_row(workload, unit), *_worker_row(workload, unit))
    return DrawnUnit(Card(unit.unit, tags, tuple(lines), rows), row, place, unit)


def _size(workload: Workload) -> str:
    """How many servers there are; one over several nodes is a group of pods."""
    counts, _ = bounds(workload)
    if not workload.is_spread:
        return bounds_text(counts, "replica")
    return f"{bounds_text(counts, 'group')} of {counted(workload.size, 'pod')}"


def _devices(unit: DerivedUnit) -> str:
    """`1 GPU each`: what a pod asks for beside cpu and memory."""
    amounts = pod_amounts(unit.pods[0].spec) if unit.pods else {}
    found = [
        counted(int(amount), "GPU") if name.endswith("/gpu") else f"{amount:f} {name}"
        for name, amount in amounts.items()
        if "/" in name
    ]
    return f"{listed(found)} each" if found else ""


def _shape(parallelism: Data) -> str:
    """`tensor 4, data 16, 8 on a node`."""
    parts = [
        f"{key} {parallelism[key]}"
        for key in ("tensor", "pipeline", "data")
        if parallelism.get(key)
    ]
    local = number(parallelism, "dataLocal")
    return ", ".join([*parts, f"{local} on a node"] if local else parts)


def _model_lines(plan: LlmPlan) -> Iterator[str]:
    if uri := plan.model.get("uri"):
        yield str(uri)
    if names := [str(item.get("name")) for item in plan.adapters]:
        yield f"LoRA {listed(names)}"


def _first_row(workload: Workload, unit: DerivedUnit) -> PictureRow:
    """Where the pods of a role are called."""
    if workload.is_prefill:
        return PictureRow(PREFILL, "prompts", note="asked by main", exposure=Exposure.OTHERS)
    address = unit.addresses[-1].url if unit.addresses else ""
    host = urlsplit(address).netloc
    note = "the leader of each group" if workload.is_spread else ""
    return PictureRow(MAIN, "requests", "http", host, note, Exposure.OTHERS)


def _worker_row(workload: Workload, unit: DerivedUnit) -> Iterator[PictureRow]:
    if workload.is_spread and workload.size > 1:
        note = f"{counted(workload.size - 1, 'pod')} of each group"
        yield PictureRow(f"{unit.unit}/{_WORKERS}", _WORKERS, note=note)


def _draw_scheduler(plan: LlmPlan, unit: DerivedUnit, place: Place) -> DrawnUnit:
    count = bounds_text(unit_bounds(unit), "replica")
    row = PictureRow(SCHEDULER_UNIT, SCHEDULER_UNIT, count, exposure=Exposure.OTHERS)
    if not unit.pods:
        return DrawnUnit(Card(unit.unit, lines=(unit.problem,)), row, place, unit)
    service = next(item for item in unit.objects if item.kind == "Service")
    address = f"{service.name}.{plan.namespace}.{CLUSTER}"
    picks = PictureRow(_PICKS, "picks a pod", "grpc", address, exposure=Exposure.OTHERS)
    return DrawnUnit(Card(unit.unit, (), (*images(unit), count), (picks,)), row, place, unit)


def _configurations(applied: Applied, plan: LlmPlan) -> Iterator[SharedThing]:
    """What the service is laid over and is not shipped: of the repository, or of the cluster."""
    own = {name: kind for kind, _, name in used_configs(applied, plan)}
    for layer in plan.effective.layers:
        if layer.name in own or not layer.is_preset:
            note = "applied here" if layer.name in own else "is there already"
            yield SharedThing(LLM_CONFIG, layer.name, note, "configures", (MAIN,))


def _links(plan: LlmPlan, drawn: list[DrawnUnit]) -> Iterator[Link]:
    rows = [row.key for item in drawn for row in item.card.rows]
    gateways = tuple(key for key in rows if key.startswith(_GATEWAY))
    routes = tuple(key for key in rows if key.startswith(_ROUTE))
    end = "the pool" if _POOL in rows else MAIN
    if gateways and routes:
        targets = routes if _POOL in rows else (*routes, MAIN)
        meaning = f"come through the gateway, and the route leads them to {end}"
        yield Link(LinkKind.CALL, "requests", meaning, gateways, targets)
    elif routes:
        target = _POOL if _POOL in rows else MAIN
        yield Link(LinkKind.CALL, "requests", f"the route leads them to {end}", routes, (target,))
    if _POOL in rows:
        names = [item.unit for item in plan.workloads()]
        yield Link(
            LinkKind.MEMBERS, "pool", f"has the pods of {listed(names)}", (_POOL,), (*names,)
        )
    if _PICKS in rows and gateways:
        meaning = "says to the gateway which pod of the pool gets a request"
        yield Link(LinkKind.CALL, SCHEDULER_UNIT, meaning, gateways, (_PICKS,))
    if plan.has_prefill:
        yield Link(LinkKind.CALL, PREFILL, "reads prompts for main", (MAIN,), (PREFILL,))
    for name in (MAIN, PREFILL):
        if (workers := f"{name}/{_WORKERS}") in rows:
            yield Link(
                LinkKind.CALL, f"{name}", "leaders work with their workers", (name,), (workers,)
            )


def _remarks(plan: LlmPlan) -> Iterator[str]:
    if group := mapping(plan.router, "route").get("group"):
        yield _GROUPS.format(group)
    if has_managed_route(plan) and not (plan.cluster.is_own or mapping(plan.router, "gateway")):
        yield _GATEWAYS
