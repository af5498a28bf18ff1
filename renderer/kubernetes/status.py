"""What live objects say of themselves: conditions, and how far those are that run pods."""

from collections.abc import Callable, Mapping

from renderer.text.wording import counted
from renderer.values.live import LiveObject
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import Health
from renderer.values.tree import Node

#: What is looked at in an object that runs pods.
READS = (("spec", "replicas", "paused", "parallelism", "leaderWorkerTemplate"), ("status",))
POD_READS = (("status", "phase", "conditions", "containerStatuses", "initContainerStatuses"),)
_UNSEEN = "its controller has not seen the latest spec yet"
_OLDER = "pods of an older version are still there"
_HELD = "it is paused: the latest version is not rolled out"
_PAUSED = "it is paused: a new version would not be rolled out"
#: The reason of the condition Progressing once a rollout has come to its end.
_ROLLED_OUT = "NewReplicaSetAvailable"
#: How many replicas are asked for, and are available; with what each is if it is not there.
_REPLICAS = ((("spec", "replicas"), 1), (("status", "availableReplicas"), 0))
#: Why a container waits that is on its way.
_STARTING = ("ContainerCreating", "PodInitializing")


class Condition(NamedTuple):
    """One condition that an object reports; all empty if it does not report it."""

    status: str = ""
    reason: str = ""
    message: str = ""
    since: str = ""

    @property
    def is_true(self) -> bool:
        return self.status == "True"

    @property
    def is_false(self) -> bool:
        return self.status == "False"


NO_CONDITION = Condition()
_FIELDS = ("status", "reason", "message", "lastTransitionTime")


def conditions(tree: Node) -> dict[str, Condition]:
    """By their types; anything that is not what it should be is left out."""
    listed = tree.get("status", "conditions")
    found: dict[str, Condition] = {}
    for item in listed.elements if listed else ():
        if name := _text(item, "type"):
            found[name] = Condition(*(_text(item, key) for key in _FIELDS))
    return found


def _text(item: Node, key: str) -> str:
    node = item.get(key)
    return node.value if node and isinstance(node.value, str) else ""


class WorkloadStatus(NamedTuple):
    """How an object fares, how many of its pods are available, and how many it asks for.

    If it `is_rolled_out`, all of its pods are of the latest version: those that are not available
    are new ones that start, or old ones that no longer run; its own status does not say which.
    """

    health: Health
    ready: int | None = None
    asked: int | None = None
    reason: str = ""
    message: str = ""
    since: str = ""
    is_rolled_out: bool = False


def workload_status(item: LiveObject) -> WorkloadStatus | None:
    """What an object says of its pods; nothing of a kind that runs none."""
    judge = _KINDS.get((item.group, item.kind))
    return judge(item) if judge else None


def runs_pods(group: str, kind: str) -> bool:
    return (group, kind) in _KINDS


def _replicated(item: LiveObject) -> WorkloadStatus:
    """A Deployment, or what has the same counters."""
    asked = _number(item, "spec", "replicas", default=1)
    ready = _number(item, "status", "availableReplicas")
    by_type = conditions(item.tree)
    progress, failure = (
        by_type.get(name, NO_CONDITION) for name in ("Progressing", "ReplicaFailure")
    )
    since = by_type.get("Available", NO_CONDITION).since
    found = WorkloadStatus(Health.PROGRESSING, ready, asked, since=since)
    if _is_unseen(item):
        return found._replace(message=_UNSEEN)
    older = _older_pods(item, asked)
    for condition, is_bad in ((failure, failure.is_true), (progress, progress.is_false)):
        if is_bad:
            said = "; ".join(filter(None, (condition.message.removesuffix("."), older)))
            return WorkloadStatus(
                Health.FAILED, ready, asked, condition.reason, said, condition.since
            )
    if not _has_latest_pods_only(item, asked):
        is_held = _is_paused(item) and ready >= asked
        held = found._replace(health=Health.SUSPENDED, message=_HELD)
        # Of a paused one no version is on its way: what is not available no longer runs.
        behind = found._replace(message=older, is_rolled_out=_is_paused(item))
        return held if is_held else behind
    if ready < asked:
        is_rolled_out = progress.reason == _ROLLED_OUT or _is_paused(item)
        return found._replace(is_rolled_out=is_rolled_out)
    message = _PAUSED if _is_paused(item) else ""
    return found._replace(health=Health.READY, message=message, is_rolled_out=True)


def _stateful(item: LiveObject) -> WorkloadStatus:
    """A StatefulSet, which has no condition that says where a rollout is."""
    found = _replicated(item)
    return found._replace(is_rolled_out=found.health is Health.READY)


def _replica_set(item: LiveObject) -> WorkloadStatus:
    """A ReplicaSet, which rolls nothing out: pods stay what they are."""
    asked, ready = (_number(item, *path, default=default) for path, default in _REPLICAS)
    if _is_unseen(item):
        return WorkloadStatus(Health.PROGRESSING, ready, asked, message=_UNSEEN)
    health = Health.READY if ready >= asked else Health.PROGRESSING
    return WorkloadStatus(health, ready, asked, is_rolled_out=True)


