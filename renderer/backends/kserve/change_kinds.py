"""Kinds of change where KServe does not simply apply the edit, and their sentences."""

from collections.abc import Mapping

from renderer.derive.behaviour import NOTHING, ChangeKind
from renderer.values.changes import Effect

_HISTORY = "Git does not say which revision was rolled out last: look at status.components."
_STAYS = "what runs stays as it is"

CHANGE_KINDS: Mapping[str, ChangeKind] = {
    # the object as a whole
    "refused": ChangeKind(
        Effect.REFUSED,
        f"KServe's webhook rejects the InferenceService{{observed}}: {{reason}}; {_STAYS}.",
        "{remedy}",
    ),
    "frozen": ChangeKind(
        Effect.IGNORED,
        "The service has the annotation `serving.kserve.io/disable-auto-update`: once it is ready, "
        "KServe does not look at it any more, not at {what} either.",
        "Remove the annotation in the same change.",
    ),
    "stopped": ChangeKind(
        Effect.DELETE,
        "The {stopped} is stopped: KServe deletes {objects}{observed}{companions}.",
    ),
    "started": ChangeKind(
        Effect.CREATE,
        "The {stopped} is stopped no more: KServe creates {objects}{observed}{companions}.",
    ),
    "not-running": ChangeKind(
        Effect.DEFERRED, "The {stopped} is stopped: {what} counts once it is started."
    ),
    "still-broken": ChangeKind(
        Effect.DEFERRED,
        "KServe fails at the service as before: {reason}; {what} counts once that is mended.",
        "{remedy}",
    ),
    "repaired": ChangeKind(
        Effect.CREATE,
        "KServe failed at the service until now: {reason}. What runs is what it made before that, "
        "if anything; now it makes {objects} as the service says.",
    ),
    # what reaches pods
    "revision": ChangeKind(
        Effect.REPLACE,
        "{field} changed what the pods of `{workload}` are made of{observed}: Knative starts a new "
        "revision beside the old one; once it is ready, {share}.",
    ),
    "adopted": ChangeKind(
        Effect.ROLLING,
        "The label `app.kubernetes.io/managed-by` reaches pods{observed}: those of `{workload}` "
        "are replaced once, when the service is first rendered by servingctl.",
    ),
    "adopted-revision": ChangeKind(
        Effect.REPLACE,
        "The label `app.kubernetes.io/managed-by` reaches pods{observed}: Knative starts a new "
        "revision of `{workload}` once, when the service is first rendered by servingctl.",
    ),
    "later-pods": ChangeKind(
        Effect.DEFERRED,
        "{field} changed what KServe's webhook adds to pods of `{workload}` that start from now "
        "on; those that run stay as they are.",
        "Restart the pods when it suits.",
    ),
    # what does not
    "no-zero": ChangeKind(
        Effect.IGNORED,
        "`minReplicas` is 0, but the autoscaler of a Deployment keeps one pod at least.",
        "Write 1, or use the mode Knative.",
    ),
    "unscaled": ChangeKind(
        Effect.IGNORED,
        "{field} has no effect{observed}: KServe makes no autoscaler that would look at it here.",
        "Remove it.",
    ),
    "timeout": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed and no pod is replaced{observed}: only a route of the Gateway API knows "
        "it.",
        shown_by=(Effect.IN_PLACE, NOTHING),
    ),
    "concurrency": ChangeKind(
        Effect.IGNORED,
        "{field} has no effect on a predictor in the mode Standard.",
        "Remove it, or use the mode Knative.",
    ),
    "percent": ChangeKind(
        Effect.IGNORED,
        "{field} has no effect in the mode Standard.",
        "Use `canary`, or the mode Knative.",
    ),
    "batcher-timeout": ChangeKind(
        Effect.IGNORED,
        "{field} has no effect{observed}: KServe passes on only maxBatchSize and maxLatency.",
        "Remove it.",
    ),
    "knative-service": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed on the Knative Service `{workload}`, and not on its pods: there is no new "
        "revision.",
    ),
    # requests
    "hidden": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: `{workload}` is reached only within the cluster from now on, and "
        "requests from outside fail.",
        "Make sure that all callers are within the cluster.",
        shown_by=(),
    ),
    "shown": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: `{workload}` is reached from outside the cluster, too, from now on.",
        shown_by=(),
    ),
    "traffic": ChangeKind(
        Effect.IN_PLACE,
        "No pod is replaced{observed}: the newest revision of `{workload}` gets {share_after} % of "
        "the requests, the one that was rolled out last the rest.",
        _HISTORY,
    ),
    "traffic-same": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed, but all requests go to the newest revision of `{workload}` as before.",
    ),
    "traffic-later": ChangeKind(
        Effect.IN_PLACE,
        "The newest revision of `{workload}` is the one that was rolled out last, and goes on to "
        "get all requests; the next one gets {share_after} % of them.",
        _HISTORY,
    ),
    "promoted-revision": ChangeKind(
        Effect.IN_PLACE,
        "No pod is replaced{observed}: the newest revision of `{workload}` gets all requests and "
        "counts as rolled out, and the one before scales down to nothing.",
    ),
    "rolled-back": ChangeKind(
        Effect.IN_PLACE,
        "No pod is replaced{observed}: all requests go to the revision of `{workload}` that was "
        "rolled out last, and the newest one stays without any.",
        _HISTORY,
    ),
    # components that come and go
    "transformer-created": ChangeKind(
        Effect.CREATE,
        "KServe creates {objects}{observed}; all requests to the service go through it.",
    ),
    "canary-created": ChangeKind(
        Effect.CREATE,
        "KServe creates the Deployment `{workload}` beside the predictor's; whatever its "
        "trafficPercent is, KServe 0.20 routes no requests to it.",
        "Call the Service `{workload}` to try it.",
    ),
    "canary-deleted": ChangeKind(
        Effect.DELETE, "KServe deletes the Deployment `{workload}` and its Service."
    ),
    "canary-traffic": ChangeKind(
        Effect.IGNORED,
        "`trafficPercent` changed from {share_before} to {share_after}, but KServe 0.20 routes no "
        "requests to `{workload}` whatever it is{observed}: it only counts how many pods the "
        "predictor has less.",
        "Call the Service `{workload}` to try it.",
    ),
    "promoted": ChangeKind(
        Effect.IN_PLACE,
        "The canary's Deployment `{promoted}` goes on as the predictor, without a restart; the old "
        "one, `{former}`, is deleted.",
    ),
    "promoted-changed": ChangeKind(
        Effect.ROLLING,
        "The canary's Deployment `{promoted}` goes on as the predictor, but not as it was: its "
        "pods are replaced; the old one, `{former}`, is deleted.",
        "Give the predictor all that the canary says, and nothing else.",
    ),
    "other-name": ChangeKind(
        Effect.RECREATE,
        "`predictor.name` changed: the Deployment `{workload}` is made, and `{former}` is deleted "
        "at once{observed}; nobody answers until the new pods are ready.",
        "Run it as a canary of that name first.",
    ),
    "other-name-left": ChangeKind(
        Effect.ORPHANS,
        "`predictor.name` changed: the Knative Service `{workload}` is made, and `{former}` is "
        "left behind (inferred).",
        "Delete it by hand once nobody calls it.",
        shown_by=(),
    ),
    "left": ChangeKind(
        Effect.ORPHANS,
        "The {unit} is not called any more, but KServe deletes nothing of it{observed}: "
        "`{workload}` goes on running until the service is deleted.",
        "Delete it by hand{parts}.",
    ),
    "autoscaler-left": ChangeKind(
        Effect.ORPHANS,
        "KServe does not delete the {left}: it is left behind.",
        "Delete it by hand.",
        pods=False,
    ),
    "scaled-object-left": ChangeKind(
        Effect.ORPHANS,
        "KServe does not delete the {left}{observed}: KEDA goes on scaling by it (inferred).",
        "Delete it by hand.",
        pods=False,
    ),
    "entrance-left": ChangeKind(
        Effect.ORPHANS,
        "KServe does not delete the {left}{observed}: it is left behind, and the service is "
        "reached from outside as before.",
        "Delete it by hand.",
        pods=False,
    ),
    # runtimes
    "runtime-unused": ChangeKind(
        Effect.IN_PLACE,
        "{field} of the runtime `{source}` changed; no pod is replaced.",
        shown_by=(NOTHING,),
    ),
    "runtime-rolling": ChangeKind(
        Effect.ROLLING,
        "{field} of the runtime `{source}` changed what the pods of `{workload}` are made of"
        "{observed}: KServe replaces those of every service that uses it, all services at once"
        "{moved_port}.",
    ),
    "runtime-recreated": ChangeKind(
        Effect.RECREATE,
        "{field} of the runtime `{source}` changed what the pods of `{workload}` are made of"
        "{observed}: all of them stop before new ones start.",
    ),
    "runtime-revision": ChangeKind(
        Effect.REPLACE,
        "{field} of the runtime `{source}` changed what the pods of `{workload}` are made of"
        "{observed}: Knative starts a new revision of every service that uses it, all services at "
        "once; once it is ready, {share}.",
    ),
    "runtime-later": ChangeKind(
        Effect.DEFERRED,
        "{field} of the runtime `{source}` changed what pods are made of, but KServe looks at "
        "its users only when something else touches them.",
        "Touch the service when it suits: its pods are replaced then.",
        pods=True,
    ),
    "runtime-enabled": ChangeKind(
        Effect.DEFERRED,
        "The runtime `{source}` is not disabled any more; KServe looks for it when something else "
        "touches the service, and makes {objects} then.",
        "Touch the service when it suits.",
    ),
    "runtime-came": ChangeKind(
        Effect.DEFERRED,
        "The runtime `{source}` is there now; KServe looks for it when something else touches "
        "the service, and replaces its pods then.",
        "Touch the service when it suits.",
        pods=True,
    ),
    "runtime-gone": ChangeKind(
        Effect.DEFERRED,
        "The runtime `{source}` is gone and another one of that name takes its place once "
        "something else touches the service; its pods are replaced then.",
        "Touch the service when it suits.",
        pods=True,
    ),
    "runtime-refused": ChangeKind(
        Effect.REFUSED,
        "KServe's webhook rejects the runtime: `workerSpec` may not be removed once it is there; "
        f"{_STAYS}.",
        "Add the runtime under another name.",
    ),
    "runtime-frozen": ChangeKind(
        Effect.IGNORED,
        "The service has the annotation `serving.kserve.io/disable-auto-update`: it does not "
        "follow the runtime `{source}`.",
        "Remove the annotation for a while.",
    ),
}
