"""The preview of an InferenceService: every component that gets a workload of its own."""

import json
from collections.abc import Iterator

from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH, NEWEST
from renderer.backends.kserve.inference_service import InferenceService as Service
from renderer.backends.kserve.merged_container import serving_container
from renderer.backends.kserve.preview.addresses import (
    UNKNOWN_MODEL,
    find_addresses,
    model_name,
    protocol,
)
from renderer.backends.kserve.preview.entrance import DOMAIN
from renderer.backends.kserve.preview.plan import Part, ServicePlan, plan_service
from renderer.backends.kserve.preview.pod import called_container, make_pod
from renderer.backends.kserve.preview.summaries import previewed
from renderer.backends.kserve.preview.template import serves_many, source_of
from renderer.backends.kserve.preview.workloads import make_workload, sole_objects
from renderer.kubernetes.data import Data, number
from renderer.text.expressions import expression
from renderer.values.derivations import Applied, Derivation, DerivedUnit

_BRACES = expression(r"\{\{[^{}]{0,80}\}?\}?")
_UNREADY = "KServe finds no container for the model there"


def derive(applied: Applied, _former: Derivation | None) -> Derivation:
    """The components of a service at the destination that it goes to."""
    return Derivation(tuple(preview_units(applied)))


def preview_units(applied: Applied) -> Iterator[DerivedUnit]:
    """The components of a service at the destination that it goes to."""
    service = Service.of(applied.spec, applied.environment)
    where = service.destination.name if service.destination else ""
    if service.mode == MODEL_MESH:
        problem = "ModelMesh is run by a controller of its own"
        yield DerivedUnit(where, "predictor", problem=problem)
        return
    plan = plan_service(applied)
    for part in plan.parts:
        if problem := _problem(plan, part):
            yield DerivedUnit(where, part.unit, problem=problem)
        else:
            yield _unit(where, plan, part)


def _problem(plan: ServicePlan, part: Part) -> str:
    """Why nothing is made of a component."""
    if plan.is_stopped:
        return "the service is stopped (annotation serving.kserve.io/stop)"
    if part.model and not part.begun.spec:
        return f"the containers of the runtime {part.begun.name!r} are not known here"
    if part.model and part.begun.container("kserve-container") is None:
        return f"the runtime {part.begun.name!r} has no kserve-container: {_UNREADY}"
    if left := _template_in(plan, part):
        return f"{left!r} is read as a template, and is no placeholder that is known here"
    return ""


def _template_in(plan: ServicePlan, part: Part) -> str:
    """What KServe takes for a template, and none of its plain placeholders."""
    if not part.model:
        return ""
    filled = json.dumps(serving_container(part.begun, part.model, plan.metadata))
    found = _BRACES.search(filled)
    return found[0] if found else ""


def _unit(where: str, plan: ServicePlan, part: Part) -> DerivedUnit:
    container = called_container(make_pod(plan, part))
    objects = [*make_workload(plan, part), *(sole_objects(plan) if part is plan.entry else ())]
    return DerivedUnit(
        where,
        part.unit,
        objects=tuple(previewed(item, part) for item in objects),
        addresses=tuple(find_addresses(plan, part, container)),
        notes=tuple(_notes(plan, part, container)),
    )


def _notes(plan: ServicePlan, part: Part, container: Data) -> Iterator[str]:
    if part is plan.entry:
        yield (
            f"{DOMAIN}, the images of KServe's own containers and their amounts are those of the "
            "configuration that KServe ships; a cluster may have others (inferenceservice-config)"
        )
    if not plan.dialect.knows(NEWEST) and part.model and part.begun.name.startswith("kserve-"):
        yield "the containers of shipped runtimes are those of KServe 0.20, with this version's tag"
    if plan.mode == KNATIVE:
        yield "Knative adds its queue-proxy to each pod, which is not shown"
    yield from _traffic(plan, part)
    if part.model and serves_many(part):
        yield "there is no storage: KServe makes a server of several models, told of them later"
    if source_of(part).startswith(("s3://", "gs://")):
        account = part.fields.get("serviceAccountName") or "default"
        yield f"whoever downloads the model gets what secrets the ServiceAccount {account} has"
    if "workerSpec" in part.fields:
        yield "the Deployment of workers on other nodes is not shown"
    if model_name(plan, part, container) == UNKNOWN_MODEL:
        yield f"{part.begun.server} takes the names of models from their files: {UNKNOWN_MODEL}"
    if protocol(part, container) in ("v1", "v2"):
        yield "the example of a request has the form of the protocol; shapes are the model's own"


def _traffic(plan: ServicePlan, part: Part) -> Iterator[str]:
    share = number(part.fields, "canaryTrafficPercent")
    if plan.mode == KNATIVE and share is not None:
        yield (
            f"{share} % go to a new revision while an older one is known; the first one gets all"
        )
    if part.is_canary:
        yield (
            f"{part.percent} % are meant for it; observed: KServe 0.20.0 sends all to the "
            "predictor, by Ingress and Gateway API alike; this one has its own Service only"
        )
        yield "its autoscaler has no owner, and stays behind when the canary goes (observed)"
