"""The pods that specs describe, as far as they reach Kubernetes."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, text
from renderer.backends.kuberay.pod_numbers import hosts, pod_numbers
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, MESSAGE, SERVICE
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload
from renderer.kubernetes.pods import JOB as KUBERNETES_JOB
from renderer.kubernetes.pods import OPERATOR, Field, Pod, Replicas
from renderer.values.diagnostics import FIRST_VERSION
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Spec
from renderer.values.tree import constant

#: Volumes that the operator adds to pods, by their names: containers of one's own may mount them.
_OPERATOR_VOLUMES = frozenset(("shared-mem", "ray-logs", "ray-token"))
#: Lists whose items have keys in the schema of the custom resource.
_KEYED = frozenset(
    ("env", "hostAliases", "imagePullSecrets", "ports", "resourceClaims", "resources.claims")
)
#: The port that the operator adds to containers, and those that Ray listens at by itself.
_PORTS: frozenset[str | int] = frozenset(("metrics", 6379, 8000, 8080, 8265, 10001, 52365))
_OPERATOR_VARIABLES = frozenset((
    "RAY_CLUSTER_NAME", "RAY_CLUSTER_NAMESPACE", "RAY_CLOUD_INSTANCE_ID", "RAY_NODE_TYPE_NAME",
    "KUBERAY_GEN_RAY_START_CMD",
))  # fmt: skip
_HEAD_VARIABLES = _OPERATOR_VARIABLES | {"RAY_USAGE_STATS_EXTRA_TAGS"}
_WORKER_VARIABLES = _OPERATOR_VARIABLES | {"FQ_RAY_IP", "RAY_IP"}
#: Since when rules hold for these pods that had other codes here, or were for others only.
_RULES_SINCE = {"MAN204": FIRST_VERSION, "POL001": FIRST_VERSION, "POL004": "0.2.0"}
_NOTHING = constant({}, "not given")


def fixed_pods(spec: Spec) -> str:
    """Why pods stay when what they are made of changes: only some strategies replace them."""
    strategy = text(spec.tree, "upgradeStrategy", "type")
    if spec.kind.name == SERVICE:
        return "`upgradeStrategy` None makes no other cluster for it" if strategy == "None" else ""
    if spec.kind.name == CLUSTER and strategy == "Recreate":
        return ""
    return f"KubeRay replaces no pod of a {spec.kind.name} for it"


def pods(workload: PlacelessWorkload) -> Iterator[Pod]:
    """The pods of each group, the autoscaler beside the head, and the pod that submits a job."""
    yield from template_pods(workload)
    yield from _autoscaler_pods(workload)


@cached_by_identity
def template_pods(workload: PlacelessWorkload) -> tuple[Pod, ...]:
    """The pods of each group, and the one that submits a job.

    None of a message that has unreadable values: what was made of the rest is not what it means.
    """
    return tuple(_template_pods(workload))


def _template_pods(workload: PlacelessWorkload) -> Iterator[Pod]:
    if workload.is_message and not workload.spec.is_reliable(MESSAGE):
        return
    for group in workload.groups:
        if group.container:
            metadata = Field(group.pod.path[:-1], group.node.items["template"]).get("metadata")
            pod = _pod(workload, group.pod, OPERATOR)
            pod = pod._replace(variables=operator_variables(group), joined=group.container.path)
            replicas = _replicas(workload, group)
            yield pod._replace(ports=_PORTS, metadata=metadata, replicas=replicas)
    path = ("submitterPodTemplate", "spec")
    if submitter := workload.fields.get(*path):
        pod = _pod(workload, Field(path, submitter), KUBERNETES_JOB)
        whole = Field((), workload.fields)
        yield pod._replace(metadata=whole.get("submitterPodTemplate", "metadata"))


def _autoscaler_pods(workload: PlacelessWorkload) -> Iterator[Pod]:
    """The container that the operator adds to the head where Ray scales, as a pod by itself.

    Where Ray does not scale, the operator does not read the options (observed).
    """
    options = workload.cluster.get("autoscalerOptions") if workload.cluster.is_scaled else None
    if options and not (workload.is_message and not workload.spec.is_reliable(MESSAGE)):
        pod = _pod(workload, options._replace(node=_NOTHING), OPERATOR)
        since = {"": "0.2.0", "MAN204": FIRST_VERSION}
        yield pod._replace(others=(options,), volumes=None, ports=None, since=since)


def operator_variables(group: Group) -> frozenset[str]:
    """The variables that the operator sets in the container of Ray, after those of the spec."""
    return _HEAD_VARIABLES if group.is_head else _WORKER_VARIABLES


def _pod(workload: PlacelessWorkload, spec: Field, maker: str) -> Pod:
    pod = Pod(
        spec, volumes=_OPERATOR_VOLUMES, tree=workload.fields, maker=maker, since=_RULES_SINCE
    )
    return pod._replace(keyed_lists=_KEYED)


def _replicas(workload: PlacelessWorkload, group: Group) -> Replicas | None:
    """How many a group of workers has; there is always one head, and a job serves no requests."""
    cluster = workload.cluster
    place = ".".join(part for part in group.path if isinstance(part, str))
    if workload.kind == JOB or group.is_head or not workload.spec.is_reliable(place):
        return None
    if group.is_suspended or is_true(cluster.node, "suspend"):
        return None
    key = "minReplicas" if cluster.is_scaled else "replicas"
    numbers = pod_numbers(group, is_scaled=cluster.is_scaled)
    return Replicas(group.title, numbers.least // max(hosts(group), 1), (*group.path, key))
