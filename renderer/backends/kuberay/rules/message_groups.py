"""Numbers and switches of messages that the API server reads in a way of its own."""

from collections.abc import Iterator

from renderer.backends.kuberay.messages.groups import written_workers
from renderer.backends.kuberay.messages.values import whole
from renderer.backends.kuberay.rules.sources import MESSAGES
from renderer.backends.kuberay.vocabulary import CLUSTER, MESSAGE
from renderer.backends.kuberay.workloads import Workload
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source


@rule("RAY108", Severity.INFO, CLUSTER)
def zero_is_meant(workload: Workload) -> Iterator[Finding]:
    """`minReplicas: 0` of a message is rendered as 0; the API server would take `replicas`.

    To the server a 0 is a value that was not given, so that the workers it starts with are never
    taken away again. Leave the field out to have it so.

    Fails:
        clusterSpec:
          workerGroupSpec: [{groupName: small, replicas: 2, minReplicas: 0, maxReplicas: 5}]
    Passes: clusterSpec: {workerGroupSpec: [{groupName: small, replicas: 2, maxReplicas: 5}]}
    """
    for group in written_workers(workload.spec.tree):
        least, given = group.get("minReplicas"), _number(group, "replicas")
        if least and _number(group, "minReplicas") == 0 and given:
            message = f"0 is rendered as it is; the API server would take {given}, the replicas"
            yield least.wrong(message, "delete it to have the API server's meaning")


@rule("RAY109", Severity.ERROR, CLUSTER, reads=(f"{MESSAGE}.workerGroupSpec",))
def groups_of_messages_have_a_bound(workload: Workload) -> Iterator[Finding]:
    """A group of workers in a message says `maxReplicas`, which is 1 or more.

    The API server refuses the message otherwise: "MaxReplicas can not be 0".

    Fails: clusterSpec: {workerGroupSpec: [{groupName: small, replicas: 0, maxReplicas: 0}]}
    Passes with: clusterSpec: {workerGroupSpec: [{groupName: small, maxReplicas: 1}]}
    """
    for group in written_workers(workload.spec.tree):
        most = group.get("maxReplicas")
        if most is None:
            message = "maxReplicas is missing, and the API server takes 0, which it refuses"
            yield group.wrong(message, "add maxReplicas, 1 or more")
        elif _number(group, "maxReplicas") == 0:
            yield most.wrong("the API server refuses 0: no worker could run", "write 1 or more")


@rule("RAY110", Severity.WARNING, CLUSTER)
def autoscaler_options_of_messages_count(workload: Workload) -> Iterator[Finding]:
    """A message has `autoscalerOptions` only together with `enableInTreeAutoscaling: true`.

    Without the switch the API server drops them, and they are not rendered.

    Fails: clusterSpec: {autoscalerOptions: {idleTimeoutSeconds: 60}}
    Passes with: clusterSpec: {enableInTreeAutoscaling: true}
    """
    options = Field((), workload.spec.tree).get(MESSAGE, "autoscalerOptions")
    switch = workload.spec.tree.get(MESSAGE, "enableInTreeAutoscaling")
    if options and options.node.items and not (switch and switch.value is True):
        message = "the options have no effect: nothing scales the cluster"
        yield options.wrong_key(message, "add enableInTreeAutoscaling: true, or delete them")


def _number(group: Field, key: str) -> int | None:
    found = whole(group.node.get(key))
    return found.value if found and isinstance(found.value, int) else None


RULES = rules_with_source(
    (zero_is_meant, groups_of_messages_have_a_bound, autoscaler_options_of_messages_count), MESSAGES
)
