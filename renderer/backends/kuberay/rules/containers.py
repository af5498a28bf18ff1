"""The containers that run Ray: what the operator sets in them itself."""

from collections.abc import Iterator

from renderer.backends.fields import members, text
from renderer.backends.kuberay.pods import operator_variables, template_pods
from renderer.backends.kuberay.rules import PODS
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload
from renderer.kubernetes.pods import SOURCE
from renderer.text.expressions import expression
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Labels of pods that the operator writes over, and those by which it finds pods.
_WRITTEN_OVER = ("ray.io/cluster", "ray.io/node-type", "ray.io/group")
_FOUND_BY = (
    "ray.io/identifier", "ray.io/is-ray-node", "app.kubernetes.io/name",
    "app.kubernetes.io/created-by",
)  # fmt: skip
_OVERWRITE = "ray.io/overwrite-container-cmd"
_BLANK = expression(r"\s")
_POLICIES = ("Always", "OnFailure", "Never")
_SHARED_MEMORY, _SHARED_VOLUME = "/dev/shm", "shared-mem"  # noqa: S108 - where Ray keeps objects


@rule("RAY260", Severity.WARNING, "RayCluster")
def variables_are_not_the_operators(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The container of Ray has no variables that the operator sets after them.

    The value of the operator counts, and the one that was written has no effect.

    Fails:
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, env: [{name: RAY_CLUSTER_NAME, value: mine}]}]}
    Passes:
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, env: [{name: CLUSTER, value: mine}]}]}
    """
    for group in workload.groups:
        reserved = operator_variables(group)
        for name, variable in group.variables.items():
            if name in reserved:
                message = f"the operator sets {name} itself, and its value counts"
                path = (*variable.path, "name")
                yield workload.wrong(path, message, "delete it, or choose another name")


@rule("RAY261", Severity.ERROR, "RayCluster")
def containers_are_not_the_operators(workload: PlacelessWorkload) -> Iterator[Finding]:
    """No container has the name of one that the operator adds.

    It adds an init container wait-gcs-ready to workers, a container autoscaler to the head that
    scales, and a container ray-job-submitter to the head of a job in SidecarMode. Kubernetes
    refuses the pods otherwise (observed), after the cluster was accepted.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {initContainers: [{name: wait-gcs-ready, image: 'example/wait:v1'}]}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {initContainers: [{name: wait-for-data, image: 'example/wait:v1'}]}
    """
    for group in workload.groups:
        added = _added_containers(workload, group)
        for container in (*group.pod.each("containers"), *group.pod.each("initContainers")):
            if (name := text(container.node, "name")) in added:
                message = f"the operator adds a container {name} itself"
                path = (*container.path, "name")
                yield workload.wrong(path, message, "choose another name")


def _added_containers(workload: PlacelessWorkload, group: Group) -> set[str]:
    if not group.is_head:
        return {"wait-gcs-ready"}
    scales = {"autoscaler"} if workload.cluster.is_scaled else set()
    submits = text(workload.fields, "submissionMode") == "SidecarMode"
    return scales | ({"ray-job-submitter"} if submits else set())


@rule("RAY262", Severity.WARNING, "RayCluster")
def ray_is_started_by_the_operator(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The container of Ray does not run `ray start` itself.

    The operator leaves such a command alone (observed): rayStartParams have no effect, and all that
    the operator would have added to them is missing.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, args: ["ray start --address=head:6379"]}]}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, args: ["pip install torch==2.8.0"]}]}
    """
    for group in workload.groups:
        if _starts_ray(group) and not _is_overwritten(workload, group) and group.container:
            key = "args" if "ray start" in _command(group, ("args",)) else "command"
            message = "the operator leaves a command with ray start alone, without rayStartParams"
            fix = f"delete it, or say by the annotation {_OVERWRITE}: 'true' that it is meant"
            yield workload.wrong((*group.container.path, key), message, fix, at_key=True)


