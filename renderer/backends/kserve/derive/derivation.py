"""What becomes of an InferenceService: every component that gets a workload of its own."""

import json
from collections.abc import Iterator

from renderer.backends.kserve.components import components
from renderer.backends.kserve.derive.addresses import (
    DOMAIN,
    UNKNOWN_MODEL,
    find_addresses,
    model_name,
    protocol,
)
from renderer.backends.kserve.derive.metadata import serves_many_models, storage_uri
from renderer.backends.kserve.derive.pod import called_container, make_pod
from renderer.backends.kserve.derive.problems import find_problems
from renderer.backends.kserve.derive.service_plan import (
    ServicePlan,
    Workload,
    applied_mode,
    is_frozen,
    plan_service,
)
from renderer.backends.kserve.derive.summaries import summarise
from renderer.backends.kserve.derive.workloads import make_workload, service_objects
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH, NEWEST
from renderer.backends.kserve.merged_container import serving_container
from renderer.kubernetes.data import Data, number
from renderer.text.expressions import expression
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit, Pods
from renderer.values.tree import Node

_BRACES = expression(r"\{\{[^{}]{0,80}\}?\}?")
_UNREADY = "KServe finds no container for the model there"
_STOPPED = "the {} is stopped (annotation serving.kserve.io/stop)"
_OTHER_CONTROLLER = "ModelMesh is run by a controller of its own"
_WORKERS = "the Deployment of workers on other nodes is not known here"
_ALL = 100


def derive(applied: Applied, former: Derivation | None) -> Derivation:
    """The components of a service where it is applied.

    With the annotation disable-auto-update KServe does not update a service once it is ready.
    """
    if applied_mode(applied) == MODEL_MESH:
        return Derivation(tuple(_unknown_units(applied)), gap=_OTHER_CONTROLLER)
    plan = plan_service(applied, former.source if former else None)
    if former and is_frozen(applied):
        return former._replace(problems=tuple(find_problems(applied, plan, (), former)))
    known = {unit.unit: unit for unit in former.units} if former else {}
    units = tuple(
        _derive_unit(applied, plan, item, known.get(item.unit)) for item in plan.workloads
    )
    if former:
        units = tuple(_keep_ingress_metadata(unit, former) for unit in units)
    problems = tuple(find_problems(applied, plan, units, former))
    return Derivation(units, problems, next(_gaps(plan), ""))


def _unknown_units(applied: Applied) -> Iterator[DerivedUnit]:
    for part in components(applied.tree.get("spec") or Node({}, applied.tree.origin)):
        path = ("spec", *part.path)
        yield DerivedUnit(applied.destination, part.unit, problem=_OTHER_CONTROLLER, path=path)


def _gaps(plan: ServicePlan) -> Iterator[str]:
    for workload in plan.workloads:
        if workload.model and not workload.runtime.spec:
            yield _unknown_runtime(workload)
        if "workerSpec" in workload.fields:
            yield _WORKERS


def _unknown_runtime(workload: Workload) -> str:
    name = workload.runtime.name
    whose = f"the runtime {name!r}" if name else "the runtime that KServe chooses"
    return f"the containers of {whose} are not known here"


def _derive_unit(
    applied: Applied, plan: ServicePlan, workload: Workload, former: DerivedUnit | None
) -> DerivedUnit:
    """A component; where there is no such runtime, what runs stays as it was."""
    bare = DerivedUnit(
        applied.destination, workload.unit, path=workload.path, needs=plan.needs(workload)
    )
    if plan.stops(workload):
        whose = "service" if plan.is_stopped else workload.kind
        return bare._replace(problem=_STOPPED.format(whose))
    if workload.model and workload.used is None and former and former.objects:
        return former._replace(path=bare.path, needs=bare.needs)
    if problem := _problem(plan, workload):
        return bare._replace(problem=problem)
    pod = make_pod(plan, workload)
    container = called_container(pod)
    content = [
        *make_workload(plan, workload, pod),
        *(service_objects(plan) if workload is plan.entry else ()),
    ]
    objects = tuple(summarise(item, workload) for item in content)
    return bare._replace(
        pods=_pods(plan, workload, objects, former),
        objects=objects,
        addresses=tuple(find_addresses(plan, workload, container)),
        notes=tuple(_notes(plan, workload, container)),
    )


