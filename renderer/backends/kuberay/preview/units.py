"""The preview of a cluster, job or service: its head, and each group of workers."""

from collections.abc import Iterator

from renderer.backends.kuberay.dialect import OBSERVED, shown
from renderer.backends.kuberay.preview.addresses import find_addresses, is_serve_service
from renderer.backends.kuberay.preview.clusters import derived_cluster, make_access, own_account
from renderer.backends.kuberay.preview.network import make_ingress, make_services
from renderer.backends.kuberay.preview.plan import (
    DASHBOARD,
    DRAWN,
    K8S_JOB,
    SIDECAR,
    RayPlan,
    data,
    plan_of,
)
from renderer.backends.kuberay.preview.pods import make_pod
from renderer.backends.kuberay.preview.submission import sidecar, submitter_job
from renderer.backends.kuberay.preview.summaries import previewed, previewed_pod
from renderer.backends.kuberay.preview.variables import is_fault_tolerant
from renderer.backends.kuberay.services import serve_config_of
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.backends.kuberay.workloads import ENABLES_SERVE, HEAD, Group, Workload
from renderer.kubernetes.data import Data
from renderer.values.derivations import Applied, Derivation, DerivedUnit

_KUBERAY = "ray.io/kuberay-operator"
#: Fields that bring objects and containers of their own, which are not shown.
_MORE = ("networkPolicy", "tlsOptions", "historyServerOptions")


def derive(applied: Applied, _former: Derivation | None) -> Derivation:
    """What becomes of a spec at the destination that it goes to."""
    return Derivation(tuple(preview_units(applied)))


def preview_units(applied: Applied) -> Iterator[DerivedUnit]:
    """What becomes of a spec at the destination that it goes to."""
    workload = Workload.of(applied.spec, applied.environment)
    where = workload.destination.name if workload.destination else ""
    plan = plan_of(applied)
    if problem := _problem(plan):
        yield DerivedUnit(where, HEAD if plan.is_own else "submitter", problem=problem)
        return
    if not plan.is_own:
        yield _submitter_unit(where, plan)
        return
    yield _head_unit(where, plan, workload)
    for group in plan.cluster.workers:
        yield _worker_unit(where, plan, group)


def _problem(plan: RayPlan) -> str:
    """Why KubeRay makes nothing of it."""
    if plan.kind != CLUSTER and plan.spec.get("suspend") is True:
        return f"the {plan.kind} is suspended (suspend: true)"
    manager = plan.spec.get("managedBy")
    if manager not in (None, _KUBERAY):
        return f"it is left to {manager} (managedBy)"
    return ""


def _submitter_unit(where: str, plan: RayPlan) -> DerivedUnit:
    """A job of a cluster that is there."""
    objects = [*make_services(plan), *submitter_job(plan)]
    notes = (f"it runs in the cluster {plan.cluster_name}, which must be there", *_notes(plan))
    return DerivedUnit(where, "submitter", objects=tuple(map(previewed, objects)), notes=notes)


def _head_unit(where: str, plan: RayPlan, workload: Workload) -> DerivedUnit:
    services = list(make_services(plan))
    config = serve_config_of(workload)
    objects = [previewed(item) for item in derived_cluster(plan, sidecar(plan))]
    if plan.has_pods:
        head = plan.cluster.head
        objects.append(previewed_pod(plan, head, make_pod(plan, head)))
    rest = [*services, *make_ingress(plan), *make_access(plan)]
    rest += submitter_job(plan) if plan.kind == JOB else ()
    return DerivedUnit(
        where,
        HEAD,
        objects=(*objects, *map(previewed, rest)),
        addresses=tuple(find_addresses(plan, services, config)),
        notes=(*_notes(plan), *_head_notes(plan, services)),
    )


def _worker_unit(where: str, plan: RayPlan, group: Group) -> DerivedUnit:
    if not plan.has_pods:
        return DerivedUnit(where, group.name, problem=_podless(plan))
    pod = previewed_pod(plan, group, make_pod(plan, group))
    return DerivedUnit(where, group.name, objects=(pod,), notes=tuple(_worker_notes(plan, group)))


def _podless(plan: RayPlan) -> str:
    if plan.is_suspended:
        return "the cluster is suspended (suspend: true)"
    return f"{ENABLES_SERVE} asks for a Service, and no port of the head is called serve"


def _notes(plan: RayPlan) -> Iterator[str]:
    if not plan.dialect.is_observed:
        yield (
            f"these are the objects of KubeRay {shown(OBSERVED)}, which was observed; of what "
            f"{plan.dialect} makes otherwise only a part is known here, inferred from its source"
        )
    if plan.kind == JOB:
        yield from _job_notes(plan)
    if plan.kind != CLUSTER and DASHBOARD not in plan.ports:
        yield "the head lists no port dashboard: KubeRay cannot reach it, and gets no further"
    if plan.kind != CLUSTER and plan.is_own:
        yield f"{DRAWN} stands for five characters that KubeRay draws for each new cluster"


def _job_notes(plan: RayPlan) -> Iterator[str]:
    if plan.mode == SIDECAR:
        yield "a container beside the head submits the job"
    elif plan.mode != K8S_JOB:
        who = "KubeRay itself submits" if plan.mode == "HTTPMode" else "nobody but a user submits"
        yield f"{who} the job ({plan.mode}): there is no Job of Kubernetes"
    if plan.is_own and plan.spec.get("shutdownAfterJobFinishes") is not True:
        yield "the cluster stays when the job has finished (shutdownAfterJobFinishes)"


def _head_notes(plan: RayPlan, services: list[Data]) -> Iterator[str]:
    if not plan.has_pods:
        yield f"there are no pods: {_podless(plan)}"
    if plan.kind == SERVICE:
        yield "the head's label ray.io/serve is false until its proxy answers"
        if not any(map(is_serve_service, services)):
            yield "no port of the head is called serve: there is no Service for requests"
    account = own_account(plan)
    if account and plan.cluster.is_scaled:
        yield f"the ServiceAccount {account} must be there: KubeRay makes nothing before"
    if plan.is_incremental:
        yield "the Gateway and the HTTPRoute of an incremental upgrade are not shown"
    if is_fault_tolerant(plan):
        yield "a Job empties the storage of the head's state when the cluster is deleted"
    if left := [key for key in _MORE if key in data(plan.cluster.node)]:
        yield f"what {', '.join(left)} add is not shown"


def _worker_notes(plan: RayPlan, group: Group) -> Iterator[str]:
    yield "wait-gcs-ready runs a longer script, which says on the way what it waits for"
    if (group.number("numOfHosts") or 1) > 1:
        yield "replicas and hosts are numbered from 0; the first one is shown"
    elif plan.settings.has("RayMultiHostIndexing"):
        yield "replicas are numbered from 0; the first one is shown"
