"""What kinds of changes there are of services: the effect of each, and the words for it."""

from renderer.derive.behaviour import ChangeKind
from renderer.values.changes import Effect

_BY_HAND = "To have it sooner, change the same field of the RayCluster that runs by hand."

SERVICE_CHANGE_KINDS = {
    # another cluster
    "replaced": ChangeKind(
        Effect.REPLACE,
        "{field} changed: KubeRay starts a second cluster beside the one that runs, so that both "
        "ask for resources; once all applications run there, requests go to it, and the old one "
        "is deleted {delay} s later.",
    ),
    "replaced-gradually": ChangeKind(
        Effect.REPLACE,
        "{field} changed: KubeRay starts a second cluster beside the one that runs and moves "
        "requests to it in steps, as `upgradeStrategy` says; both ask for resources until then.",
    ),
    "type-breaks": ChangeKind(
        Effect.BREAKS,
        "KubeRay starts a second cluster but never switches to it: the Service `{name}-head-svc` "
        "has no address of its own, and Kubernetes does not let it become another type; both "
        "clusters go on.",
        "Delete the Service `{name}-head-svc` when this is applied: KubeRay makes it anew.",
        pods=True,
    ),
    "with-new-cluster": ChangeKind(
        Effect.REPLACE, "{field} counts in the new cluster, which this change starts anyway."
    ),
    "kept": ChangeKind(
        Effect.IGNORED,
        "The cluster should be another one now, but `upgradeStrategy` allows no second one: what "
        "runs stays as it is.",
        "Let `upgradeStrategy.type` be NewCluster, or delete the RayCluster when it suits.",
    ),
    "later": ChangeKind(
        Effect.DEFERRED,
        "{field} is not among what KubeRay compares: it does not reach the cluster that runs, only "
        "the next one.",
        _BY_HAND,
        pods=False,
    ),
    "later-pods": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: KubeRay updates the RayCluster, but only pods that are made from now on "
        "have it.",
        pods=False,
    ),
    "upgrade-strategy": ChangeKind(
        Effect.IN_PLACE,
        "The next change of the cluster follows the new `upgradeStrategy`; what was ignored before "
        "and is allowed now starts a new cluster at once.",
    ),
    # what Ray Serve runs
    "config": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: KubeRay sends the configuration to the cluster that runs, and Ray Serve "
        "replaces the replicas of what it changes; no pod is replaced.",
    ),
    "config-light": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: KubeRay sends the configuration to the cluster that runs, and Ray Serve "
        "applies it without replacing replicas; no pod is replaced.",
    ),
    "config-text": ChangeKind(
        Effect.IN_PLACE,
        "The text of `serveConfigV2` is another one, but says the same: KubeRay sends it once "
        "more, and Ray Serve finds nothing to do.",
    ),
    "config-fixed": ChangeKind(
        Effect.IGNORED,
        "Ray Serve reads {what} when it starts: the cluster that runs keeps the old value, and the "
        "next one has the new one.",
        "To have it now, change the cluster too, for example an annotation of its head's pods.",
    ),
    "config-with-cluster": ChangeKind(
        Effect.REPLACE,
        "{field} changed together with the cluster: only the new cluster gets it, and the old one "
        "serves as before until then.",
    ),
    "config-with-cluster-old": ChangeKind(
        Effect.REPLACE,
        "{field} changed together with the cluster: KubeRay before 1.4 may send it to the old "
        "cluster as well.",
        "Make it two commits: first the one that the other does not need.",
    ),
    # what else a service says
    "service-later": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: KubeRay updates the Service for requests only when another cluster "
        "takes over.",
        "To have it sooner, delete the Service `{name}-serve-svc`: KubeRay makes it anew.",
        pods=False,
    ),
    "exclude-head": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay labels the head's pod anew; no pod is replaced."
    ),
    "deletion-delay": ChangeKind(
        Effect.IN_PLACE, "{field} counts for clusters that are replaced from now on."
    ),
    "thresholds": ChangeKind(
        Effect.IGNORED, "KubeRay does not read {what} any more.", "Remove it."
    ),
    "initializing-timeout": ChangeKind(
        Effect.IN_PLACE, "{field} counts from now on, while the service is not ready yet."
    ),
    "metadata-later": ChangeKind(
        Effect.DEFERRED,
        "KubeRay copies {what} to the RayCluster when it makes one: the one that runs does not get "
        "it.",
        _BY_HAND,
        pods=False,
    ),
}