def _keep_ingress_metadata(unit: DerivedUnit, former: Derivation) -> DerivedUnit:
    """KServe compares only the rules of an Ingress: its labels and annotations stay (observed)."""
    known = {
        item.identity: item.tree.items["metadata"]
        for other in former.units
        for item in other.objects
        if item.kind == "Ingress"
    }
    objects = tuple(
        item._replace(tree=item.tree.with_members({**item.tree.items, "metadata": about}))
        if (about := known.get(item.identity))
        else item
        for item in unit.objects
    )
    return unit._replace(objects=objects)


def _problem(plan: ServicePlan, workload: Workload) -> str:
    """Why nothing is made of a component."""
    runtime = workload.runtime
    if workload.model and runtime.spec and runtime.container("kserve-container") is None:
        return f"the runtime {runtime.name!r} has no kserve-container: {_UNREADY}"
    if left := _unknown_template(plan, workload):
        return f"{left!r} is read as a template, and is no placeholder that is known here"
    return ""


def _unknown_template(plan: ServicePlan, workload: Workload) -> str:
    """What KServe takes for a template, and none of its plain placeholders."""
    if not workload.model:
        return ""
    filled = json.dumps(serving_container(workload.runtime, workload.model, plan.metadata))
    found = _BRACES.search(filled)
    return found[0] if found else ""


def _pods(
    plan: ServicePlan,
    workload: Workload,
    objects: tuple[DerivedObject, ...],
    former: DerivedUnit | None,
) -> tuple[Pods, ...]:
    """The pods as they are created; while requests are split, those of an older revision too."""
    created = next((item.tree for item in objects if item.kind == "Pod"), None)
    spec = created.get("spec") if created else objects[0].tree.get("spec", "template", "spec")
    least, most = plan.bounds(workload)
    start = plan.start(workload)
    if plan.is_scaled_elsewhere(workload) and former and former.pods:
        least, most, start, *_ = former.pods[-1]  # as many as there are when it is applied
    strategy = objects[0].tree.get("spec", "strategy")
    surge = strategy.get("rollingUpdate", "maxSurge") if strategy else None
    kind = strategy.get("type") if strategy else None
    pods = Pods(
        least,
        most,
        start,
        spec or objects[0].tree,
        str(surge.value) if surge else "",
        stop_first=kind is not None and kind.value == "Recreate",
        shares_requests=plan.mode == KNATIVE,
    )
    share = number(workload.fields, "canaryTrafficPercent")
    if plan.mode != KNATIVE or share is None or share >= _ALL:
        return (pods,)
    return pods, former.pods[-1] if former and former.pods else pods


def _notes(plan: ServicePlan, workload: Workload, container: Data) -> Iterator[str]:
    if workload is plan.entry:
        yield (
            f"{DOMAIN}, the images of KServe's own containers and their amounts are those of the "
            "configuration that KServe ships; a cluster may have others (inferenceservice-config)"
        )
    if workload.model and not workload.runtime.spec:
        yield _unknown_runtime(workload)
    is_shipped = workload.model and workload.runtime.name.startswith("kserve-")
    if is_shipped and not plan.dialect.knows(NEWEST):
        yield "the containers of shipped runtimes are those of KServe 0.20, with this version's tag"
    if plan.mode == KNATIVE:
        yield "Knative adds its queue-proxy to each pod, which is not shown"
    yield from _traffic(plan, workload)
    if workload.model and serves_many_models(workload):
        yield "there is no storage: KServe makes a server of several models, told of them later"
    if storage_uri(workload).startswith(("s3://", "gs://")):
        account = workload.fields.get("serviceAccountName") or "default"
        yield f"whoever downloads the model gets what secrets the ServiceAccount {account} has"
    if "workerSpec" in workload.fields:
        yield _WORKERS
    if model_name(plan, workload, container) == UNKNOWN_MODEL:
        server = workload.runtime.server
        yield f"{server} takes the names of models from their files: {UNKNOWN_MODEL}"
    if protocol(workload, container) in ("v1", "v2"):
        yield "the example of a request has the form of the protocol; shapes are the model's own"


def _traffic(plan: ServicePlan, workload: Workload) -> Iterator[str]:
    share = number(workload.fields, "canaryTrafficPercent")
    if plan.mode == KNATIVE and share is not None:
        yield (
            f"{share} % go to a new revision while an older one is known; the first one gets all"
        )
    if workload.is_canary:
        yield (
            f"{workload.percent} % are meant for it; observed: KServe 0.20.0 sends all to the "
            "predictor, by Ingress and Gateway API alike; this one has its own Service only"
        )
        yield "its autoscaler has no owner, and stays behind when the canary goes (inferred)"
