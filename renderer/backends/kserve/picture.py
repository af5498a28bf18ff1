"""What pictures say of an InferenceService: its components, their runtimes, and the traffic."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from renderer.backends.kserve.components import PREDICTOR, TRANSFORMER
from renderer.backends.kserve.derive.addresses import protocol
from renderer.backends.kserve.derive.metadata import storage_uri
from renderer.backends.kserve.derive.pod import called_container
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload, plan_service
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.model_storage.picture import draw_models, loading_link
from renderer.derive.drawn_units import namespace_place
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.kubernetes.data import Data, mapping, number
from renderer.text.wording import counted, listed
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.picture import (
    APPLIED,
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

_HISTORY = (
    "A new revision gets its share while an older one is known; the first one of all gets 100 %."
)
_MEANT = (
    "Shares of canaries are meant: KServe 0.20.0 sends all to the predictor (observed), and "
    "canaries are called at their own Services."
)


def draw_service(applied: Applied, derivation: Derivation) -> DrawnSpec:
    """One service: what runs, which runtimes it uses, and who calls whom."""
    plan = plan_service(applied)
    place = namespace_place(applied, plan.mode)
    pairs = zip(plan.workloads, derivation.units, strict=True)
    models = tuple(draw_models(applied, place))
    runs = all(unit.addresses for unit in derivation.units)
    return DrawnSpec(
        f"{counted(len(plan.workloads), 'component')}, KServe {plan.dialect} {plan.mode}",
        place,
        (*(_draw_component(plan, workload, unit, place) for workload, unit in pairs), *models),
        tuple(_runtimes(plan)),
        tuple(_model_lines(plan.predictor.model)),
        links=(*_call_links(plan), *_traffic_links(plan), *loading_link(PREDICTOR, models))
        if runs
        else (),
        remarks=tuple(_remarks(plan)),
        unit_noun="component",
    )


def _draw_component(
    plan: ServicePlan, workload: Workload, unit: DerivedUnit, place: Place
) -> DrawnUnit:
    share = _share(plan, workload)
    is_first = workload.unit == PREDICTOR
    row = PictureRow(
        workload.unit,
        workload.unit,
        share,
        note="run by ModelMesh" if plan.mode == MODEL_MESH else _replicas(unit),
        exposure=Exposure.ANYWHERE if is_first else Exposure.OTHERS,
    )
    tags, source = (share,) if share else (), tuple(_source_line(workload))
    if not unit.pods:
        why = () if plan.mode == MODEL_MESH else (unit.problem,)
        return DrawnUnit(Card(workload.unit, tags, (*why, *source)), row, place, unit)
    pod = unit.pods[0].spec.plain()
    container = called_container(pod if isinstance(pod, dict) else {})
    lines = (str(container.get("image")), _replicas(unit), *source)
    rows = (_request_row(workload, unit, container),)
    return DrawnUnit(Card(workload.unit, tags, lines, rows), row, place, unit)


def _share(plan: ServicePlan, workload: Workload) -> str:
    """The percentage of traffic that a canary, or the newest revision, is meant to get."""
    share = workload.percent
    if share is None and plan.mode == KNATIVE:
        share = number(workload.fields, "canaryTrafficPercent")
    return "" if share is None else f"{share} %"


def _replicas(unit: DerivedUnit) -> str:
    return bounds_text(unit_bounds(unit), "replica")


def _source_line(workload: Workload) -> Iterator[str]:
    if uri := storage_uri(workload):
        form = mapping(workload.model, "modelFormat").get("name")
        yield f"{form} {uri}" if form else uri


def _request_row(workload: Workload, unit: DerivedUnit, container: Data) -> PictureRow:
    """Where a component is called: from outside, if there is a way."""
    first = unit.addresses[0]
    note, exposure = "called in the cluster", Exposure.OTHERS
    if first.through:
        note, exposure = "through the ingress", Exposure.ANYWHERE
    host = urlsplit(first.url).hostname or ""
    speaks = protocol(workload, container)
    return PictureRow(workload.unit, "requests", speaks, host, note, exposure)


def _runtimes(plan: ServicePlan) -> Iterator[SharedThing]:
    users: dict[str, list[Workload]] = {}
    for workload in plan.workloads:
        if workload.runtime.name:
            users.setdefault(workload.runtime.name, []).append(workload)
    for name, workloads in users.items():
        is_own = any(workload.used and workload.used.is_applied for workload in workloads)
        note = "applied here" if is_own else "is there already"
        units = tuple(workload.unit for workload in workloads)
        yield SharedThing("runtime", name, note, "serves the model of", units)


def _model_lines(model: Data) -> Iterator[str]:
    form = mapping(model, "modelFormat")
    own = f"{form.get('name')} {form.get('version') or ''}".strip()
    yield own if model else "containers of their own"
    yield f"protocol {model.get('protocolVersion') or 'v1'}"


def _call_links(plan: ServicePlan) -> Iterator[Link]:
    """A transformer or explainer asks the predictor."""
    for workload in plan.workloads[1:]:
        if not workload.is_canary:
            is_first = workload.kind == TRANSFORMER
            verb = "prepares requests for" if is_first else "explains answers of"
            meaning, source = f"{verb} the predictor", (workload.unit,)
            yield Link(LinkKind.CALL, workload.unit, meaning, source, (PREDICTOR,))


def _traffic_links(plan: ServicePlan) -> Iterator[Link]:
    """How requests are meant to be shared."""
    canaries = [workload for workload in plan.workloads if workload.is_canary]
    if not canaries:
        return
    rest = 100 - sum(workload.percent or 0 for workload in canaries)
    shares = [f"{rest} % to the predictor", *(f"{p.percent} % to {p.unit}" for p in canaries)]
    source = plan.entry.unit if plan.has_transformer else APPLIED
    targets = (PREDICTOR, *(workload.unit for workload in canaries))
    yield Link(LinkKind.CALL, "traffic", listed(shares), (source,), targets)


def _remarks(plan: ServicePlan) -> Iterator[str]:
    if plan.mode == MODEL_MESH:
        yield "ModelMesh is run by a controller of its own: what it starts is not known here."
        return
    if any(workload.is_canary for workload in plan.workloads):
        yield _MEANT
    for workload in plan.workloads:
        share = _share(plan, workload)
        if share and not workload.is_canary:
            yield f"{workload.unit}: {share} of the traffic are for the newest revision. {_HISTORY}"
    yield "Hosts have the domain of the configuration that KServe ships."
