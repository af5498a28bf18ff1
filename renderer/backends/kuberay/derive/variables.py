"""The variables that the operator gives to containers: some always, some unless they are given."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from renderer.backends.kuberay.derive.plan import RayPlan, clip_name
from renderer.backends.kuberay.vocabulary import SERVICE
from renderer.backends.kuberay.workloads import Group
from renderer.kubernetes.data import Data, items, mapping, variable

if TYPE_CHECKING:
    from renderer.values.tree import Plain

FT = "ray.io/ft-enabled"
STORAGE = "ray.io/external-storage-namespace"
TOKEN_VOLUME = "ray-token"  # noqa: S105 - the name of a volume
TOKEN_MOUNT: Data = {
    "name": TOKEN_VOLUME,
    "mountPath": "/var/run/secrets/ray.io/serviceaccount",
    "readOnly": True,
}
_V2 = "RAY_enable_autoscaler_v2"
#: Since when the variable is written for version v1, too.
_V1_IS_WRITTEN = (1, 7, 0)
#: A variable, and whether it is there even if the container has one of that name.
Variable = tuple[Data, bool]


def add_variables(container: Data, more: Iterable[Variable]) -> Data:
    env: list[Plain] = list(items(container, "env"))
    for item, always in more:
        if always or variable({"env": env}, str(item["name"])) is None:
            env.append(item)
    return {**container, "env": env} if env else container


def group_variables(plan: RayPlan, group: Group, command: str) -> Iterator[Variable]:
    """All that the container that runs Ray gets, in the operator's order."""
    if group.is_head:
        yield from _autoscaler_switch(plan)
    yield from fault_tolerance_variables(plan, group)
    yield from token_variables(plan)
    yield from _node_variables(plan, group, command)


def _autoscaler_switch(plan: RayPlan) -> Iterator[Variable]:
    version = autoscaler_version(plan)
    if version == "v2":
        yield fixed(_V2, "true")
    elif version == "v1" and plan.dialect.knows(_V1_IS_WRITTEN):
        yield fixed(_V2, "false")


def autoscaler_version(plan: RayPlan) -> str:
    """The version that the spec chooses; empty without an autoscaler, or if Ray chooses."""
    options = mapping(plan.content, "autoscalerOptions")
    return str(options.get("version") or "") if plan.cluster.is_scaled else ""


def is_fault_tolerant(plan: RayPlan) -> bool:
    by_note = plan.annotations.get(FT, "").lower() == "true"
    return by_note or "gcsFaultToleranceOptions" in plan.content


def storage_namespace(plan: RayPlan) -> str:
    """Where the state is kept; otherwise the cluster's UID, which it has when it is there."""
    options = mapping(plan.content, "gcsFaultToleranceOptions")
    own = options.get("externalStorageNamespace") or plan.annotations.get(STORAGE)
    return str(own or "<uid>")


def fault_tolerance_variables(plan: RayPlan, group: Group) -> Iterator[Variable]:
    """How the head finds its state again, and how long workers wait for it."""
    if not is_fault_tolerant(plan):
        return
    if not group.is_head:
        yield default("RAY_gcs_rpc_server_reconnect_timeout_s", "600")
        return
    yield default("RAY_external_storage_namespace", storage_namespace(plan))
    options = mapping(plan.content, "gcsFaultToleranceOptions")
    if not options:
        if password := group.start_params.get("redis-password"):
            yield default("REDIS_PASSWORD", password)
        return
    yield fixed("RAY_REDIS_ADDRESS", str(options.get("redisAddress") or ""))
    for key, name in (("redisUsername", "REDIS_USERNAME"), ("redisPassword", "REDIS_PASSWORD")):
        if key in options:
            yield {"name": name, **mapping(options, key)}, True


def redis_params(plan: RayPlan) -> dict[str, str]:
    """Parameters of the head that lead to variables."""
    options = mapping(plan.content, "gcsFaultToleranceOptions")
    found = {"redisUsername": "redis-username", "redisPassword": "redis-password"}
    return {
        name: f"${name.replace('-', '_').upper()}" for key, name in found.items() if key in options
    }


def token_variables(plan: RayPlan) -> Iterator[Variable]:
    """What a container shows to others; the mount of Kubernetes' own token is not among it."""
    if not plan.auth:
        return
    yield default("RAY_AUTH_MODE", "token")
    if plan.auth.get("enableK8sTokenAuth") is True:
        yield default("RAY_ENABLE_K8S_TOKEN_AUTH", "true")
        return
    secret = str(plan.auth.get("secretName") or clip_name(plan.cluster_name))
    reference: Data = {"secretKeyRef": {"name": secret, "key": "auth_token"}}
    yield {"name": "RAY_AUTH_TOKEN", "valueFrom": reference}, False


def head_address_variables(plan: RayPlan) -> Iterator[Variable]:
    yield fixed("FQ_RAY_IP", plan.head_host)
    yield fixed("RAY_IP", plan.head_service)


def _node_variables(plan: RayPlan, group: Group, command: str) -> Iterator[Variable]:
    if not group.is_head:
        yield from head_address_variables(plan)
    yield from cluster_variables()
    yield field_variable("RAY_CLOUD_INSTANCE_ID", "metadata.name")
    yield field_variable("RAY_NODE_TYPE_NAME", "metadata.labels['ray.io/group']")
    yield fixed("KUBERAY_GEN_RAY_START_CMD", command)
    yield default("RAY_PORT", plan.gcs_port)
    if plan.kind == SERVICE:
        yield default("RAY_timeout_ms_task_wait_for_death_info", "0")
        yield default("RAY_gcs_server_request_timeout_seconds", "5")
        yield default("RAY_SERVE_KV_TIMEOUT_S", "5")
    host = "127.0.0.1" if group.is_head else plan.head_host
    yield default("RAY_ADDRESS", f"{host}:{plan.gcs_port}")
    yield default("RAY_USAGE_STATS_KUBERAY_IN_USE", "1")
    if group.is_head:
        tags = f"kuberay_version=v{plan.dialect};kuberay_crd={plan.kind}"
        yield fixed("RAY_USAGE_STATS_EXTRA_TAGS", tags)
    yield default("RAY_DASHBOARD_ENABLE_K8S_DISK_USAGE", "1")


def cluster_variables() -> Iterator[Variable]:
    yield field_variable("RAY_CLUSTER_NAME", "metadata.labels['ray.io/cluster']")
    yield field_variable("RAY_CLUSTER_NAMESPACE", "metadata.namespace")


def fixed(name: str, value: str) -> Variable:
    """A variable that the operator always adds."""
    return {"name": name, "value": value} if value else {"name": name}, True


def default(name: str, value: str) -> Variable:
    """A variable that the operator adds unless the container has one of that name."""
    return fixed(name, value)[0], False


def field_variable(name: str, path: str) -> Variable:
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}, True
