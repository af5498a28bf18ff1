"""Why a service is not taken: what webhooks reject, and what the controller makes nothing of."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.impact.rendered_service import RenderedService
from renderer.backends.kserve.impact.workloads import CANARY, workloads_of
from renderer.backends.kserve.inference_service import MODE
from renderer.backends.kserve.merged_container import Data
from renderer.backends.kserve.selection import why_unfit
from renderer.kubernetes.quantities import value
from renderer.kubernetes.rollouts import Amounts
from renderer.values.diagnostics import Path
from renderer.values.tree import Plain

_ANNOTATION = ("metadata", "annotations", MODE)
_OTHER_NAME = "Keep the mode, or add the service under another name and switch its callers."


class Refusal(NamedTuple):
    """Why a webhook rejects a service, what to do about it, and where that is."""

    reason: str
    remedy: str
    place: Path


def refusal(old: RenderedService | None, new: RenderedService) -> Refusal | None:
    """Why KServe's webhook rejects the new state of a service; nothing if it does not."""
    return next(_refusals(old, new), None)


def _refusals(old: RenderedService | None, new: RenderedService) -> Iterator[Refusal]:
    if old and new.given_mode and new.given_mode != old.mode:
        reason = f"deploymentMode cannot be changed from {old.mode} to {new.given_mode}"
        yield Refusal(reason, _OTHER_NAME, _ANNOTATION)
    if old and old.parts[0].name != new.parts[0].name and _source(old) == _source(new):
        reason = "`predictor.name` changes only together with the model's storageUri"
        yield Refusal(
            reason, "Give it another storageUri, or keep it.", ("spec", "predictor", "name")
        )
    if new.mode != KNATIVE:
        return
    for part in new.parts:
        if part.path[0] == CANARY:
            reason = f"`canary` is only for the mode {STANDARD}"
            yield Refusal(reason, "Use canaryTrafficPercent.", ("spec", CANARY))
        if part.node.get("deploymentStrategy"):
            reason = f"`deploymentStrategy` is only for the mode {STANDARD}"
            yield Refusal(reason, "Remove it.", ("spec", *part.path, "deploymentStrategy"))


def _source(service: RenderedService) -> str:
    return text(service.model.node, "storageUri") if service.model else ""


def obstacle(service: RenderedService) -> str:
    """Why the controller makes nothing of a service that is stored; empty if it does."""
    used, wanted = service.used, service.wanted
    for item in (used, *service.others.values()):
        if item and item.fault:
            return item.fault
    if used and wanted:
        asked = wanted._replace(multi_node=used.runtime.multi_node)
        if reason := why_unfit(asked, used.runtime):
            return f"the runtime `{used.runtime.name}` does not fit, {reason} (NoSupportingRuntime)"
    items = workloads_of(service).values()
    found = (_fault(container) for item in items for container in item.containers)
    return next((fault for fault in found if fault), "")


def _fault(container: Data) -> str:
    """Why Kubernetes refuses pods with a container."""
    requests, limits = (amounts(container, kind) for kind in ("requests", "limits"))
    for name, least in sorted(requests.items()):
        if name in limits and least > limits[name]:
            whose = f"the container `{container.get('name')}`"
            return f"{whose} requests more {name} than its limit, the runtime's included"
    return ""


def amounts(container: Data, kind: str) -> Amounts:
    """The requests or limits of a container."""
    resources = container.get("resources")
    given = resources.get(kind) if isinstance(resources, dict) else None
    read = {name: value(str(item)) for name, item in _pairs(given)}
    return {name: number for name, number in read.items() if number is not None}


def _pairs(data: Plain) -> list[tuple[str, Plain]]:
    return list(data.items()) if isinstance(data, dict) else []
