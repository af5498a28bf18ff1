"""How many workers the groups of a cluster have."""

from collections.abc import Iterator

from renderer.backends.kuberay.pod_numbers import hosts
from renderer.backends.kuberay.rules import CRDS, REPLICAS, VALIDATION
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload
from renderer.text.wording import counted
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Since when the operator looks at the bounds of a group.
_CHECKS_BOUNDS = (1, 6, 0)
_GATE = "RayJobDeletionPolicy"


@rule("RAY205", Severity.ERROR, "RayCluster")
def bounds_of_groups_fit(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`minReplicas` is not above `maxReplicas`, and neither is negative.

    Since KubeRay 1.6 the operator refuses the cluster after it was accepted (1.6.1 was observed).
    Older ones take it, and the group has as many workers as maxReplicas says, or none.

    Fails: workerGroupSpecs: [{groupName: small, minReplicas: 4, maxReplicas: 3}]
    Passes with: workerGroupSpecs: [{groupName: small, minReplicas: 1}]
    """
    knows = workload.settings.dialect.knows(_CHECKS_BOUNDS)
    after = "" if knows else f", which KubeRay {workload.settings.dialect} does not refuse"
    for group in workload.workers:
        least, most = _bounds(group)
        negative = [key for key in ("minReplicas", "maxReplicas") if (group.number(key) or 0) < 0]
        for key in negative:
            message = f"{key} of {group.title} is negative{after}"
            yield workload.wrong((*group.path, key), message, "write 0 or more")
        is_reported = workload.is_message and most == 0
        if not negative and not is_reported and most is not None and least > most:
            message = f"minReplicas of {group.title} is {least}, and maxReplicas {most}{after}"
            fix = f"write {most} or less, or raise maxReplicas"
            yield workload.wrong((*group.path, "minReplicas"), message, fix)


def _bounds(group: Group) -> tuple[int, int | None]:
    return group.number("minReplicas") or 0, group.number("maxReplicas")


@rule("RAY206", Severity.WARNING, "RayCluster", reads=("workerGroupSpecs.maxReplicas",))
def replicas_are_within_bounds(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`replicas` is between `minReplicas` and `maxReplicas`.

    The operator says nothing, and takes the bound that is nearer (observed).

    Fails: workerGroupSpecs: [{groupName: small, replicas: 5, minReplicas: 1, maxReplicas: 3}]
    Passes with: workerGroupSpecs: [{groupName: small, replicas: 2}]
    """
    if _ignores_replicas(workload):
        return
    for group in workload.workers:
        replicas, (least, most) = group.number("replicas"), _bounds(group)
        if replicas is None or least < 0 or (most is not None and (most < 0 or least > most)):
            continue
        if replicas < least:
            counts, bound = least, "minReplicas"
        elif most is not None and replicas > most:
            counts, bound = most, "maxReplicas"
        else:
            continue
        message = f"{group.title} has {counted(counts, 'worker')}, not {replicas}: {bound} counts"
        fix = f"write {counts}, or change {bound}"
        yield workload.wrong((*group.path, "replicas"), message, fix)


def _ignores_replicas(workload: PlacelessWorkload) -> bool:
    """Whether the number of workers in Git is not even rendered."""
    return workload.cluster.is_scaled and workload.kind == CLUSTER


@rule("RAY207", Severity.INFO, "RayCluster")
def replicas_are_of_the_autoscaler(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Where Ray scales a cluster, Git does not say how many workers it has.

    Ray's autoscaler writes `replicas` into the object itself. A number from Git would be written
    back at every sync, so it is not rendered: the cluster starts with minReplicas.

    Fails:
        enableInTreeAutoscaling: true
        workerGroupSpecs: [{groupName: small, replicas: 2, minReplicas: 1}]
    Passes with: workerGroupSpecs: [{groupName: small, replicas: 1}]
    """
    for group in workload.workers if _ignores_replicas(workload) else ():
        replicas, (least, _) = group.number("replicas"), _bounds(group)
        if replicas is not None and replicas != least:
            message = f"Ray scales {group.title}, which starts with {counted(least, 'worker')}"
            fix = "delete it, or set the minimum by minReplicas"
            yield workload.wrong((*group.path, "replicas"), message, fix)


@rule("RAY208", Severity.WARNING, "RayCluster")
def most_is_not_zero(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A group may have workers: its `maxReplicas` is not 0.

    The custom resource takes it and the group stays empty (observed).

    Fails: workerGroupSpecs: [{groupName: small, replicas: 0, minReplicas: 0, maxReplicas: 0}]
    Passes with: workerGroupSpecs: [{groupName: small, maxReplicas: 1}]
    """
    for group in workload.workers:
        if group.number("maxReplicas") == 0 and not workload.is_message:
            message = f"{group.title} never has a worker"
            path = (*group.path, "maxReplicas")
            yield workload.wrong(path, message, "write 1 or more, or delete the group")


@rule("RAY209", Severity.WARNING, "RayCluster", reads=("workerGroupSpecs.maxReplicas",))
def scaled_groups_have_a_bound(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Where Ray scales a cluster, its groups have `maxReplicas`.

    Without it the schema says 2147483647, and the autoscaler adds as many workers as work asks for.

    Fails:
        enableInTreeAutoscaling: true
        workerGroupSpecs: [{groupName: small, maxReplicas: null}]
    Passes with: workerGroupSpecs: [{groupName: small, maxReplicas: 3}]
    """
    if not workload.cluster.is_scaled or workload.is_message:
        return
    for group in workload.workers:
        if group.number("maxReplicas") is None:
            path = (*group.path, "maxReplicas")
            message = f"nothing bounds the workers of {group.title}"
            yield workload.wrong(path, message, "add maxReplicas")


@rule("RAY210", Severity.ERROR, "RayCluster")
def workers_have_hosts(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A worker is made of one pod or more.

    The operator makes replicas times numOfHosts pods: with 0 there are none, whatever replicas is.
    Of a job or service, 0 is left out of the RayCluster that it makes, and counts as 1 (observed).

    Fails: workerGroupSpecs: [{groupName: small, numOfHosts: 0}]
    Passes: workerGroupSpecs: [{groupName: small, numOfHosts: 4}]
    """
    for group in workload.workers:
        if hosts(group) < 1:
            number = group.number("numOfHosts")
            message = f"a worker of {group.title} is made of {number} pods"
            yield workload.wrong((*group.path, "numOfHosts"), message, "write 1 or more")


@rule("RAY211", Severity.ERROR, "RayCluster")
def suspended_groups_can_be(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A group is suspended only where nothing scales it, and the operator can.

    The operator refuses the cluster otherwise (observed): it needs the feature gate
    RayJobDeletionPolicy, which is on by default since 1.6, and no autoscaler.

    Fails:
        enableInTreeAutoscaling: true
        workerGroupSpecs: [{groupName: small, suspend: true}]
    Passes: workerGroupSpecs: [{groupName: small, suspend: true}]
    """
    for group in workload.workers:
        if not group.is_suspended:
            continue
        path = (*group.path, "suspend")
        if workload.cluster.is_scaled:
            message = f"{group.title} is suspended, and Ray's autoscaler would scale it"
            fix = "delete it, or set maxReplicas to 0"
            yield workload.wrong(path, message, fix)
        elif not workload.settings.has(_GATE):
            message = f"{group.title} can be suspended only with the feature gate {_GATE}"
            fix = "delete it, or switch the gate on, and say so in kuberay.feature_gates"
            yield workload.wrong(path, message, fix)


RULES = (
    *rules_with_source((bounds_of_groups_fit, suspended_groups_can_be), VALIDATION),
    *rules_with_source(
        (replicas_are_within_bounds, replicas_are_of_the_autoscaler, workers_have_hosts), REPLICAS
    ),
    *rules_with_source((most_is_not_zero, scaled_groups_have_a_bound), CRDS),
)
