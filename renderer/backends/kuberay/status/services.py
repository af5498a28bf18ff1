"""The status of a RayService."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import members, plain, text
from renderer.backends.kuberay.status.pods import group_statuses, pods_of
from renderer.kubernetes.status import NO_CONDITION, Condition, conditions, workload_status
from renderer.text.wording import counted
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import Health, ObjectStatus, ObservedObject
from renderer.values.tree import Node

_BAD = ("DEPLOY_FAILED", "UNHEALTHY")
_RUNNING = "RUNNING"
_ACTIVE, _PENDING = "activeServiceStatus", "pendingServiceStatus"
_CLUSTER = "rayClusterName"


class _Verdict(NamedTuple):
    """How a service fares and why."""

    health: Health
    reason: str = ""
    message: str = ""


class _Application(NamedTuple):
    """A Serve application as a Ray cluster tells it."""

    name: str
    status: str
    message: str


def status(observed: ObservedObject) -> ObjectStatus:
    """Ready only means that something answers: applications and upgrades are looked at as well."""
    tree = observed.object.tree
    found = conditions(tree)
    verdict = _judge(tree, found)
    if verdict.health is Health.PROGRESSING:
        verdict = _failing_upgrade(observed) or verdict
    address = f"{observed.object.name}-serve-svc.{observed.object.namespace}:8000"
    return ObjectStatus(
        _state(found),
        *verdict,
        found.get("Ready", NO_CONDITION).since,
        (address,) if text(tree, "status", _ACTIVE, _CLUSTER) else (),
        group_statuses(observed, verdict.health),
        notes=tuple(_notes(tree)),
        response=plain(tree, "status"),
    )


def _judge(tree: Node, found: Mapping[str, Condition]) -> _Verdict:
    """In the order that tells a stale condition from a true one."""
    ready = found.get("Ready", NO_CONDITION)
    is_behind = _number(tree, "status", "observedGeneration") != _number(
        tree, "metadata", "generation"
    )
    if ready.is_false and ready.reason == "InitializingTimeout":
        return _Verdict(Health.FAILED, ready.reason, ready.message)
    if ready.is_false and ready.reason == "ValidationFailed":
        if is_behind:
            return _Verdict(Health.FAILED, ready.reason, ready.message)
        return _Verdict(Health.PROGRESSING, "", "it was invalid before, and is not any more")
    if not found or is_behind:
        return _Verdict(Health.PROGRESSING, "", "KubeRay has not seen the latest spec yet")
    if found.get("Suspended", NO_CONDITION).is_true:
        return _Verdict(Health.SUSPENDED)
    return _judge_applications(tree, found, ready)


def _judge_applications(tree: Node, found: Mapping[str, Condition], ready: Condition) -> _Verdict:
    active, pending = (list(_applications(tree, side)) for side in (_ACTIVE, _PENDING))
    if bad := next((item for item in active if item.status in _BAD), None):
        return _Verdict(Health.FAILED, bad.status, f"{bad.name}: {bad.message}".rstrip(": "))
    if found.get("UpgradeInProgress", NO_CONDITION).is_true:
        if bad := next((item for item in pending if item.status in _BAD), None):
            why = f"the new cluster fails, the old one serves: {bad.name} {bad.message}".rstrip()
            return _Verdict(Health.FAILED, bad.status, why)
        return _Verdict(Health.PROGRESSING, "", "a new cluster is on its way")
    if ready.is_true and all(item.status == _RUNNING for item in active):
        return _Verdict(Health.READY)
    return _Verdict(Health.PROGRESSING, *_unless_true(ready))


def _failing_upgrade(observed: ObservedObject) -> _Verdict | None:
    """That pods of the cluster fail which is to take over from another, if some do."""
    active, pending = (
        text(observed.object.tree, "status", side, _CLUSTER) for side in (_ACTIVE, _PENDING)
    )
    if not active or not pending:
        return None
    for pod in pods_of(observed, pending):
        found = workload_status(pod)
        if found and found.health is Health.FAILED:
            why = f"a pod of the new cluster fails, the old one serves: {pod.name}"
            return _Verdict(Health.FAILED, found.reason, f"{why} {found.message}".rstrip())
    return None


def _unless_true(ready: Condition) -> tuple[str, str]:
    return ("", "") if ready.is_true else (ready.reason, ready.message)


def _applications(tree: Node, side: str) -> Iterator[_Application]:
    for name, node in members(tree, "status", side, "applicationStatuses").items():
        yield _Application(name, text(node, "status"), text(node, "message"))


def _state(found: Mapping[str, Condition]) -> str:
    """The condition in a word, as the field that was one is deprecated."""
    if not found:
        return "no status yet"
    words = {"True": "Ready", "False": "not Ready"}
    state = words.get(found.get("Ready", NO_CONDITION).status, "Ready unknown")
    return f"{state}, upgrading" if found.get("UpgradeInProgress", NO_CONDITION).is_true else state


def _notes(tree: Node) -> Iterator[str]:
    for item in _applications(tree, _ACTIVE):
        yield f"application {item.name}: {item.status or 'unknown'}"
    endpoints = tree.get("status", "numServeEndpoints")
    if endpoints and type(endpoints.value) is int:
        yield f"{counted(endpoints.value, 'pod')} answer requests"


def _number(tree: Node, *path: str) -> int:
    node = tree.get(*path)
    return node.value if node and type(node.value) is int else 0
