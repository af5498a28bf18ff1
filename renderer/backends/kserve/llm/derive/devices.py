"""Devices that annotations of a service ask for: the template of the claim, and who uses it."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.derive.plan import LlmPlan
from renderer.kubernetes.data import Data, change_container, container_named, items, mapping
from renderer.values.tree import Plain

_DEVICE = "serving.kserve.io/exp-dra-"
_CLAIM = "managed-device"
_USE: Plain = {"name": _CLAIM}


def claim_template(plan: LlmPlan) -> Iterator[Data]:
    """What each pod gets a claim of its own from."""
    if (device := _asked(plan, "device-class")) is None:
        return
    exact: Data = {"deviceClassName": device}
    count = _asked(plan, "device-count") or "1"
    if count.isdecimal() and int(count) > 1:
        exact["count"] = int(count)
    lines = [line.strip() for line in (_asked(plan, "cel-selector") or "").splitlines()]
    selectors: list[Plain] = [{"cel": {"expression": line}} for line in lines if line]
    exact |= {"selectors": selectors} if selectors else {}
    requests: Plain = [{"name": "device", "exactly": exact}]
    yield {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": _name(plan), "namespace": plan.namespace},
        "spec": {"spec": {"devices": {"requests": requests}}},
    }


def add_claim(plan: LlmPlan, pod: Data) -> Data:
    """A pod with the claim, which its first container uses unless another one is named."""
    if _asked(plan, "device-class") is None:
        return pod
    claims = items(pod, "resourceClaims")
    if container_named(claims, _CLAIM) is None:
        claim: Plain = {"name": _CLAIM, "resourceClaimTemplateName": _name(plan)}
        pod = {**pod, "resourceClaims": [*claims, claim]}
    containers = items(pod, "containers")
    first = str(containers[0].get("name")) if containers else ""
    return change_container(pod, _asked(plan, "container-name") or first, _use_claim)


def _use_claim(container: Data) -> Data:
    resources = mapping(container, "resources")
    claims = items(resources, "claims")
    if container_named(claims, _CLAIM):
        return container
    return {**container, "resources": {**resources, "claims": [*claims, _USE]}}


def _asked(plan: LlmPlan, word: str) -> str | None:
    """What an annotation says, without the space around it."""
    found = plan.annotations.get(_DEVICE + word)
    return None if found is None else found.strip()


def _name(plan: LlmPlan) -> str:
    return plan.child("-managed-dra")