def _everywhere(item: LiveObject) -> WorkloadStatus:
    """A DaemonSet, which knows on how many nodes its pods should be."""
    asked, ready, updated = (
        _number(item, "status", key)
        for key in ("desiredNumberScheduled", "numberAvailable", "updatedNumberScheduled")
    )
    if _is_unseen(item):
        return WorkloadStatus(Health.PROGRESSING, ready, asked, message=_UNSEEN)
    is_done = updated >= asked
    health = Health.READY if is_done and ready >= asked else Health.PROGRESSING
    return WorkloadStatus(health, ready, asked, message="" if is_done else _OLDER)


def _scheduled(item: LiveObject) -> WorkloadStatus:
    """A CronJob: whether its runs fare well is said by the Jobs that it makes."""
    node = item.tree.get("spec", "suspend")
    is_held = node is not None and node.value is True
    return WorkloadStatus(Health.SUSPENDED if is_held else Health.READY)


def _grouped(item: LiveObject) -> WorkloadStatus:
    """A LeaderWorkerSet, which counts groups: each is ready as a whole."""
    size = _number(item, "spec", "leaderWorkerTemplate", "size", default=1)
    asked = _number(item, "spec", "replicas", default=1)
    ready = _number(item, "status", "readyReplicas")
    is_done = _has_latest_pods_only(item, asked) and ready >= asked
    health = Health.READY if is_done else Health.PROGRESSING
    return WorkloadStatus(health, ready * size, asked * size, is_rolled_out=is_done)


def _job(item: LiveObject) -> WorkloadStatus:
    by_type = conditions(item.tree)
    failed, complete = (by_type.get(name, NO_CONDITION) for name in ("Failed", "Complete"))
    asked = _number(item, "spec", "parallelism", default=1)
    if failed.is_true:
        return WorkloadStatus(Health.FAILED, 0, asked, failed.reason, failed.message, failed.since)
    if complete.is_true:
        return WorkloadStatus(Health.READY, asked, asked, since=complete.since)
    return WorkloadStatus(Health.PROGRESSING, _number(item, "status", "ready"), asked)


def _pod(item: LiveObject) -> WorkloadStatus:
    ready = conditions(item.tree).get("Ready", NO_CONDITION)
    if ready.is_true:
        return WorkloadStatus(Health.READY, 1, 1, since=ready.since)
    phase = item.tree.get("status", "phase")
    reason, message = _waiting(item)
    is_broken = bool(reason) or (phase is not None and phase.value == "Failed")
    health = Health.FAILED if is_broken else Health.PROGRESSING
    return WorkloadStatus(
        health, 0, 1, reason or ready.reason, message or ready.message, ready.since
    )


def _waiting(item: LiveObject) -> tuple[str, str]:
    """Why a container does not start, or starts again and again."""
    for key in ("initContainerStatuses", "containerStatuses"):
        listed = item.tree.get("status", key)
        for container in listed.elements if listed else ():
            state = container.get("state", "waiting")
            texts = (state.get(name) if state else None for name in ("reason", "message"))
            reason, message = (
                node.value if node and isinstance(node.value, str) else "" for node in texts
            )
            if reason and reason not in _STARTING:
                return reason, message
    return "", ""


def _knative(item: LiveObject) -> WorkloadStatus:
    """A Service of Knative, which counts no pods."""
    ready = conditions(item.tree).get("Ready", NO_CONDITION)
    if _is_unseen(item):
        return WorkloadStatus(Health.PROGRESSING, message=_UNSEEN)
    if ready.is_true:
        return WorkloadStatus(Health.READY, since=ready.since, is_rolled_out=True)
    health = Health.FAILED if ready.is_false else Health.PROGRESSING
    return WorkloadStatus(health, None, None, ready.reason, ready.message, ready.since)


def _is_unseen(item: LiveObject) -> bool:
    observed = _number(item, "status", "observedGeneration")
    return observed < _number(item, "metadata", "generation")


def _is_paused(item: LiveObject) -> bool:
    node = item.tree.get("spec", "paused")
    return node is not None and node.value is True


def _has_latest_pods_only(item: LiveObject, asked: int) -> bool:
    updated, all_pods = (_number(item, "status", key) for key in ("updatedReplicas", "replicas"))
    return updated >= asked and all_pods <= asked


def _older_pods(item: LiveObject, asked: int) -> str:
    """How far a rollout is, while pods of an older version are still there."""
    updated, all_pods = (_number(item, "status", key) for key in ("updatedReplicas", "replicas"))
    if all_pods <= updated:
        return ""
    older = counted(all_pods - updated, "pod")
    return f"the latest version has {updated} of {counted(asked, 'pod')}, an older one {older}"


def _number(item: LiveObject, *path: str, default: int = 0) -> int:
    node = item.tree.get(*path)
    return node.value if node and type(node.value) is int else default


_KINDS: Mapping[tuple[str, str], Callable[[LiveObject], WorkloadStatus]] = {
    ("apps", "Deployment"): _replicated,
    ("apps", "StatefulSet"): _stateful,
    ("apps", "DaemonSet"): _everywhere,
    ("apps", "ReplicaSet"): _replica_set,
    ("", "ReplicationController"): _replica_set,
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _grouped,
    ("batch", "Job"): _job,
    ("batch", "CronJob"): _scheduled,
    ("", "Pod"): _pod,
    ("serving.knative.dev", "Service"): _knative,
}
