"""An InferenceService as a picture: its components, the runtime they use, and the traffic."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from renderer.backends.kserve.components import TRANSFORMER
from renderer.backends.kserve.derive.addresses import protocol
from renderer.backends.kserve.derive.metadata import source_of
from renderer.backends.kserve.derive.pod import called_container
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload, plan_service
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.kubernetes.data import Data, mapping, number
from renderer.text.wording import counted, listed
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

_HISTORY = (
    "A new revision gets its share while an older one is known; the first one of all gets 100 %."
)
_MEANT = (
    "Shares of canaries are meant: KServe 0.20.0 sends all to the predictor (observed), and "
    "canaries are called at their own Services."
)


def draw_service(applied: Applied, derivation: Derivation) -> Picture:
    """One service: where it goes, what runs there, and who calls whom."""
    plan = plan_service(applied)
    pairs = list(zip(plan.workloads, derivation.units, strict=True))
    cards = tuple(_card(plan, workload, unit) for workload, unit in pairs)
    group = Group(place_title(applied), (plan.mode,), tuple(_applied_rows(plan)), cards)
    runs = all(unit.addresses for unit in derivation.units)
    return Picture(
        f"{applied.name} in {applied.environment.name}",
        f"{counted(len(plan.workloads), 'component')}, KServe {plan.dialect} {plan.mode}",
        (group,),
        tuple(_links(plan)) if runs else (),
        tuple(_remarks(plan)),
    )


def place_title(applied: Applied) -> str:
    """The destination and the namespace there."""
    name = applied.destination or "no destination"
    return f"{name}, namespace {applied.namespace}" if applied.namespace else name


def runtime_rows(plan: ServicePlan, prefix: str) -> Iterator[PictureRow]:
    """The runtimes of a service, and where they come from."""
    for workload in plan.workloads:
        if name := workload.runtime.name:
            is_own = workload.used is not None and workload.used.is_applied
            note = "applied here" if is_own else "is there already"
            yield PictureRow(f"{prefix}/runtime/{name}", f"runtime {name}", note=note)


def _applied_rows(plan: ServicePlan) -> Iterator[PictureRow]:
    title = f"InferenceService {plan.metadata.name}"
    yield PictureRow("kserve/service", title, note="applied here")
    yield from dict.fromkeys(runtime_rows(plan, "kserve"))


def _card(plan: ServicePlan, workload: Workload, unit: DerivedUnit) -> Card:
    tags = (f"{workload.percent} %",) if workload.is_canary else ()
    if not unit.pods:
        why = [] if plan.mode == MODEL_MESH else [unit.problem]
        return Card(workload.unit, tags, (*why, *_model_line(workload)))
    pod = unit.pods[0].spec.plain()
    container = called_container(pod if isinstance(pod, dict) else {})
    lines = (str(container.get("image")), bounds_text(unit_bounds(unit), "replica"))
    row = _row(workload, unit, container)
    return Card(workload.unit, tags, (*lines, *_model_line(workload)), (row,))


def _model_line(workload: Workload) -> Iterator[str]:
    if uri := source_of(workload):
        form = mapping(workload.model, "modelFormat").get("name")
        yield f"{form} {uri}" if form else uri


def _row(workload: Workload, unit: DerivedUnit, container: Data) -> PictureRow:
    """Where a component is called: from outside, if there is a way."""
    first = unit.addresses[0]
    speaks, host = protocol(workload, container), urlsplit(first.url).hostname or ""
    if not first.through:
        note = "called in the cluster"
        return PictureRow(_key(workload), "requests", speaks, host, note, Exposure.OTHERS)
    note = "through the ingress"
    return PictureRow(_key(workload), "requests", speaks, host, note, Exposure.ANYWHERE)


def _key(workload: Workload) -> str:
    return f"kserve/{workload.unit}"


def _links(plan: ServicePlan) -> Iterator[Link]:
    yield from (*_runtime_links(plan), *_call_links(plan), *_traffic_links(plan))


def _runtime_links(plan: ServicePlan) -> Iterator[Link]:
    users: dict[str, list[Workload]] = {}
    for workload in plan.workloads:
        if workload.runtime.name:
            users.setdefault(workload.runtime.name, []).append(workload)
    for name, workloads in users.items():
        meaning = f"serves the model of {listed(workload.unit for workload in workloads)}"
        targets = tuple(map(_key, workloads))
        yield Link(LinkKind.MEMBERS, name, meaning, (f"kserve/runtime/{name}",), targets)


def _call_links(plan: ServicePlan) -> Iterator[Link]:
    """A transformer or explainer asks the predictor."""
    target = (_key(plan.predictor),)
    for workload in plan.workloads[1:]:
        if not workload.is_canary:
            is_first = workload.kind == TRANSFORMER
            verb = "prepares requests for" if is_first else "explains answers of"
            meaning = f"{verb} the predictor"
            yield Link(LinkKind.CALL, workload.unit, meaning, (_key(workload),), target)


def _traffic_links(plan: ServicePlan) -> Iterator[Link]:
    """How requests are meant to be shared."""
    canaries = [workload for workload in plan.workloads if workload.is_canary]
    if not canaries:
        return
    rest = 100 - sum(workload.percent or 0 for workload in canaries)
    shares = [f"{rest} % to the predictor", *(f"{p.percent} % to {p.unit}" for p in canaries)]
    source = _key(plan.entry) if plan.has_transformer else "kserve/service"
    targets = (_key(plan.predictor), *map(_key, canaries))
    yield Link(LinkKind.CALL, "traffic", listed(shares), (source,), targets)


def _remarks(plan: ServicePlan) -> Iterator[str]:
    if plan.mode == MODEL_MESH:
        yield "ModelMesh is run by a controller of its own: what it starts is not known here."
        return
    if any(workload.is_canary for workload in plan.workloads):
        yield _MEANT
    for workload in plan.workloads:
        share = number(workload.fields, "canaryTrafficPercent")
        if plan.mode == KNATIVE and share is not None:
            words = f"{share} % of the traffic are for the newest revision"
            yield f"{workload.unit}: {words}. {_HISTORY}"
    yield "Hosts have the domain of the configuration that KServe ships."
