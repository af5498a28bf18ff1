"""What kinds of changes there are of clusters, jobs and any object: their effects, and words."""

from renderer.derive.behaviour import ChangeKind
from renderer.values.changes import Effect

_OR_RECREATE = "; a custom resource may have Recreate in `upgradeStrategy` instead."

_WHOLE = {
    "created": ChangeKind(Effect.CREATE, "KubeRay starts the pods of `{name}`."),
    "created-suspended": ChangeKind(
        Effect.CREATE, "`{name}` is suspended: no pod starts until `suspend` is removed."
    ),
    "deleted": ChangeKind(Effect.DELETE, "KubeRay deletes the pods of `{name}`."),
    "refused": ChangeKind(
        Effect.REFUSED,
        "The API server rejects it: {what} may not be changed once it has a value; what runs stays "
        "as it is.",
        "Keep it, or add the {kind} under another name.",
    ),
    "other-manager": ChangeKind(
        Effect.IN_PLACE,
        "`managedBy` leaves the {kind} to another controller: KubeRay does not look at it any "
        "more, and what the other one does is not foretold.",
    ),
    "suspended": ChangeKind(
        Effect.DELETE, "`{name}` is suspended: KubeRay deletes its clusters and its Services."
    ),
    "resumed": ChangeKind(
        Effect.CREATE, "`{name}` is suspended no more: KubeRay starts a new cluster."
    ),
    "cluster-suspended": ChangeKind(
        Effect.DELETE,
        "The cluster is suspended: KubeRay deletes all its pods; what Ray holds in memory is lost.",
    ),
    "cluster-resumed": ChangeKind(
        Effect.CREATE, "The cluster is suspended no more: KubeRay makes its pods as they are now."
    ),
    "not-running": ChangeKind(
        Effect.DEFERRED, "`{name}` is suspended: {what} counts once it is resumed.", pods=False
    ),
    "metadata": ChangeKind(
        Effect.IN_PLACE, "{field} changed on the object only; no pod is replaced."
    ),
    "unknown": ChangeKind(
        Effect.UNKNOWN,
        "{field} changed, and it is not known what KubeRay makes of it.",
        "Try it where nobody depends on it.",
    ),
}
_CLUSTERS = {
    # pods
    "recreated": ChangeKind(
        Effect.RECREATE,
        "By the cluster's `upgradeStrategy` Recreate KubeRay deletes all its pods, then makes new "
        "ones; nothing runs meanwhile, and what Ray holds in memory is lost.",
        "Merge it when the cluster is idle.",
    ),
    "with-new-pods": ChangeKind(
        Effect.RECREATE, "{field} counts in the new pods, which this change makes anyway."
    ),
    "not-rolled": ChangeKind(
        Effect.IGNORED,
        "What pods are made of changed, but KubeRay replaces none that runs: only pods that are "
        "made later have it.",
        f"Delete the pods when it suits{_OR_RECREATE}",
    ),
    "not-rolled-old": ChangeKind(
        Effect.IGNORED,
        "What pods are made of changed, but KubeRay replaces none that runs: only pods that are "
        "made later have it.",
        "Delete the pods when it suits, or add the cluster under another name.",
    ),
    "half-rolled": ChangeKind(
        Effect.IGNORED,
        "What pods are made of changed, but KubeRay replaces none that runs: those that this "
        "change adds to the group have it, the other ones do not.",
        "Delete the old pods when it suits.",
    ),
    "recreate-strategy": ChangeKind(
        Effect.IN_PLACE,
        "The next change of the cluster follows the new `upgradeStrategy`; with Recreate, pods "
        "that are not as Git has them since an earlier change are replaced at once.",
    ),
    # numbers
    "scaled": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: the group `{unit}` now has {pods_after} (before: {pods_before}); the "
        "other pods stay.",
    ),
    "scaled-same": ChangeKind(
        Effect.IN_PLACE, "{field} changed, but the group `{unit}` still has {pods_after}."
    ),
    "bounds": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: Ray's autoscaler gives the group `{unit}` {pods_after} from now on "
        "(before: {pods_before}).",
    ),
    "replicas-left": ChangeKind(
        Effect.IN_PLACE,
        "{field} is in Git no more: it falls back to {least} once, and is Ray's autoscaler's from "
        "then on; KubeRay deletes no pod because of it.",
    ),
    "hosts-left": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: KubeRay makes pods of whole replicas, but does not count those that ran "
        "before as such, and leaves them alone.",
        "Delete the group's old pods.",
    ),
    "workers-to-delete": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay deletes the pods that it names."
    ),
    "autoscaler-missing": ChangeKind(
        Effect.IGNORED,
        "Autoscaling is on, but the head's pod runs without an autoscaler until it is made anew, "
        "and KubeRay deletes no workers any more: nobody scales.",
        f"Delete the head's pod when it suits{_OR_RECREATE}",
    ),
    "autoscaler-left": ChangeKind(
        Effect.IGNORED,
        "Autoscaling is off, but the autoscaler in the head's pod goes on, and changes `replicas`, "
        "until that is made anew.",
        f"Delete the head's pod when it suits{_OR_RECREATE}",
    ),
    "autoscaler-reads": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: Ray's autoscaler reads it when it looks next (inferred); no pod is "
        "replaced.",
    ),
    # groups
    "group-added": ChangeKind(Effect.CREATE, "KubeRay makes the pods of the new group."),
    "group-left": ChangeKind(
        Effect.ORPHANS,
        "The group `{unit}` is in the cluster no more, but KubeRay leaves its pods alone: they go "
        "on running.",
        "First set its `replicas` and `minReplicas` to 0, or delete its pods.",
    ),
    "group-suspended": ChangeKind(
        Effect.DELETE, "The group is suspended: KubeRay deletes its pods."
    ),
    "group-resumed": ChangeKind(
        Effect.CREATE, "The group is suspended no more: KubeRay makes its pods."
    ),
    "reordered": ChangeKind(
        Effect.IN_PLACE, "The groups stand in another order, which means nothing here."
    ),
    # Services
    "head-service": ChangeKind(
        Effect.IGNORED,
        "The head's Service should be another one now, but KubeRay makes it once and does not "
        "change it.",
        "Delete the Service `{name}-head-svc` when it suits: KubeRay makes it anew.",
    ),
    "serve-service": ChangeKind(
        Effect.IN_PLACE, "KubeRay makes the Service `{name}-serve-svc`, if it is not there."
    ),
    "ingress": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay makes the Ingress; no pod is replaced."
    ),
    "ingress-left": ChangeKind(
        Effect.ORPHANS,
        "{field} changed: KubeRay makes no Ingress any more, but leaves one that is there.",
        "Delete the Ingress `{name}-head-ingress`.",
    ),
    "network-policy": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay changes the NetworkPolicy; no pod is replaced."
    ),
}
_JOBS = {
    "runs": ChangeKind(Effect.RUNS, "The job runs once, as `{name}`, {place}.", pods=True),
    "runs-again": ChangeKind(
        Effect.RUNS,
        "The job is another one now: it runs as `{name}`, {place}; the run `{before}` "
        "stays in the cluster, marked not to be pruned, and goes on if it is not over.",
        pods=True,
    ),
    "runs-instead": ChangeKind(
        Effect.RUNS,
        "The job is another one now: it runs as `{name}`, {place}; the run `{before}` "
        "is deleted, and stopped if it is not over.",
        pods=True,
    ),
    "job-kept": ChangeKind(
        Effect.ORPHANS,
        "The job is in Git no more, but is marked not to be pruned: `{name}` stays{where}, and "
        "goes on if it is not over.",
        "Delete it by hand, or set `prune: true` first.",
    ),
    "job-deleted": ChangeKind(
        Effect.DELETE, "`{name}` is deleted{where}, and stopped if it is not over."
    ),
    "job-ignored": ChangeKind(
        Effect.IGNORED,
        "The job changed under its fixed name: KubeRay does not read it again once it was started, "
        "unless to retry it, and nothing runs anew.",
        "Give the job another name, or leave `name_suffix` out.",
    ),
    "job-deadline": ChangeKind(
        Effect.IN_PLACE, "{field} counts at once, also for a job that runs already."
    ),
    "job-id": ChangeKind(
        Effect.IN_PLACE, "KubeRay has waited for {what}, and follows the job of that id now."
    ),
    "job-cleanup": ChangeKind(
        Effect.IN_PLACE, "{field} changed: KubeRay reads it when the job is over, or if it is."
    ),
    "job-suspended": ChangeKind(
        Effect.DELETE,
        "The job is suspended: unless it is over, KubeRay deletes its cluster and its submitter, "
        "and starts it from the beginning once it is resumed.",
    ),
    "job-resumed": ChangeKind(
        Effect.RUNS,
        "The job is suspended no more: it runs from the beginning, as it is now.",
        pods=True,
    ),
}
_OF_SERVER = "only a running KubeRay API server reads it"
_TEMPLATES = {
    "template-created": ChangeKind(
        Effect.CREATE, f"The ConfigMap of the template is made; {_OF_SERVER}."
    ),
    "template-edited": ChangeKind(
        Effect.IN_PLACE,
        f"The ConfigMap of the template changes; {_OF_SERVER}, for what is created from then on.",
    ),
    "template-deleted": ChangeKind(
        Effect.DELETE, f"The ConfigMap of the template is deleted; {_OF_SERVER}."
    ),
}
CHANGE_KINDS = {**_WHOLE, **_CLUSTERS, **_JOBS, **_TEMPLATES}
