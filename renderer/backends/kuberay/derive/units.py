"""What becomes of a cluster, job or service: its head, each group of workers, its submitter."""

from collections.abc import Iterator

from renderer.backends.kuberay.derive.clusters import derived_cluster, make_access, own_account
from renderer.backends.kuberay.derive.network import (
    find_addresses,
    is_serve_service,
    make_ingress,
    make_services,
)
from renderer.backends.kuberay.derive.plan import (
    DASHBOARD,
    K8S_JOB,
    RANDOM_SUFFIX,
    SIDECAR,
    RayPlan,
    applied_config,
    plan_of,
)
from renderer.backends.kuberay.derive.pods import make_pod
from renderer.backends.kuberay.derive.submission import sidecar, submitter_job
from renderer.backends.kuberay.derive.summaries import summarise, summarise_pod
from renderer.backends.kuberay.derive.upgrades import plan_after, refusals, upgraded_units
from renderer.backends.kuberay.derive.variables import is_fault_tolerant
from renderer.backends.kuberay.dialect import OBSERVED, version_text
from renderer.backends.kuberay.pod_numbers import hosts, pod_numbers
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.backends.kuberay.workloads import ENABLES_SERVE, HEAD, Group
from renderer.kubernetes.data import Data
from renderer.values.derivations import (
    Applied,
    Derivation,
    DerivedObject,
    DerivedUnit,
    ObjectName,
    Pods,
)
from renderer.values.diagnostics import Path

SUBMITTER = "submitter"
_NO_SURGE = "0"  # KubeRay never makes a pod before the one that it replaces is gone
#: Fields that bring objects and containers of their own, which are not shown.
UNSHOWN_FIELDS = ("networkPolicy", "tlsOptions", "historyServerOptions")


def derive(applied: Applied, former: Derivation | None) -> Derivation:
    """What becomes of an object at the destination that it goes to."""
    plan = plan_of(applied)
    if former is None or former.source is None:
        return Derivation(tuple(_units(applied, plan)))
    old = plan_of(former.source)
    plan = plan_after(old, plan)
    units = tuple(_units(applied, plan))
    return Derivation(upgraded_units(plan, units, old, former.units), tuple(refusals(old, plan)))


def _units(applied: Applied, plan: RayPlan) -> Iterator[DerivedUnit]:
    problem = _problem(plan)
    for name, path, group in _unit_places(plan):
        unit = DerivedUnit(applied.destination, name, path=path)
        if problem:
            yield unit._replace(problem=problem)
        elif group is None:
            yield _submitter_unit(unit, plan)
        elif not group.container:
            yield unit._replace(problem="its pods have no container")
        else:
            yield (
                _head_unit(unit, plan, applied)
                if group.is_head
                else _worker_unit(unit, plan, group)
            )


def _unit_places(plan: RayPlan) -> Iterator[tuple[str, Path, Group | None]]:
    """The names of the units, where the object describes them, and their groups."""
    if plan.is_own:
        yield HEAD, plan.cluster.head.path, plan.cluster.head
        for number, group in enumerate(plan.cluster.workers):
            path = (*group.path[:-1], f"[{group.name}]")
            yield group.name or str(number), path, group
    if plan.kind == JOB and (plan.mode == K8S_JOB or not plan.is_own):
        yield SUBMITTER, ("spec", "submitterPodTemplate"), None


def _problem(plan: RayPlan) -> str:
    """Why KubeRay makes nothing of it."""
    if plan.is_stopped:
        return f"the {plan.kind} is suspended (suspend: true)"
    return f"it is left to {plan.manager} (managedBy)" if plan.manager else ""


def _submitter_unit(unit: DerivedUnit, plan: RayPlan) -> DerivedUnit:
    """The Job that submits, to a cluster of its own or to one that is there."""
    jobs = [summarise(item) for item in submitter_job(plan)]
    specs = (item.tree.get("spec", "template", "spec") for item in jobs)
    unit = unit._replace(objects=tuple(jobs), pods=tuple(Pods(1, 1, 1, n) for n in specs if n))
    if plan.is_own:
        return unit
    services = tuple(map(summarise, make_services(plan)))
    there = f"it runs in the cluster {plan.cluster_name}, which must be there"
    needed: ObjectName = (CLUSTER, plan.namespace, plan.cluster_name)
    return unit._replace(
        objects=(*services, *unit.objects), notes=(there, *_notes(plan)), needs=(needed,)
    )


def _head_unit(unit: DerivedUnit, plan: RayPlan, applied: Applied) -> DerivedUnit:
    services = list(make_services(plan))
    clusters = (summarise(item) for item in derived_cluster(plan, sidecar(plan)))
    pods = [_pod(plan, plan.cluster.head)] if plan.has_pods else []
    rest = (*services, *make_ingress(plan), *make_access(plan))
    return unit._replace(
        pods=tuple(_pods(plan, plan.cluster.head, pod) for pod in pods),
        objects=(*clusters, *pods, *map(summarise, rest)),
        addresses=tuple(find_addresses(plan, services, applied_config(applied))),
        notes=(*_notes(plan), *_head_notes(plan, services)),
    )


def _worker_unit(unit: DerivedUnit, plan: RayPlan, group: Group) -> DerivedUnit:
    if not plan.has_pods:
        return unit._replace(problem=_why_no_pods(plan))
    pod = _pod(plan, group)
    notes = tuple(_worker_notes(plan, group))
    return unit._replace(pods=(_pods(plan, group, pod),), objects=(pod,), notes=notes)


def _pod(plan: RayPlan, group: Group) -> DerivedObject:
    return summarise_pod(plan, group, make_pod(plan, group))


def _pods(plan: RayPlan, group: Group, pod: DerivedObject) -> Pods:
    """How many pods of a group there are."""
    start, least, most = pod_numbers(group, is_scaled=plan.cluster.is_scaled)
    return Pods(least, most, start, pod.tree.items["spec"], _NO_SURGE)


def _why_no_pods(plan: RayPlan) -> str:
    if plan.held:
        return "the cluster stays suspended until it says suspend: false"
    if plan.is_suspended:
        return "the cluster is suspended (suspend: true)"
    return f"{ENABLES_SERVE} asks for a Service, and no port of the head is called serve"


def _notes(plan: RayPlan) -> Iterator[str]:
    if not plan.dialect.is_observed:
        yield (
            f"these are the objects of KubeRay {version_text(OBSERVED)}, which was observed; of "
            f"what {plan.dialect} makes otherwise only a part is known here, inferred from its "
            "source"
        )
    if plan.kind == JOB:
        yield from _job_notes(plan)
    if plan.kind != CLUSTER and DASHBOARD not in plan.ports:
        yield "the head lists no port dashboard: KubeRay cannot reach it, and gets no further"
    if plan.kind != CLUSTER and plan.is_own:
        yield f"{RANDOM_SUFFIX} stands for five characters that KubeRay draws for each new cluster"


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
        yield f"there are no pods: {_why_no_pods(plan)}"
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
    if left := [key for key in UNSHOWN_FIELDS if key in plan.content]:
        yield f"what {', '.join(left)} add is not shown"


def _worker_notes(plan: RayPlan, group: Group) -> Iterator[str]:
    yield "wait-gcs-ready runs a longer script, which says on the way what it waits for"
    if hosts(group) > 1:
        yield "replicas and hosts are numbered from 0; the first one is shown"
    elif plan.settings.has("RayMultiHostIndexing"):
        yield "replicas are numbered from 0; the first one is shown"
