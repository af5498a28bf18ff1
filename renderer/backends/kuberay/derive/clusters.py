"""The Ray cluster of a job or a service, its labels, and the access that its head needs."""

from collections.abc import Iterator

from renderer.backends.kuberay.derive.plan import (
    CLUSTER_LABEL,
    HASH,
    SIDECAR,
    RayPlan,
    clip_name,
)
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.kubernetes.data import Data, items, mapping
from renderer.values.tree import Plain

KUBERAY_VERSION = "ray.io/kuberay-version"
NAME, KIND = "ray.io/originated-from-cr-name", "ray.io/originated-from-crd"
CREATED_BY, OPERATOR = "app.kubernetes.io/created-by", "kuberay-operator"
_APPLICATION = {CREATED_BY: OPERATOR, "app.kubernetes.io/name": "kuberay"}
_LONGEST_LABEL = 63
#: Since when the autoscaler's Role allows to resize pods.
_RESIZES_PODS = (1, 5, 0)


def origin_labels(plan: RayPlan) -> dict[str, str]:
    """The labels of what a job or a service makes."""
    return {NAME: plan.name, KIND: plan.kind}


def selector_labels(plan: RayPlan, node_type: str = "head") -> dict[str, str]:
    """The labels by which the pods of a cluster and their Services are found."""
    return {
        CLUSTER_LABEL: plan.cluster_name,
        "ray.io/identifier": f"{plan.cluster_name}-{node_type}"[-_LONGEST_LABEL:],
        "ray.io/node-type": node_type,
        **_APPLICATION,
    }


def cluster_annotations(plan: RayPlan) -> dict[str, str]:
    """Those of the RayCluster, which takes over those of the job or service that it is for."""
    found = dict(plan.annotations)
    if plan.kind == JOB and plan.mode == SIDECAR:
        # the submitter is in the head's pod, which is not restarted (recorded: job-sidecar)
        found["ray.io/disable-provisioned-head-restart"] = "true"
    if plan.kind == SERVICE:
        found["ray.io/hash-without-replicas-and-workers-to-delete"] = HASH
        found["ray.io/num-worker-groups"] = str(len(plan.cluster.workers))
        found[KUBERAY_VERSION] = f"v{plan.dialect}"
    return found


def derived_cluster(plan: RayPlan, beside_head: list[Data]) -> Iterator[Data]:
    """The RayCluster of a job or service; a container beside the head is a part of its spec."""
    if plan.kind == CLUSTER or not plan.is_own:
        return
    mode = {"ray.io/job-submission-mode": plan.mode} if plan.kind == JOB else {}
    notes = cluster_annotations(plan)
    spec = plan.content
    if beside_head:
        head = mapping(spec, "headGroupSpec")
        pod = mapping(head, "template", "spec")
        containers = [*items(pod, "containers"), *beside_head]
        pod = {**pod, "restartPolicy": "Never", "containers": list[Plain](containers)}
        template: Data = {**mapping(head, "template"), "spec": pod}
        spec = {**spec, "headGroupSpec": {**head, "template": template}}
    about: Data = {
        "name": plan.cluster_name,
        "namespace": plan.namespace,
        "labels": {**plan.labels, **origin_labels(plan), **mode},
        **({"annotations": {**notes}} if notes else {}),
    }
    yield {"apiVersion": "ray.io/v1", "kind": CLUSTER, "metadata": about, "spec": spec}


def own_account(plan: RayPlan) -> str:
    """The account that the head names; empty if it names none."""
    pod = mapping(plan.head, "template", "spec")
    return str(pod.get("serviceAccountName") or "")


def service_account(plan: RayPlan) -> str:
    """The account of a head with an autoscaler, which patches the cluster in Kubernetes."""
    return clip_name(own_account(plan) or plan.cluster_name)


def make_access(plan: RayPlan) -> Iterator[Data]:
    """What the autoscaler may do, and the token of a cluster that asks for one."""
    if not plan.is_own:
        return
    if plan.cluster.is_scaled:
        yield from _autoscaler_access(plan)
    if has_own_token(plan):
        about: Data = {
            "name": token_secret(plan),
            "namespace": plan.namespace,
            "labels": {CLUSTER_LABEL: plan.cluster_name},
        }
        secret: Data = {"type": "Opaque", "data": {"auth_token": "<token>"}}
        yield {"apiVersion": "v1", "kind": "Secret", "metadata": about, **secret}


def has_own_token(plan: RayPlan) -> bool:
    """Whether KubeRay makes the Secret with the token: nobody else's is named."""
    named = plan.auth.get("secretName") or plan.auth.get("enableK8sTokenAuth")
    return bool(plan.auth) and not named


def token_secret(plan: RayPlan) -> str:
    return clip_name(plan.cluster_name)


def _autoscaler_access(plan: RayPlan) -> Iterator[Data]:
    """An account is made only for a head that names none (recorded: autoscaler-own-account)."""
    account, role = service_account(plan), clip_name(plan.cluster_name)
    labels: Data = {CLUSTER_LABEL: plan.cluster_name, **_APPLICATION}
    about: Data = {"namespace": plan.namespace, "labels": labels}
    if not own_account(plan):
        named: Data = {"name": account, **about}
        yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": named}
    group = "rbac.authorization.k8s.io"
    rules: list[Data] = [_rule("", "pods", "get", "list", "watch", "patch")]
    if plan.dialect.knows(_RESIZES_PODS):
        rules.append(_rule("", "pods/resize", "patch"))
    rules.append(_rule("ray.io", "rayclusters", "get", "patch"))
    metadata: Data = {"name": role, **about}
    yield {"apiVersion": f"{group}/v1", "kind": "Role", "metadata": metadata, "rules": [*rules]}
    subject: Data = {"kind": "ServiceAccount", "name": account, "namespace": plan.namespace}
    yield {
        "apiVersion": f"{group}/v1",
        "kind": "RoleBinding",
        "metadata": metadata,
        "subjects": [subject],
        "roleRef": {"apiGroup": group, "kind": "Role", "name": role},
    }


def _rule(group: str, resource: str, *verbs: str) -> Data:
    return {"apiGroups": [group], "resources": [resource], "verbs": [*verbs]}
