"""What kinds of changes there are: the effect of each, and the words for it."""

from typing import NamedTuple

from renderer.values.changes import Effect

_ROLLS = frozenset((Effect.ROLLING, Effect.REPLACE, Effect.RECREATE))
_HISTORY = "Git does not say which revision was rolled out last: look at status.components."
_STAYS = "what runs stays as it is"
_AGAIN = "Add the service under another name and switch its callers."


class ChangeKind(NamedTuple):
    """A kind of change: its effect, a sentence of consequence and one of advice."""

    effect: Effect
    consequence: str
    advice: str = ""
    pods: bool | None = None

    @property
    def replaces_pods(self) -> bool:
        """Whether pods come and go with it, as its effect has it unless `pods` says otherwise."""
        return self.effect in _ROLLS if self.pods is None else self.pods


CHANGE_KINDS = {
    # the object as a whole
    "created": ChangeKind(Effect.CREATE, "KServe creates {objects} `{workload}`."),
    "deleted": ChangeKind(Effect.DELETE, "KServe deletes {objects} `{workload}`."),
    "renamed": ChangeKind(
        Effect.RECREATE,
        "`{before}` is now `{after}`: a new service under another URL starts, and the old one is "
        "deleted.",
        "Callers must change the URL; keep both until they have.",
    ),
    "moved": ChangeKind(
        Effect.RECREATE,
        "The service moves from the destination `{before}` to `{after}`: what runs is deleted "
        "there and made anew here.",
        "Callers must change the URL; keep both until they have.",
    ),
    "refused": ChangeKind(
        Effect.REFUSED,
        f"KServe's webhook rejects the InferenceService: {{reason}}; {_STAYS}.",
        "{remedy}",
    ),
    "broken": ChangeKind(
        Effect.BREAKS,
        f"KServe cannot make it: {{reason}}; {_STAYS}, and nothing else of the service is updated.",
        "Correct it before it is merged.",
    ),
    "frozen": ChangeKind(
        Effect.IGNORED,
        "The service has the annotation `serving.kserve.io/disable-auto-update`: once it is ready, "
        "KServe does not look at it any more, not at {what} either.",
        "Remove the annotation in the same change.",
    ),
    "stopped": ChangeKind(
        Effect.DELETE,
        "The service is stopped: KServe deletes {objects} `{workload}`, its Service and its "
        "autoscaler.",
    ),
    "started": ChangeKind(
        Effect.CREATE, "The service is stopped no more: KServe creates {objects} `{workload}`."
    ),
    "not-running": ChangeKind(
        Effect.DEFERRED,
        "The service is stopped: {what} counts once it is started.",
        pods=False,
    ),
    "other-controller": ChangeKind(
        Effect.IN_PLACE, "ModelMesh has a controller of its own, and what it does is not foretold."
    ),
    # what reaches pods
    "rolling": ChangeKind(
        Effect.ROLLING, "{field} changed: the pods of `{workload}` are replaced one by one."
    ),
    "recreated": ChangeKind(
        Effect.RECREATE,
        "{field} changed: by its strategy Recreate all pods of `{workload}` stop before new ones "
        "start, and nobody answers meanwhile.",
        "Use the strategy RollingUpdate if there is room for a pod more.",
    ),
    "revision": ChangeKind(
        Effect.REPLACE,
        "{field} changed: Knative starts a new revision of `{workload}` beside the old one; once "
        "it is ready, {share}.",
    ),
    "same": ChangeKind(
        Effect.IN_PLACE, "{field} changed, but the pods of `{workload}` come out the same."
    ),
    "adopted": ChangeKind(
        Effect.ROLLING,
        "The label `app.kubernetes.io/managed-by` reaches pods: those of `{workload}` are replaced "
        "once, when the service is first rendered by servingctl.",
    ),
    "adopted-revision": ChangeKind(
        Effect.REPLACE,
        "The label `app.kubernetes.io/managed-by` reaches pods: Knative starts a new revision of "
        "`{workload}` once, when the service is first rendered by servingctl.",
    ),
    # what does not
    "scaling": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: `{workload}` now has {after} (before: {before}); no pod is replaced.",
    ),
    "scaling-rule": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: the autoscaler of `{workload}` counts otherwise; no pod is replaced.",
    ),
    "scaling-same": ChangeKind(
        Effect.IN_PLACE, "{field} changed, but `{workload}` still has {after}."
    ),
    "no-zero": ChangeKind(
        Effect.IGNORED,
        "`minReplicas` is 0, but the autoscaler of a Deployment keeps one pod at least.",
        "Write 1, or use the mode Knative.",
    ),
    "unscaled": ChangeKind(
        Effect.IGNORED,
        "{field} has no effect: KServe makes no autoscaler that would look at it here.",
        "Remove it.",
    ),
    "strategy": ChangeKind(
        Effect.IN_PLACE, "The next rollout of `{workload}` follows the new `deploymentStrategy`."
    ),
    "timeout": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed: only a route of the Gateway API knows it; no pod is replaced.",
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
        "{field} has no effect: KServe passes on only maxBatchSize and maxLatency.",
        "Remove it.",
    ),
    "knative-service": ChangeKind(
        Effect.IN_PLACE,
        "{field} changed on the Knative Service only; there is no new revision.",
    ),
    # requests
    "traffic": ChangeKind(
        Effect.IN_PLACE,
        "The newest revision of `{workload}` gets {after} % of the requests, the one that was "
        "rolled out last the rest; no pod is replaced.",
        _HISTORY,
    ),
    "promoted-revision": ChangeKind(
        Effect.IN_PLACE,
        "The newest revision of `{workload}` gets all requests and counts as rolled out; the one "
        "before scales down to nothing.",
    ),
    "rolled-back": ChangeKind(
        Effect.IN_PLACE,
        "All requests go to the revision of `{workload}` that was rolled out last; the newest one "
        "stays without any.",
        _HISTORY,
    ),
    # components that come and go
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
        "`trafficPercent` changed from {before} to {after}, but KServe 0.20 routes no requests to "
        "`{workload}` whatever it is: it only counts how many pods the predictor has less.",
        "Call the Service `{workload}` to try it.",
    ),
    "promoted": ChangeKind(
        Effect.IN_PLACE,
        "The canary's Deployment `{workload}` goes on as the predictor, without a restart; the old "
        "one, `{former}`, is deleted, and its autoscaler is left behind.",
        "Delete the HorizontalPodAutoscaler `{former}`.",
    ),
    "promoted-changed": ChangeKind(
        Effect.ROLLING,
        "The canary's Deployment `{workload}` goes on as the predictor, but not as it was: its "
        "pods are replaced; the old one, `{former}`, is deleted.",
        "Give the predictor all that the canary says, and nothing else.",
    ),
    "other-name": ChangeKind(
        Effect.RECREATE,
        "`predictor.name` changed: the Deployment `{workload}` is made, and `{former}` is deleted "
        "at once; nobody answers until the new pods are ready.",
        "Run it as a canary of that name first.",
    ),
    "other-name-left": ChangeKind(
        Effect.ORPHANS,
        "`predictor.name` changed: the Knative Service `{workload}` is made, and `{former}` is "
        "left behind (inferred).",
        "Delete it by hand once nobody calls it.",
    ),
    "left": ChangeKind(
        Effect.ORPHANS,
        "The {part} is not called any more, but KServe deletes nothing of it: `{workload}` goes on "
        "running until the service is deleted.",
        "Delete it by hand, with its Service and its autoscaler.",
    ),
    # runtimes
    "runtime-unused": ChangeKind(
        Effect.IN_PLACE, "{field} of the runtime `{runtime}` changed; no pod is replaced."
    ),
    "runtime-rolling": ChangeKind(
        Effect.ROLLING,
        "{field} of the runtime `{runtime}` changed: KServe replaces the pods of every service "
        "that uses it, all services at once.",
    ),
    "runtime-recreated": ChangeKind(
        Effect.RECREATE,
        "{field} of the runtime `{runtime}` changed: all pods of `{workload}` stop before new ones "
        "start.",
    ),
    "runtime-revision": ChangeKind(
        Effect.REPLACE,
        "{field} of the runtime `{runtime}` changed: Knative starts a new revision of every "
        "service that uses it, all services at once; once `{workload}` is ready, {share}.",
    ),
    "runtime-later": ChangeKind(
        Effect.DEFERRED,
        "{field} of the runtime `{runtime}` changed what pods are made of, but KServe looks at "
        "its users only when something else touches them.",
        "Touch the service when it suits: its pods are replaced then.",
        pods=True,
    ),
    "runtime-came": ChangeKind(
        Effect.DEFERRED,
        "The runtime `{runtime}` is there now; KServe looks for it when something else touches "
        "the service, and replaces its pods then.",
        "Touch the service when it suits.",
        pods=True,
    ),
    "runtime-gone": ChangeKind(
        Effect.DEFERRED,
        "The runtime `{runtime}` is gone and another one of that name takes its place once "
        "something else touches the service; its pods are replaced then.",
        "Touch the service when it suits.",
        pods=True,
    ),
    "runtime-missing": ChangeKind(
        Effect.BREAKS,
        "The runtime `{runtime}` is gone (RuntimeNotRecognized): what runs stays as it is, but "
        "no change of the service is applied any more.",
        "Keep the runtime until no service names it.",
    ),
    "runtime-broken": ChangeKind(
        Effect.BREAKS,
        f"KServe can make nothing of the runtime any more: {{reason}}; {_STAYS}, but no change of "
        "the service is applied.",
        "Correct the runtime, or let the service use another one.",
    ),
    "runtime-refused": ChangeKind(
        Effect.REFUSED,
        f"KServe's webhook rejects the runtime: {{reason}}; {_STAYS}.",
        _AGAIN,
    ),
    "runtime-frozen": ChangeKind(
        Effect.IGNORED,
        "The service has the annotation `serving.kserve.io/disable-auto-update`: it does not "
        "follow the runtime `{runtime}`.",
        "Remove the annotation for a while.",
    ),
}
