"""What the pods of a cluster may use, what Ray makes of it, and what work finds a node."""

from collections.abc import Iterator

from renderer.backends.fields import members, text
from renderer.backends.kuberay.rules import PODS
from renderer.backends.kuberay.rules.start_parameters import meant_option
from renderer.backends.kuberay.serve_config.applications import CPU, GPU
from renderer.backends.kuberay.serve_config.view import node_size
from renderer.backends.kuberay.start_params import DETECTED_DEVICES, own_params
from renderer.backends.kuberay.vocabulary import JOB, SERVICE
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload, Workload, references
from renderer.kubernetes.names import STANDARD, is_extended
from renderer.kubernetes.quantities import BILLION, billionths, value
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

#: What devices that compute are called; the rest is network cards and the like.
_COMPUTES = ("gpu", "habana.ai/", "huawei.com/Ascend", "aws.amazon.com/neuron", "cambricon.com/")
_FIELD = "rayStartParams"
_NVIDIA = "nvidia.com/gpu"
_MEMORY = ("memory", "object-store-memory")
_ASKED = {"entrypointNumCpus": CPU, "entrypointNumGpus": GPU}


def _limits(group: Group) -> dict[str, Node]:
    container = group.container
    return dict(members(container.node, "resources", "limits")) if container else {}


@rule("RAY240", Severity.WARNING, "RayCluster")
def cores_are_not_rounded_up(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The container of Ray has a whole core at least.

    Ray counts whole cores: the operator rounds a limit of 500m up to 1 (observed), and Ray runs as
    much work as on a whole one.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, resources: {limits: {cpu: 500m}}}]}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template: {spec: {containers: [{name: ray-worker, resources: {limits: {cpu: 1}}}]}}
    """
    for group in workload.groups:
        cpu = _limits(group).get("cpu")
        if cpu is None or group.container is None or _states_cores(group):
            continue
        amount = billionths(str(cpu.value))
        if amount is not None and 0 < amount < BILLION:
            path = (*group.container.path, "resources", "limits", "cpu")
            message = f"Ray counts {cpu.value} of cpu as one core"
            fix = "write 1 or more, or say num-cpus among the start parameters"
            yield workload.wrong(path, message, fix)


def _states_cores(group: Group) -> bool:
    return "num-cpus" in group.start_params or bool(members(group.node, "resources"))


@rule(
    "RAY241",
    Severity.WARNING,
    "RayCluster",
    reads=("headGroupSpec", "workerGroupSpecs"),
)
def containers_have_limits(workload: Workload) -> Iterator[Finding]:
    """The container of Ray has limits of cpu and memory, by itself or by a compute template.

    Without them Ray believes that the whole node is its own: it starts as much work as the node has
    cores, and fills its memory until pods are evicted.

    Fails: headGroupSpec: {template: {spec: {containers: [{name: ray-head, resources: null}]}}}
    Passes with:
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, resources: {limits: {cpu: 2, memory: 4Gi}}}]}
    """
    if workload.is_message or not _templates_are_known(workload):
        return
    for group in workload.groups:
        params = own_params(group)
        missing = [
            name
            for name, parameter in (("cpu", "num-cpus"), ("memory", "memory"))
            if name not in _limits(group) and parameter not in params
        ]
        if missing and group.container:
            message = f"nothing limits the {' and the '.join(missing)} of {group.title}"
            path = (*group.container.path, "resources")
            yield workload.wrong(path, message, "add resources.limits, or name a computeTemplate")


def _templates_are_known(workload: Workload) -> bool:
    """Whether all is known of the sizes of pods."""
    environment = workload.environment
    return all(
        environment.referenced_specs(named) for named in references(workload.spec, environment)
    )


@rule("RAY242", Severity.WARNING, "RayCluster")
def devices_are_offered(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Ray offers the devices that a container has.

    The operator counts limits whose names end in gpu, NVIDIA's slices, TPUs and neuron cores
    (observed), and Ray finds AWS Neuron, Gaudi and Ascend by itself (inferred). Others need
    num-gpus or resources among the start parameters.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template:
              spec:
                containers: [{name: ray-worker, resources: {limits: {gpu.intel.com/i915: 1}}}]
    Passes with: workerGroupSpecs: [{groupName: small, rayStartParams: {num-gpus: "1"}}]
    """
    for group in workload.groups:
        is_stated = group.start_params.keys() & {"num-gpus", "resources"}
        if is_stated or members(group.node, "resources") or group.container is None:
            continue
        for name in _limits(group):
            if is_extended(name) and _computes(name) and not _is_offered(name):
                path = (*group.container.path, "resources", "limits", name)
                message = f"Ray offers no GPU for {name}, whose name does not end in gpu"
                fix = "add num-gpus to the start parameters"
                yield workload.wrong(path, message, fix)


def _computes(name: str) -> bool:
    return any(part in name for part in _COMPUTES)


def _is_offered(name: str) -> bool:
    return name.endswith("gpu") or name.startswith(("nvidia.com/mig-", *DETECTED_DEVICES))


