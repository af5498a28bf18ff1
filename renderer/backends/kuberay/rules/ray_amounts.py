"""What Ray counts on and pods do not have: memory, GPUs, and nodes for an entrypoint."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.backends.fields import members, text
from renderer.backends.kuberay.rules.sources import PODS
from renderer.backends.kuberay.serve_config.applications import CPU, GPU
from renderer.backends.kuberay.services import node_size
from renderer.backends.kuberay.vocabulary import JOB
from renderer.backends.kuberay.workloads import Group, Workload
from renderer.kubernetes.quantities import value
from renderer.kubernetes.resource_names import STANDARD
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

if TYPE_CHECKING:
    from decimal import Decimal

_FIELD = "rayStartParams"
_NVIDIA = "nvidia.com/gpu"
_MEMORY = ("memory", "object-store-memory")
_ASKED = {"entrypointNumCpus": CPU, "entrypointNumGpus": GPU}


@rule("RAY292", Severity.WARNING, "RayCluster", since="0.2.0")
def memory_is_that_of_the_pod(workload: Workload) -> Iterator[Finding]:
    """The start parameters memory and object-store-memory are at most the pod's limit of memory.

    They are bytes. Ray places work by them, and Kubernetes kills the pod at its limit.

    Fails: headGroupSpec: {rayStartParams: {object-store-memory: "8589934592"}}
    Passes: headGroupSpec: {rayStartParams: {object-store-memory: "1073741824"}}
    """
    for group in workload.groups:
        limit = _limit(group)
        for name in _MEMORY:
            given = group.start_params.get(name, "")
            if limit is not None and given.isdecimal() and int(given) > limit:
                message = f"--{name} is more than the limit of memory of {group.title}"
                fix = f"write {int(limit)} or less, or raise the limit"
                yield workload.wrong((*group.path, _FIELD, name), message, fix)


def _limit(group: Group) -> "Decimal | None":
    container = group.container
    return value(text(container.node, "resources", "limits", "memory")) if container else None


@rule("RAY293", Severity.WARNING, "RayCluster", since="0.2.0")
def gpus_are_in_the_pod(workload: Workload) -> Iterator[Finding]:
    """A group that says `num-gpus` has pods that ask for devices.

    Ray places work that needs a GPU on its nodes, and finds none in a pod that asks for nothing but
    cpu and memory.

    Fails: workerGroupSpecs: [{groupName: small, rayStartParams: {num-gpus: "1"}}]
    Passes: workerGroupSpecs: [{groupName: small, rayStartParams: {num-gpus: "0"}}]
    """
    for group in workload.groups:
        given = group.start_params.get("num-gpus", "")
        if given.isdecimal() and int(given) and group.container and not _has_devices(group):
            message = f"the pods of {group.title} ask for no device, and Ray counts {given} GPU"
            fix = "add the device to resources.limits, or delete num-gpus"
            yield workload.wrong((*group.path, _FIELD, "num-gpus"), message, fix)


def _has_devices(group: Group) -> bool:
    """Whether a pod gets more than cores and memory, by a limit or by a claim."""
    resources = group.container.node.get("resources") if group.container else None
    named = (name for key in ("limits", "requests") for name in members(resources, key))
    return "claims" in (resources.items if resources else ()) or any(
        name not in STANDARD and not name.startswith("hugepages-") for name in named
    )


@rule("RAY288", Severity.ERROR, "RayCluster", since="0.2.0")
def gpus_are_all_in_the_pod(workload: Workload) -> Iterator[Finding]:
    """A group says at most as many `num-gpus` as its pods have GPUs of NVIDIA.

    Ray places work on all that it counts, and gives each the number of a device: what gets one that
    the pod does not have fails.

    Fails:
        workerGroupSpecs:
          - groupName: small
            rayStartParams: {num-gpus: "4"}
            template:
              spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 1}}}]}
    Passes with: workerGroupSpecs: [{groupName: small, rayStartParams: {num-gpus: "1"}}]
    """
    for group in workload.groups:
        given, container = group.start_params.get("num-gpus", ""), group.container
        limit = text(container.node, "resources", "limits", _NVIDIA) if container else ""
        has = value(limit) if limit else None
        if has is not None and given.isdecimal() and int(given) > has:
            message = f"Ray counts {given} GPU, and the pods of {group.title} have {limit}"
            fix = f"delete it, or write {limit}, or raise the limit of {_NVIDIA}"
            yield workload.wrong((*group.path, _FIELD, "num-gpus"), message, fix)


@rule("RAY296", Severity.WARNING, JOB, reads=("rayClusterSpec",), since="0.2.0")
def entrypoints_find_a_node(workload: Workload) -> Iterator[Finding]:
    """What the entrypoint of a job reserves, one node of its cluster offers.

    Otherwise the job waits, and its cluster with it, until its deadline.

    Fails: entrypointNumGpus: 1
    Passes: entrypointNumCpus: 1
    """
    cluster = workload.cluster
    nodes = [node_size(group, cluster) for group in cluster.groups] if cluster else []
    for key, name in _ASKED.items() if nodes else ():
        given = workload.fields.get(key)
        amount = given.value if given else None
        if isinstance(amount, int | float) and all(node.lacks({name: amount}) for node in nodes):
            message = f"the entrypoint reserves {amount:g} {name}, and no node offers that"
            yield workload.wrong((key,), message, "reserve less, or give a group larger limits")


RULES = rules_with_source(
    (memory_is_that_of_the_pod, gpus_are_in_the_pod, gpus_are_all_in_the_pod), PODS
)
JOB_RULES = rules_with_source((entrypoints_find_a_node,), PODS)
