"""The pods of a group as the operator creates them."""

from renderer.backends.kuberay.derive.clusters import (
    KUBERAY_VERSION,
    selector_labels,
    service_account,
)
from renderer.backends.kuberay.derive.containers import (
    OVERWRITE,
    add_head_address,
    effective_params,
    make_autoscaler,
    make_ray_container,
    make_wait_container,
    mount_token,
)
from renderer.backends.kuberay.derive.plan import CLUSTER_LABEL, HASH, RayPlan, pod_name
from renderer.backends.kuberay.derive.submission import sidecar
from renderer.backends.kuberay.derive.variables import (
    FT,
    STORAGE,
    TOKEN_VOLUME,
    autoscaler_version,
    is_fault_tolerant,
    storage_namespace,
)
from renderer.backends.kuberay.pod_numbers import hosts
from renderer.backends.kuberay.vocabulary import SERVICE
from renderer.backends.kuberay.workloads import Group
from renderer.derive.located import located
from renderer.kubernetes.data import Data, container_named, items, mapping, texts
from renderer.values.tree import Plain

#: Labels that the operator writes over those of the spec.
_FIXED = (CLUSTER_LABEL, "ray.io/node-type", "ray.io/group")
_SHM, _LOGS = ("shared-mem", "/dev/shm"), ("ray-logs", "/tmp/ray")  # noqa: S108 - of the operator
#: Since when heads have a hash for Recreate, and no /dev/shm is mounted with `plasma-directory`.
_HASHED = _PLASMA = (1, 6, 0)


def make_pod(plan: RayPlan, group: Group) -> Data:
    """One of the pods of a group; they differ in their names, and in the numbers of replicas."""
    template = mapping(located(group.node), "template")
    notes = _annotations(plan, group, template)
    prefix = plan.cluster_name if group.is_head else f"{plan.cluster_name}-{group.name}"
    about: Data = {
        "name": f"{pod_name(prefix, _node_type(group))}<pod>",
        "namespace": plan.namespace,
        "labels": {**_labels(plan, group, template)},
        **({"annotations": {**notes}} if notes else {}),
    }
    spec = _spec(plan, group, mapping(template, "spec"), notes)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": about, "spec": spec}


def _node_type(group: Group) -> str:
    return "head" if group.is_head else "worker"


def _labels(plan: RayPlan, group: Group, template: Data) -> dict[str, str]:
    name = "headgroup" if group.is_head else group.name
    given = {
        **texts(mapping(template, "metadata"), "labels"),
        **texts(located(group.node), "labels"),
    }
    own = {key: value for key, value in given.items() if key not in _FIXED}
    made = {
        **selector_labels(plan, _node_type(group)),
        "ray.io/group": name,
        "ray.io/is-ray-node": "yes",
    }
    made |= own
    if plan.settings.has("RayMultiHostIndexing") and not group.is_head:
        made["ray.io/worker-group-replica-index"] = "0"
        if hosts(group) > 1:
            made["ray.io/worker-group-replica-name"] = f"{group.name}-<replica>"
            made["ray.io/replica-host-index"] = "0"
    if plan.kind == SERVICE:
        left_out = group.is_head and plan.spec.get("excludeHeadPodFromServeSvc") is True
        made["ray.io/serve"] = "false" if left_out else "true"
    return made


def _annotations(plan: RayPlan, group: Group, template: Data) -> dict[str, str]:
    found = texts(mapping(template, "metadata"), "annotations")
    if plan.annotations.get(OVERWRITE, "").lower() == "true":
        found[OVERWRITE] = "true"
    if not group.is_head:
        return found
    tolerant = is_fault_tolerant(plan)
    found[FT] = "true" if tolerant else "false"
    if tolerant:
        found[STORAGE] = storage_namespace(plan)
    if plan.dialect.knows(_HASHED):
        found["ray.io/upgrade-strategy-recreate-hash"] = HASH
        found[KUBERAY_VERSION] = f"v{plan.dialect}"
    return found


def _spec(plan: RayPlan, group: Group, pod: Data, notes: dict[str, str]) -> Data:
    others = items(pod, "containers")[1:]
    ray = mount_token(plan, make_ray_container(plan, group, notes))
    extra = [*sidecar(plan)] if group.is_head else []
    first = items(pod, "initContainers")
    volumes = items(pod, "volumes")
    if plan.auth.get("enableK8sTokenAuth") is True and not container_named(volumes, TOKEN_VOLUME):
        source: Data = {"serviceAccountToken": {"path": "token"}}
        volumes.append({"name": TOKEN_VOLUME, "projected": {"sources": [source]}})
    elsewhere = "plasma-directory" in effective_params(plan, group)
    if not elsewhere or not plan.dialect.knows(_PLASMA):
        ray = _mount_empty_dir(ray, volumes, _SHM, _memory_dir(ray))
    if group.is_head and plan.cluster.is_scaled:
        autoscaler = make_autoscaler(plan)
        ray = _mount_empty_dir(ray, volumes, _LOGS, {})
        extra.append(_mount_empty_dir(autoscaler, volumes, _LOGS, {}))
    elif not group.is_head:
        first = [*first, make_wait_container(plan, group)]
    containers = [ray, *others, *extra]
    made: Data = {**pod, "containers": list(map(_default_requests, containers))}
    informed = (add_head_address(plan, item) for item in first)
    made |= {"initContainers": list(map(_default_requests, informed))} if first else {}
    made |= {"volumes": list[Plain](volumes)} if volumes else {}
    return made | _policies(plan, group)


def _default_requests(container: Data) -> Plain:
    """What a container is limited to it asks for as well, unless it says otherwise."""
    resources = mapping(container, "resources")
    if not (limits := mapping(resources, "limits")):
        return container
    requests: Data = {**limits, **mapping(resources, "requests")}
    return {**container, "resources": {**resources, "requests": requests}}


def _policies(plan: RayPlan, group: Group) -> Data:
    """Its restart policy and its account, where the operator sets them."""
    found: Data = {}
    # v2 replaces nodes itself (autoscaler-v2); a head that submits is not restarted (job-sidecar)
    if autoscaler_version(plan) == "v2" or (group.is_head and sidecar(plan)):
        found["restartPolicy"] = "Never"
    if group.is_head and plan.cluster.is_scaled:
        found["serviceAccountName"] = service_account(plan)
    return found


def _mount_empty_dir(
    container: Data, volumes: list[Data], volume: tuple[str, str], empty_dir: Data
) -> Data:
    """A container with an empty folder at a path, unless something is there already."""
    name, path = volume
    mounts = items(container, "volumeMounts")
    if any(item.get("mountPath") == path for item in mounts):
        return container
    if not container_named(volumes, name):
        volumes.append({"name": name, "emptyDir": empty_dir})
    return {**container, "volumeMounts": [*mounts, {"name": name, "mountPath": path}]}


def _memory_dir(container: Data) -> Data:
    """A folder in memory, as large as the container's own."""
    resources = mapping(container, "resources")
    limit = mapping(resources, "limits").get("memory")
    size = limit if limit is not None else mapping(resources, "requests").get("memory")
    return {"medium": "Memory", **({} if size is None else {"sizeLimit": size})}