@rule("RAY263", Severity.WARNING, "RayCluster")
def commands_are_for_a_shell(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A command before Ray is written as a shell reads it.

    The operator joins the words of command and args by blanks, and puts them before `ray start` in
    a line for a shell (observed): a word with blanks is several there.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, command: [sh, -c, "pip install torch"]}]}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template: {spec: {containers: [{name: ray-worker, args: ["pip install torch"]}]}}
    """
    for group in workload.groups:
        if group.container is None or _starts_ray(group) or _is_overwritten(workload, group):
            continue
        words = [*group.container.each("command"), *group.container.each("args")]
        split = [word for word in words[1:] if _BLANK.search(word.text)]
        if split:
            message = f"to the operator's shell {visible(split[0].text)!r} is several words"
            fix = "write all of it as one text in args"
            yield workload.wrong(split[0].path, message, fix)


def _command(group: Group, keys: tuple[str, ...] = ("command", "args")) -> str:
    container = group.container
    listing = [word.text for key in keys for word in (container.each(key) if container else ())]
    return " ".join(listing)


def _starts_ray(group: Group) -> bool:
    return "ray start" in _command(group)


def _is_overwritten(workload: PlacelessWorkload, group: Group) -> bool:
    """Whether an annotation keeps the operator from making a command."""
    annotations = (
        workload.annotation(_OVERWRITE),
        text(group.node, "template", "metadata", "annotations", _OVERWRITE),
    )
    return any(value.lower() == "true" for value in annotations)


@rule("RAY264", Severity.ERROR, "RayCluster")
def restart_policies_exist(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The `restartPolicy` of pods is Always, OnFailure or Never.

    Kubernetes refuses the pods otherwise, after the cluster was accepted.

    Fails: headGroupSpec: {template: {spec: {restartPolicy: always}}}
    Passes: headGroupSpec: {template: {spec: {restartPolicy: Always}}}
    """
    for pod in template_pods(workload):
        policy = pod.spec.get("restartPolicy")
        if policy and policy.text and policy.text not in _POLICIES:
            message = f"there is no restartPolicy {visible(policy.text)!r}"
            yield workload.wrong(policy.path, message, f"write {listed(_POLICIES, 'or')}")


@rule("RAY265", Severity.WARNING, "RayCluster")
def shared_memory_is_memory(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What is mounted at /dev/shm is memory.

    Ray keeps objects there. The operator mounts a volume called shared-mem, as large as the memory
    of the container (observed); if there is one of this name, or something is mounted there, it
    takes that, and on a disk Ray becomes slow.

    Fails:
        workerGroupSpecs:
          - {groupName: small, template: {spec: {volumes: [{name: shared-mem, emptyDir: {}}]}}}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template: {spec: {volumes: [{name: shared-mem, emptyDir: {medium: Memory}}]}}
    """
    for group in workload.groups:
        if group.container is None or "plasma-directory" in group.start_params:
            continue
        mounts = {text(m.node, "mountPath"): m for m in group.container.each("volumeMounts")}
        mount = mounts.get(_SHARED_MEMORY)
        wanted = text(mount.node, "name") if mount else _SHARED_VOLUME
        for volume in group.pod.each("volumes"):
            is_memory = text(volume.node, "emptyDir", "medium") == "Memory"
            if text(volume.node, "name") == wanted and not is_memory:
                message = f"Ray keeps objects in {_SHARED_MEMORY}, and this volume is no memory"
                fix = "delete it: the operator mounts memory there"
                yield workload.wrong(volume.path, message, fix)


@rule("RAY266", Severity.WARNING, "RayCluster")
def labels_are_not_the_operators(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Pods have no labels of their own that the operator needs.

    Of some it writes its own value over another (observed); by the others, Services and tools find
    the pods of a cluster.

    Fails: headGroupSpec: {template: {metadata: {labels: {ray.io/node-type: leader}}}}
    Passes: headGroupSpec: {template: {metadata: {labels: {example.com/node-type: leader}}}}
    """
    for group in workload.groups:
        for path in (("template", "metadata", "labels"), ("labels",)):
            for key in members(group.node, *path):
                if key in _WRITTEN_OVER:
                    message = f"the operator writes its own value of {key} over this one"
                elif key in _FOUND_BY:
                    message = f"pods of the operator are found by {key}"
                else:
                    continue
                where = (*group.path, *path, key)
                yield workload.wrong(where, message, "choose another key", at_key=True)


RULES = (
    *rules_with_source(
        (
            variables_are_not_the_operators,
            containers_are_not_the_operators,
            ray_is_started_by_the_operator,
            commands_are_for_a_shell,
            shared_memory_is_memory,
            labels_are_not_the_operators,
        ),
        PODS,
    ),
    *rules_with_source((restart_policies_exist,), SOURCE),
)
