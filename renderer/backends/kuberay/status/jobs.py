"""The status of a RayJob."""

from renderer.backends.fields import plain, text
from renderer.backends.kuberay.status.pods import cluster_name, group_statuses
from renderer.values.statuses import Health, ObjectStatus, ObservedObject

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
#: KubeRay has seen the cluster ready, and submitted the job.
_RUNNING = "Running"


def status(observed: ObservedObject) -> ObjectStatus:
    """A job is well when it has succeeded; KubeRay notes no generation of jobs."""
    tree = observed.object.tree
    deployed, run = (text(tree, "status", key) for key in ("jobDeploymentStatus", "jobStatus"))
    health = _HEALTHS.get(deployed, Health.UNKNOWN)
    if deployed == _COMPLETE:
        health = Health.READY if run == _SUCCEEDED else Health.FAILED
    has_pods = bool(cluster_name(observed.object)) and deployed not in (_COMPLETE, "Failed")
    dashboard = text(tree, "status", "dashboardURL")
    return ObjectStatus(
        " ".join(filter(None, (deployed, run))) or "no status yet",
        health,
        text(tree, "status", "reason"),
        text(tree, "status", "message"),
        text(tree, "status", "startTime"),
        (f"dashboard: {dashboard}",) if dashboard else (),
        group_statuses(observed, health, must_run=deployed == _RUNNING) if has_pods else (),
        response=plain(tree, "status"),
    )
