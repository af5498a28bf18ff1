"""How requests come in: hosts, and the objects that lead from them to components."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.inference_service import EXPLAINER, TRANSFORMER
from renderer.kubernetes.data import Data

if TYPE_CHECKING:
    from renderer.values.tree import Plain

#: As the configuration that KServe ships has them.
DOMAIN, CLUSTER = "example.com", "svc.cluster.local"
_CLASS = "istio"
_GATEWAY = f"knative-local-gateway.istio-system.{CLUSTER}"


def service_host(plan: ServicePlan) -> str:
    """The host of the service: with Knative, KServe takes a word out of its component's."""
    if plan.mode != KNATIVE:
        return host(plan, plan.metadata.name)
    whole, kind = host(plan, plan.entry.name), plan.entry.kind
    # observed: a service with -default in its name keeps the host of its component
    word = f"-{kind}-default" if "-default" in whole else f"-{kind}"
    return whole.replace(word, "", 1)


def host(plan: ServicePlan, name: str) -> str:
    """The host of a component."""
    joint = "." if plan.mode == KNATIVE else "-"
    return f"{name}{joint}{plan.metadata.namespace}.{DOMAIN}"


def outer_host(plan: ServicePlan, workload: Workload) -> str:
    """Where callers outside the cluster find a component; empty if nothing leads there.

    With a transformer, KServe's Ingress has no host that leads to an explainer, and canaries have
    none in any case.
    """
    if is_local(plan) or workload.is_canary:
        return ""
    name = service_host(plan) if workload is plan.entry else host(plan, workload.name)
    known = dict(reversed(list(_rules(plan))))
    return name if plan.mode == KNATIVE or known.get(name) == workload.name else ""


def local_host(plan: ServicePlan, workload: Workload) -> str:
    """Where callers in the cluster find a component; with Knative, the service has its own."""
    name = workload.name
    if plan.mode == KNATIVE and workload is plan.entry:
        name = plan.metadata.name
    return f"{name}.{plan.metadata.namespace}.{CLUSTER}"


def is_local(plan: ServicePlan) -> bool:
    """Whether nobody outside the cluster may call it."""
    group = "knative.dev" if plan.mode == KNATIVE else "kserve.io"
    return plan.metadata.labels.get(f"networking.{group}/visibility") == "cluster-local"


def make_entrance(plan: ServicePlan) -> Iterator[Data]:
    """The Ingress of a service; with Knative, a name in the cluster for the gateway."""
    about: Data = {"name": plan.metadata.name, "namespace": plan.metadata.namespace}
    if plan.mode == KNATIVE:
        spec: Data = {"type": "ExternalName", "externalName": _GATEWAY}
        yield {"apiVersion": "v1", "kind": "Service", "metadata": about, "spec": spec}
    elif not is_local(plan):
        rules: list[Plain] = [_rule(*rule) for rule in _rules(plan)]
        yield {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "Ingress",
            "metadata": {**about, "annotations": {**plan.metadata.annotations}},
            "spec": {"ingressClassName": _CLASS, "rules": rules},
        }


def _rules(plan: ServicePlan) -> Iterator[tuple[str, str]]:
    """Hosts, and the Services that they lead to, as KServe has them."""
    whole, predictor = service_host(plan), plan.predictor.name
    others = {
        workload.kind: workload.name
        for workload in plan.workloads
        if workload.kind != plan.predictor.kind
    }
    if TRANSFORMER in others:
        transformer = others[TRANSFORMER]
        if EXPLAINER in others:
            yield host(plan, transformer), others[EXPLAINER]
        yield whole, transformer
        yield host(plan, transformer), predictor
    else:
        yield whole, predictor
        if EXPLAINER in others:
            yield host(plan, others[EXPLAINER]), others[EXPLAINER]
    yield host(plan, predictor), predictor


def _rule(name: str, service: str) -> Data:
    backend: Data = {"service": {"name": service, "port": {"number": 80}}}
    path: Data = {"path": "/", "pathType": "Prefix", "backend": backend}
    return {"host": name, "http": {"paths": [path]}}
