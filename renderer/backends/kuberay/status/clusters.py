"""The status of a RayCluster."""

from collections.abc import Mapping

from renderer.backends.fields import members, plain, text
from renderer.backends.kuberay.status.pods import group_statuses
from renderer.backends.kuberay.workloads import Cluster
from renderer.kubernetes.status import NO_CONDITION, Condition, conditions
from renderer.values.statuses import Health, ObjectStatus, ObservedObject
from renderer.values.tree import Node, constant

_NOTHING = constant({}, "not in the status")
_INVALID = (
    "KubeRay says nothing in the status of a cluster that it finds invalid; "
    "'kubectl describe' shows its warnings"
)


def status(observed: ObservedObject) -> ObjectStatus:
    """By conditions, which sum up the pods.

    The generation that KubeRay noted last says nothing of what it has done.
    """
    tree = observed.object.tree
    found = conditions(tree)
    health, why = _judge(tree, found)
    return ObjectStatus(
        text(tree, "status", "state") or _state(health, found),
        health,
        why.reason,
        why.message,
        found.get("HeadPodReady", NO_CONDITION).since,
        head_endpoints(tree, "status"),
        group_statuses(observed, health),
        notes=() if tree.get("status") else (_INVALID,),
        response=plain(tree, "status"),
        sums_up_units=True,
    )


def _judge(tree: Node, found: Mapping[str, Condition]) -> tuple[Health, Condition]:
    """How it fares, and the condition that says so, where it is not well."""
    failure = found.get("ReplicaFailure", NO_CONDITION)
    if failure.is_true:
        return Health.FAILED, failure
    suspended = found.get("RayClusterSuspended", NO_CONDITION)
    if suspended.is_true:
        return Health.SUSPENDED, suspended
    for name in ("HeadPodReady", "RayClusterProvisioned"):
        one = found.get(name, NO_CONDITION)
        if not one.is_true:
            return Health.PROGRESSING, one
    is_there = _number(tree, "readyWorkerReplicas") >= _wanted(tree)
    return (Health.READY if is_there else Health.PROGRESSING), NO_CONDITION


def _wanted(tree: Node) -> int:
    """The workers that must be there: where Ray scales them, the fewest."""
    scaled = Cluster.of((), tree.get("spec") or _NOTHING).is_scaled
    return _number(tree, "minWorkerReplicas" if scaled else "desiredWorkerReplicas")


def _number(tree: Node, key: str) -> int:
    node = tree.get("status", key)
    return node.value if node and type(node.value) is int else 0


def _state(health: Health, found: Mapping[str, Condition]) -> str:
    return health.value if found else "no status yet"


def head_endpoints(tree: Node, *path: str) -> tuple[str, ...]:
    """The ports of the head, each with its name."""
    head = text(tree, *path, "head", "serviceName")
    ports = members(tree, *path, "endpoints")
    return tuple(f"{name}: {head}:{node.value}" for name, node in ports.items()) if head else ()
