"""The objects of a role: a Deployment or LeaderWorkerSet, autoscalers, and its rights."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.derive.plan import (
    LlmPlan,
    Workload,
    pod_metadata,
    propagated,
)
from renderer.backends.kserve.llm.derive.pods import has_sidecar, server_pod
from renderer.derive.pods import Bounds
from renderer.kubernetes.data import Data, make_object, mapping, number, texts
from renderer.values.tree import Plain

_ROLE = "llm-d.ai/role"
_SERVES = {"kserve.io/component": "workload"}
_READ = ("get", "list", "watch")
POOL_GROUPS = ("inference.networking.x-k8s.io", "inference.networking.k8s.io")
_SIDECAR_RULES: list[Plain] = [
    {"apiGroups": [""], "resources": ["pods"], "verbs": [*_READ]},
    {"apiGroups": [*POOL_GROUPS], "resources": ["inferencepools"], "verbs": [*_READ]},
]
_ACCELERATOR = "inference.optimization/acceleratorName"
_METRIC = "wva_desired_replicas"
_KEDA_FIELDS = (
    "pollingInterval", "cooldownPeriod", "initialCooldownPeriod", "idleReplicaCount", "fallback",
    "advanced",
)  # fmt: skip
_RBAC = "rbac.authorization.k8s.io"


def make_workload(plan: LlmPlan, workload: Workload) -> Iterator[Data]:
    """The workload first, then what belongs to it."""
    made = _leader_worker_set(plan, workload) if workload.is_spread else _deployment(plan, workload)
    yield made
    yield from _autoscalers(plan, workload, made)
    yield from _rights(plan, workload)


def bounds(workload: Workload) -> tuple[Bounds, int]:
    """How many pods or groups of pods there are at least and at most, and at the start."""
    scaling = workload.scaling
    if scaling:
        least = number(scaling, "minReplicas") or 1
        idle = number(mapping(scaling, "wva", "keda"), "idleReplicaCount")
        lowest = least if idle is None else idle
        return (lowest, number(scaling, "maxReplicas") or least), 1
    count = number(workload.fields, "replicas")
    fixed = 1 if count is None else count
    return (fixed, fixed), fixed


def _deployment(plan: LlmPlan, workload: Workload) -> Data:
    component = "workload-prefill" if workload.is_prefill else "workload"
    own = plan.labels_for(component) | _SERVES | {_ROLE: _role(plan, workload)}
    labels, notes = propagated(plan, workload)
    pod_labels, pod_notes = pod_metadata(workload.fields)
    whole = {**own, **labels, **pod_labels}  # one map for all three in KServe, its selector's too
    spec: Data = {
        "replicas": bounds(workload)[1],
        "strategy": {
            "type": "RollingUpdate",
            "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"},
        },
        "selector": {"matchLabels": {**whole}},
        "template": {
            "metadata": _labelled(whole, {**notes, **pod_notes}),
            "spec": server_pod(plan, workload, "template"),
        },
    }
    about = plan.metadata(plan.child(workload.suffix), whole)
    about |= {"annotations": {**notes}} if notes else {}
    return make_object("apps/v1", "Deployment", about, spec)


def _leader_worker_set(plan: LlmPlan, workload: Workload) -> Data:
    tail = "-prefill" if workload.is_prefill else ""
    labels, notes = propagated(plan, workload)
    pod_labels, pod_notes = pod_metadata(workload.fields)
    serving = _SERVES | {_ROLE: _role(plan, workload)}
    has_leader = "template" in workload.fields
    of_workers = plan.labels_for(f"workload-worker{tail}") | ({} if has_leader else serving)
    of_workers |= {**labels, **pod_labels}
    metadata = {**notes, **pod_notes}
    group: Data = {
        "size": workload.size,
        "workerTemplate": {
            "metadata": _labelled(of_workers, metadata),
            "spec": server_pod(plan, workload, "worker"),
        },
        "restartPolicy": "RecreateGroupOnPodRestart",
    }
    if has_leader:
        of_leader = plan.labels_for(f"workload-leader{tail}") | serving | labels | pod_labels
        group["leaderTemplate"] = {
            "metadata": _labelled(of_leader, metadata),
            "spec": server_pod(plan, workload, "template"),
        }
    if workload.is_prefill and workload.has_copies:
        group["subGroupPolicy"] = {"subGroupSize": workload.size}
    spec: Data = {
        "replicas": bounds(workload)[1],
        "leaderWorkerTemplate": group,
        "rolloutStrategy": {
            "type": "RollingUpdate",
            "rollingUpdateConfiguration": {"maxUnavailable": 1, "maxSurge": 0},
        },
        "startupPolicy": "LeaderCreated",
    }
    about = plan.metadata(plan.child(workload.suffix), of_workers)
    about |= {"annotations": {**notes}} if notes else {}
    return make_object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", about, spec)


def _role(plan: LlmPlan, workload: Workload) -> str:
    if workload.is_prefill:
        return "prefill"
    return "decode" if plan.has_prefill else "both"


def _labelled(labels: dict[str, str], notes: dict[str, str]) -> Data:
    return {"labels": {**labels}, **({"annotations": {**notes}} if notes else {})}


def _autoscalers(plan: LlmPlan, workload: Workload, made: Data) -> Iterator[Data]:
    """What says how many pods there should be, and what makes it so."""
    scaling = workload.scaling
    wva = mapping(scaling, "wva")
    if not wva:
        return
    part = "-kserve-prefill" if workload.is_prefill else "-kserve"
    target: Data = {
        "apiVersion": made["apiVersion"],
        "kind": made["kind"],
        "name": mapping(made, "metadata").get("name"),
    }
    labels = plan.labels_for("workload")
    variant = plan.child(f"{part}-va")
    least, most = scaling.get("minReplicas", 1), scaling.get("maxReplicas")
    accelerator = texts(workload.fields, "labels").get(_ACCELERATOR) or "unknown"
    spec: Data = {"scaleTargetRef": target, "modelID": plan.model_name, "minReplicas": least}
    spec |= {"maxReplicas": most, "variantCost": wva.get("variantCost", "10.0")}
    about = plan.metadata(variant, labels | {_ACCELERATOR: accelerator})
    yield make_object("llmd.ai/v1alpha1", "VariantAutoscaling", about, spec)
    if "hpa" in wva:
        yield _hpa(plan, plan.child(f"{part}-hpa"), variant, target, scaling)
    elif "keda" in wva:
        yield _scaled_object(plan, plan.child(f"{part}-keda"), variant, target, scaling)


def _hpa(plan: LlmPlan, name: str, variant: str, target: Data, scaling: Data) -> Data:
    external: Plain = {
        "metric": {"name": _METRIC, "selector": {"matchLabels": {"variant_name": variant}}},
        "target": {"type": "Value", "value": "1"},
    }
    spec: Data = {
        "scaleTargetRef": target,
        "minReplicas": scaling.get("minReplicas", 1),
        "maxReplicas": scaling.get("maxReplicas"),
        "metrics": [{"type": "External", "external": external}],
    }
    behaviour = mapping(scaling, "wva", "hpa").get("behavior")
    spec |= {"behavior": behaviour} if behaviour else {}
    about = plan.metadata(name, plan.labels_for("workload"))
    return make_object("autoscaling/v2", "HorizontalPodAutoscaler", about, spec)


def _scaled_object(plan: LlmPlan, name: str, variant: str, target: Data, scaling: Data) -> Data:
    keda, prometheus = mapping(scaling, "wva", "keda"), plan.cluster.prometheus
    query = f'{_METRIC}{{variant_name="{variant}",exported_namespace="{plan.namespace}"}}'
    metadata: Data = {
        "serverAddress": prometheus.get("url", ""),
        "query": query,
        "threshold": "1",
        "unsafeSsl": "true" if prometheus.get("tlsInsecureSkipVerify") is True else "false",
    }
    metadata |= {"authModes": modes} if (modes := prometheus.get("authModes")) else {}
    trigger: Data = {"type": "prometheus", "name": "wva-desired-replicas", "metadata": metadata}
    if auth := prometheus.get("triggerAuthName"):
        kind = prometheus.get("triggerAuthKind")
        trigger["authenticationRef"] = {"name": auth, **({"kind": kind} if kind else {})}
    spec: Data = {
        "scaleTargetRef": target,
        "minReplicaCount": scaling.get("minReplicas", 1),
        "maxReplicaCount": scaling.get("maxReplicas"),
        **{key: keda[key] for key in _KEDA_FIELDS if key in keda},
        "triggers": [trigger],
    }
    about = plan.metadata(name, plan.labels_for("workload"))
    return make_object("keda.sh/v1alpha1", "ScaledObject", about, spec)


def _rights(plan: LlmPlan, workload: Workload) -> Iterator[Data]:
    """ServiceAccounts of the pods, and what the sidecar that routes may read.

    KServe looks after those of one node and of several by themselves: a leader with the sidecar has
    the rights of both, and so has the pod of one node with an account of its own.
    """
    leader, worker = (mapping(workload.fields, key) for key in ("template", "worker"))
    routes = has_sidecar(leader) and not workload.is_prefill
    own = leader.get("serviceAccountName")
    if routes:
        labels, name = plan.labels_for("workload"), plan.child("-kserve")
        if own in (None, "", name):
            yield _account(plan, name, labels)
        yield from bound_role(plan, "-kserve", str(own or name), labels, _SIDECAR_RULES)
    own, name = own or worker.get("serviceAccountName"), plan.child(_spread_suffix(workload))
    if workload.is_spread and own in (None, "", name):
        yield _account(plan, name, plan.own_labels)
    if (workload.is_spread or own) and not workload.is_prefill and (routes or has_sidecar(worker)):
        account = str(own or name)
        yield from bound_role(plan, "-kserve-mn", account, plan.own_labels, _SIDECAR_RULES)


def _spread_suffix(workload: Workload) -> str:
    return "-kserve-mn-prefill" if workload.is_prefill else "-kserve-mn"


def _account(plan: LlmPlan, name: str, labels: dict[str, str]) -> Data:
    about = plan.metadata(name, labels)
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": about}


def bound_role(
    plan: LlmPlan, suffix: str, account: str, labels: dict[str, str], rules: list[Plain]
) -> Iterator[Data]:
    """A Role and its RoleBinding."""
    role = plan.metadata(plan.child(f"{suffix}-role"), labels)
    version = f"{_RBAC}/v1"
    yield {"apiVersion": version, "kind": "Role", "metadata": role, "rules": rules}
    about = plan.metadata(plan.child(f"{suffix}-rb"), labels)
    yield binding("RoleBinding", about, account, plan.namespace, ("Role", str(role["name"])))


def binding(kind: str, about: Data, account: str, namespace: str, role: tuple[str, str]) -> Data:
    subject: Plain = {"kind": "ServiceAccount", "name": account, "namespace": namespace}
    return {
        "apiVersion": f"{_RBAC}/v1",
        "kind": kind,
        "metadata": about,
        "subjects": [subject],
        "roleRef": {"apiGroup": _RBAC, "kind": role[0], "name": role[1]},
    }
