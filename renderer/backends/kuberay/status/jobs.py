"""The status of a RayJob."""

from renderer.backends.fields import plain, text
from renderer.backends.kuberay.status.pods import group_statuses
from renderer.backends.kuberay.workloads import Cluster
from renderer.values.statuses import Health, ObjectStatus, ObservedObject
from renderer.values.tree import constant

_NOTHING = constant({}, "not told")
_HEALTHS = {
    "": Health.PROGRESSING,
    "Initializing": Health.PROGRESSING,
    "Running": Health.PROGRESSING,
    "Retrying": Health.PROGRESSING,
    "Waiting": Health.PROGRESSING,
    "Suspending": Health.PROGRESSING,
    "Suspended": Health.SUSPENDED,
    "Failed": Health.FAILED,
    "ValidationFailed": Health.FAILED,
}
_COMPLETE, _SUCCEEDED = "Complete", "SUCCEEDED"


def status(observed: ObservedObject) -> ObjectStatus:
    """A job is well when it has succeeded; KubeRay notes no generation of jobs."""
    tree = observed.object.tree
    deployed, run = (text(tree, "status", key) for key in ("jobDeploymentStatus", "jobStatus"))
    health = _HEALTHS.get(deployed, Health.UNKNOWN)
    if deployed == _COMPLETE:
        health = Health.READY if run == _SUCCEEDED else Health.FAILED
    described = tree.get("spec", "rayClusterSpec")
    name = text(tree, "status", "rayClusterName")
    runs = described is not None and bool(name) and deployed not in (_COMPLETE, "Failed")
    dashboard = text(tree, "status", "dashboardURL")
    return ObjectStatus(
        " ".join(filter(None, (deployed, run))) or "no status yet",
        health,
        text(tree, "status", "reason"),
        text(tree, "status", "message"),
        text(tree, "status", "startTime"),
        (f"dashboard: {dashboard}",) if dashboard else (),
        tuple(group_statuses(observed, Cluster((), described or _NOTHING), name, health))
        if runs
        else (),
        response=plain(tree, "status"),
    )