@rule("RAY243", Severity.WARNING, "RayCluster")
def head_has_no_gpu(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The head has no GPU where there are workers.

    It leads the cluster, and work belongs on workers: its GPU is mostly idle.

    Fails:
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, resources: {limits: {nvidia.com/gpu: 1}}}]}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 1}}}]}
    """
    head = workload.cluster.head
    if head.container is None or not workload.workers:
        return
    for name, amount in _limits(head).items():
        if _computes(name) and billionths(str(amount.value)):
            path = (*head.container.path, "resources", "limits", name)
            message = f"the head asks for {name}, and there are workers"
            yield workload.wrong(path, message, "move it to a group of workers")


@rule("RAY244", Severity.WARNING, "RayCluster", reads=("headGroupSpec", "workerGroupSpecs"))
def head_does_no_work(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The head of a service, or of a cluster that Ray scales, offers no cores.

    Otherwise tasks and replicas run on it, and one that takes too much memory takes the whole
    cluster down. `num-cpus: "0"` keeps them on workers.

    Fails:
        enableInTreeAutoscaling: true
        headGroupSpec: {rayStartParams: {num-cpus: null}}
    Passes with: headGroupSpec: {rayStartParams: {num-cpus: "0"}}
    """
    cluster = workload.cluster
    if not workload.workers or not cluster.head.node.items:
        return
    is_service = workload.kind == SERVICE
    own = members(cluster.head.node, "resources").get("CPU")
    if any(meant_option(name) == "num-cpus" for name in cluster.head.start_params):
        return  # the misspelt parameter is reported by itself
    stated = cluster.head.start_params.get("num-cpus") or (str(own.value) if own else "")
    if (is_service or cluster.is_scaled) and stated != "0":
        what = "a service" if is_service else "a cluster that Ray scales"
        path = (*cluster.head.path, "rayStartParams", "num-cpus")
        message = f"work of {what} may run on its head"
        yield workload.wrong(path, message, 'add num-cpus: "0" to the start parameters')


@rule("RAY292", Severity.WARNING, "RayCluster", since="0.2.0")
def memory_is_that_of_the_pod(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The start parameters memory and object-store-memory are at most the pod's limit of memory.

    They are bytes. Ray places work by them, and Kubernetes kills the pod at its limit.

    Fails: headGroupSpec: {rayStartParams: {object-store-memory: "8589934592"}}
    Passes: headGroupSpec: {rayStartParams: {object-store-memory: "1073741824"}}
    """
    for group in workload.groups:
        stated = _limits(group).get("memory")
        limit = value(text(stated)) if stated else None
        for name in _MEMORY:
            given = group.start_params.get(name, "")
            if limit is not None and given.isdecimal() and int(given) > limit:
                message = f"--{name} is more than the limit of memory of {group.title}"
                fix = f"write {int(limit)} or less, or raise the limit"
                yield workload.wrong((*group.path, _FIELD, name), message, fix)


@rule("RAY293", Severity.WARNING, "RayCluster", since="0.2.0")
def gpus_are_in_the_pod(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A group with `num-gpus` has pods that ask for devices.

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
def gpus_are_all_in_the_pod(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A group has at most as many `num-gpus` as its pods have GPUs of NVIDIA.

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
        given, stated = group.start_params.get("num-gpus", ""), _limits(group).get(_NVIDIA)
        limit = text(stated) if stated else ""
        has = value(limit) if limit else None
        if has is not None and given.isdecimal() and int(given) > has:
            message = f"Ray counts {given} GPU, and the pods of {group.title} have {limit}"
            fix = f"delete it, or write {limit}, or raise the limit of {_NVIDIA}"
            yield workload.wrong((*group.path, _FIELD, "num-gpus"), message, fix)


@rule("RAY296", Severity.WARNING, JOB, reads=("rayClusterSpec",), since="0.2.0")
def entrypoints_find_a_node(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What the entrypoint of a job reserves, one node of its cluster offers.

    Otherwise the job waits, and its cluster with it, until its deadline.

    Fails: entrypointNumGpus: 1
    Passes: entrypointNumCpus: 1
    """
    nodes = [node_size(group, workload.cluster) for group in workload.groups]
    for key, name in _ASKED.items() if nodes else ():
        given = workload.fields.get(key)
        amount = given.value if given else None
        if isinstance(amount, int | float) and all(node.lacks({name: amount}) for node in nodes):
            message = f"the entrypoint reserves {amount:g} {name}, and no node offers that"
            yield workload.wrong((key,), message, "reserve less, or give a group larger limits")


RULES = rules_with_source(
    (
        cores_are_not_rounded_up,
        containers_have_limits,
        devices_are_offered,
        head_has_no_gpu,
        head_does_no_work,
        memory_is_that_of_the_pod,
        gpus_are_in_the_pod,
        gpus_are_all_in_the_pod,
    ),
    PODS,
)
JOB_RULES = rules_with_source((entrypoints_find_a_node,), PODS)
