"""An InferenceService as a picture: its components, the runtime they use, and the traffic."""

from collections.abc import Iterator

from renderer.backends.kserve.annotations import AUTOSCALER
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.inference_service import TRANSFORMER, InferenceService
from renderer.backends.kserve.preview.addresses import protocol
from renderer.backends.kserve.preview.entrance import local_host, outer_host
from renderer.backends.kserve.preview.plan import Part, ServicePlan, sketch_service
from renderer.backends.kserve.preview.pod import called_container, make_pod
from renderer.backends.kserve.preview.template import source_of
from renderer.backends.kserve.replicas import bounds_text, replica_bounds
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, SERVING_RUNTIME
from renderer.kubernetes.data import Data, mapping, number
from renderer.text.wording import counted, listed
from renderer.values.derivations import Applied, Derivation
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

_HISTORY = (
    "A new revision gets its share while an older one is known; the first one of all gets 100 %."
)
_MEANT = (
    "Shares of canaries are meant: KServe 0.20.0 sends all to the predictor (observed), and "
    "canaries are called at their own Services."
)


def draw_service(applied: Applied, _derivation: Derivation) -> Picture:
    """One service: where it goes, what runs there, and who calls whom."""
    spec, environment = applied.spec, applied.environment
    service = InferenceService.of(spec, environment)
    plan = sketch_service(service)
    cards = tuple(_card(plan, part) for part in plan.parts)
    group = Group(place_title(service), (service.mode,), tuple(_applied(service, plan)), cards)
    return Picture(
        f"{service.name} in {environment.name}",
        f"{counted(len(plan.parts), 'component')}, KServe {plan.dialect} {service.mode}",
        (group,),
        () if plan.mode == MODEL_MESH else tuple(_links(plan)),
        tuple(_remarks(plan)),
    )


def place_title(service: InferenceService) -> str:
    """The destination and the namespace there."""
    name = service.destination.name if service.destination else "no destination"
    return f"{name}, namespace {service.namespace}" if service.namespace else name


def runtime_note(service: InferenceService, name: str) -> str:
    """Where a runtime comes from."""
    kinds = (SERVING_RUNTIME, CLUSTER_RUNTIME)
    is_own = any(service.environment.spec_named(kind, name) for kind in kinds)
    return "applied here" if is_own else "is there already"


def _applied(service: InferenceService, plan: ServicePlan) -> Iterator[PictureRow]:
    title = f"InferenceService {service.name}"
    yield PictureRow("kserve/service", title, note="applied here")
    for name in dict.fromkeys(part.begun.name for part in plan.parts if part.begun.name):
        key, note = f"kserve/runtime/{name}", runtime_note(service, name)
        yield PictureRow(key, f"runtime {name}", note=note)


def _card(plan: ServicePlan, part: Part) -> Card:
    if plan.mode == MODEL_MESH:
        return Card(part.unit, (), tuple(_model_line(part)))
    tags = (f"{part.percent} %",) if part.is_canary else ()
    container = called_container(make_pod(plan, part))
    lines = [str(container.get("image") or "image of the runtime"), _replicas(plan, part)]
    lines += _model_line(part)
    return Card(part.unit, tags, tuple(lines), (_row(plan, part, container),))


def _model_line(part: Part) -> Iterator[str]:
    if uri := source_of(part):
        form = mapping(part.model, "modelFormat").get("name")
        yield f"{form} {uri}" if form else uri


def _row(plan: ServicePlan, part: Part, container: Data) -> PictureRow:
    """Where a component is called: from outside, if there is a way."""
    speaks = protocol(part, container)
    outer = outer_host(plan, part)
    if not outer:
        note, inner = "called in the cluster", local_host(plan, part)
        return PictureRow(_key(part), "requests", speaks, inner, note, Exposure.OTHERS)
    note = "through the ingress"
    return PictureRow(_key(part), "requests", speaks, outer, note, Exposure.ANYWHERE)


def _key(part: Part) -> str:
    return f"kserve/{part.unit}"


def _replicas(plan: ServicePlan, part: Part) -> str:
    least, most = number(part.fields, "minReplicas"), number(part.fields, "maxReplicas")
    kind = plan.metadata.annotations.get(AUTOSCALER, "")
    return bounds_text(replica_bounds(least, most, plan.mode, kind), "replica")


def _links(plan: ServicePlan) -> Iterator[Link]:
    yield from (*_runtime_links(plan), *_call_links(plan), *_traffic_links(plan))


def _runtime_links(plan: ServicePlan) -> Iterator[Link]:
    users: dict[str, list[Part]] = {}
    for part in plan.parts:
        if part.begun.name:
            users.setdefault(part.begun.name, []).append(part)
    for name, parts in users.items():
        meaning = f"serves the model of {listed(part.unit for part in parts)}"
        targets = tuple(map(_key, parts))
        yield Link(LinkKind.MEMBERS, name, meaning, (f"kserve/runtime/{name}",), targets)


def _call_links(plan: ServicePlan) -> Iterator[Link]:
    """A transformer or explainer asks the predictor."""
    for part in plan.parts[1:]:
        if not part.is_canary:
            verb = "prepares requests for" if part.kind == TRANSFORMER else "explains answers of"
            meaning = f"{verb} the predictor"
            yield Link(LinkKind.CALL, part.unit, meaning, (_key(part),), (_key(plan.predictor),))


def _traffic_links(plan: ServicePlan) -> Iterator[Link]:
    """How requests are shared out between the predictor and its canaries."""
    canaries = [part for part in plan.parts if part.is_canary]
    if not canaries:
        return
    rest = 100 - sum(part.percent or 0 for part in canaries)
    shares = [f"{rest} % to the predictor", *(f"{p.percent} % to {p.unit}" for p in canaries)]
    source = _key(plan.entry) if plan.has_transformer else "kserve/service"
    targets = (_key(plan.predictor), *map(_key, canaries))
    yield Link(LinkKind.CALL, "traffic", listed(shares), (source,), targets)


def _remarks(plan: ServicePlan) -> Iterator[str]:
    if plan.mode == MODEL_MESH:
        yield "ModelMesh is run by a controller of its own: what it starts is not known here."
        return
    if any(part.is_canary for part in plan.parts):
        yield _MEANT
    for part in plan.parts:
        share = number(part.fields, "canaryTrafficPercent")
        if plan.mode == KNATIVE and share is not None:
            yield f"{part.unit}: {share} % of the traffic are for the newest revision. {_HISTORY}"
    yield "Hosts have the domain of the configuration that KServe ships."
