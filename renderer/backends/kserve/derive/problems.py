"""Why a service is not followed: what webhooks refuse, and what the controller fails at."""

from collections.abc import Iterator

from renderer.backends.kserve.components import MODE, PREDICTOR
from renderer.backends.kserve.derive.service_plan import (
    ServicePlan,
    Workload,
    applied_mode,
    is_frozen,
)
from renderer.backends.kserve.dialect import KNATIVE, OLD_MODES, STANDARD
from renderer.backends.kserve.model import find_model
from renderer.backends.kserve.selection import unfit_reason
from renderer.kubernetes.data import Data, items, mapping
from renderer.kubernetes.quantities import value
from renderer.values.derivations import Applied, Derivation, DerivedUnit, Problem
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

_PREDICTOR: Path = ("spec", PREDICTOR)
_OTHER_NAME = "Keep the mode, or add the service under another name and switch its callers."
_CORRECT = "Correct it before it is merged."
_KEEP = "Keep the runtime until no service names it."


def find_problems(
    applied: Applied, plan: ServicePlan, units: tuple[DerivedUnit, ...], former: Derivation | None
) -> Iterator[Problem]:
    """What the webhook refuses of the update, else what the controller fails at."""
    refused = next(_refusals(applied, plan, former.source if former else None), None)
    if refused:
        yield refused
    elif not plan.is_stopped and not (former and is_frozen(applied)):
        yield from _obstacles(applied, plan, units, former)


def _refusals(applied: Applied, plan: ServicePlan, former: Applied | None) -> Iterator[Problem]:
    given = OLD_MODES.get(applied.annotation(MODE), applied.annotation(MODE))
    mode = applied_mode(former) if former else ""
    if mode and given and given != mode:
        reason = f"deploymentMode cannot be changed from {mode} to {given}"
        yield _refusal(reason, _OTHER_NAME, ("metadata", "annotations", MODE))
    if former and _is_renamed_alone(former, applied):
        reason = "`predictor.name` changes only together with the model's storageUri"
        yield _refusal(reason, "Give it another storageUri, or keep it.", (*_PREDICTOR, "name"))
    for workload in plan.workloads if plan.mode == KNATIVE else ():
        if workload.is_canary:
            reason = f"`canary` is only for the mode {STANDARD}"
            yield _refusal(reason, "Use canaryTrafficPercent.", ("spec", "canary"))
        if "deploymentStrategy" in workload.fields:
            reason = f"`deploymentStrategy` is only for the mode {STANDARD}"
            yield _refusal(reason, "Remove it.", (*workload.component_path, "deploymentStrategy"))


def _refusal(reason: str, remedy: str, path: Path) -> Problem:
    return Problem(reason, path, remedy, refused=True)


def _is_renamed_alone(old: Applied, new: Applied) -> bool:
    """Whether a predictor has another name for the same model."""
    before, after = (side.tree.get(*_PREDICTOR) for side in (old, new))
    return _text(before, "name") != _text(after, "name") and _uri(before) == _uri(after)


def _uri(predictor: Node | None) -> str:
    model = find_model(predictor) if predictor else None
    return _text(model.node if model else None, "storageUri")


def _text(node: Node | None, key: str) -> str:
    found = node.get(key) if node else None
    return str(found.value) if found else ""


def _obstacles(
    applied: Applied, plan: ServicePlan, units: tuple[DerivedUnit, ...], former: Derivation | None
) -> Iterator[Problem]:
    """What keeps the controller from making a service; it stops at the first."""
    for workload in plan.workloads:
        if workload.model and workload.runtime.name and workload.used is None:
            if applied.environment.destinations:  # else it is not known which runtimes there are
                yield _missing_runtime(applied, workload, former)
                return
        elif workload.used and workload.used.fault:
            yield _failure(workload.used.fault, plan, workload)
            return
    if reason := _unfit_runtime(plan) or next(_excessive_requests(units), ""):
        yield _failure(reason, plan, plan.predictor)
    yield from (_limit_units(item, applied, plan) for item in applied.obstacles)


def _limit_units(problem: Problem, applied: Applied, plan: ServicePlan) -> Problem:
    """A problem of a component keeps it and those after it from being updated."""
    place = problem.path[1:2]
    kinds = [workload.kind for workload in plan.workloads]
    if place and place[0] in kinds:
        behind = plan.workloads[kinds.index(str(place[0])) :]
        units = tuple((applied.destination, workload.unit) for workload in behind)
        return problem._replace(units=units)
    return problem


def _failure(reason: str, plan: ServicePlan, workload: Workload) -> Problem:
    return Problem(reason, _PREDICTOR, _CORRECT, source=next(iter(plan.needs(workload)), None))


def _missing_runtime(applied: Applied, workload: Workload, former: Derivation | None) -> Problem:
    name = workload.runtime.name
    reason = f"the runtime `{name}` is not there (RuntimeNotRecognized)"
    path = (*workload.component_path, "model", "runtime")
    units = ((applied.destination, workload.unit),) if workload.is_canary else ()
    known = (need for unit in (former.units if former else ()) for need in unit.needs)
    source = next((need for need in known if need[2] == name), None)
    return Problem(reason, path, _KEEP, units=units, source=source)


def _unfit_runtime(plan: ServicePlan) -> str:
    used = plan.predictor.used
    if plan.request is None or used is None:
        return ""
    asked = plan.request._replace(multi_node=used.runtime.multi_node)
    reason = unfit_reason(asked, used.runtime)
    name = used.runtime.name
    return f"the runtime `{name}` does not fit, {reason} (NoSupportingRuntime)" if reason else ""


def _excessive_requests(units: tuple[DerivedUnit, ...]) -> Iterator[str]:
    """Why Kubernetes refuses pods with a container."""
    for unit in units:
        for container in (item for pods in unit.pods for item in _containers(pods.spec)):
            requests, limits = (mapping(container, "resources", key) for key in _AMOUNTS)
            for name in sorted(requests.keys() & limits.keys()):
                least, most = (value(str(amounts[name])) for amounts in (requests, limits))
                if least is not None and most is not None and least > most:
                    whose = f"the container `{container.get('name')}`"
                    yield f"{whose} requests more {name} than its limit, the runtime's included"


_AMOUNTS = ("requests", "limits")


def _containers(spec: Node) -> list[Data]:
    found = spec.plain()
    return items(found, "containers") if isinstance(found, dict) else []
