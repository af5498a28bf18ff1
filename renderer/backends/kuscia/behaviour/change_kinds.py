"""Changes of objects and of a KusciaDeployment's fields, on which an apply acts at once."""

from functools import partial

from renderer.derive.behaviour import NOTHING, ChangeKind
from renderer.values.changes import Effect

#: Kinds by their effect. Comments in the tables of rows name recordings by their number; they are
#: in tests/observed/kuscia/edits.
broken = partial(ChangeKind, Effect.BREAKS)
created = partial(ChangeKind, Effect.CREATE)
deferred = partial(ChangeKind, Effect.DEFERRED)
deleted = partial(ChangeKind, Effect.DELETE)
ignored = partial(ChangeKind, Effect.IGNORED)
in_place = partial(ChangeKind, Effect.IN_PLACE)
orphaned = partial(ChangeKind, Effect.ORPHANS)
recreated = partial(ChangeKind, Effect.RECREATE)
refused = partial(ChangeKind, Effect.REFUSED)
rolling = partial(ChangeKind, Effect.ROLLING)

AGAIN = "Add the serving under a new serving_id and switch its callers"
ANEW = f"{AGAIN}."
LATER = "when something else touches the serving there: a pod restart, an edit, a new controller"
STUCK = "Kuscia then updates none of its parties here, and keeps saying Available"
HASHED = "Set kuscia.appimage_naming to hashed, so that edits reach every party at once."
TOUCH = "Restart one of the party's pods there, so that Kuscia looks."
PLAIN_RACE = (
    "Normally at once, not always: of 12 such edits Kuscia 1.1 took over 12, while busy 8, and 6 "
    "where the KusciaDeployment came first (observed); a missed one waits for the next event."
)
NAME_RACE = (
    "If the AppImage comes first: of 12 such changes Kuscia 1.1 took over 12, busy or not; 4 where "
    "the KusciaDeployment came first (observed), and the others stay failed behind Available."
)
OBJECT_CHANGES = {
    "created": created(
        "Kuscia creates the Deployment `{deployment}` in the domain `{domain}`.", shown_by=()
    ),
    "created-at-partner": created(
        "The partner's Kuscia creates the Deployment `{deployment}` in its domain `{domain}`.",
        "{order}",
    ),
    "deleted": deleted(
        "Kuscia deletes the Deployment `{deployment}`, its Services and its ConfigMap{observed}; "
        "if the object is deleted in the foreground, as Argo CD does unless told otherwise, or "
        "with orphaning, they keep running until one of its pods changes.",
        "With Argo CD, set PrunePropagationPolicy=background in the Application's syncOptions.",
    ),
    "deleted-at-partner": deleted("Kuscia deletes the partner's copy and with it what runs of it."),
    "renamed": recreated(
        "`{before}` is now called `{after}`: a new serving with new ports, Service names and "
        "SERVING_ID starts, and the old one is deleted.",
        "Callers must change host and service_spec.id; keep both until they have.",
        pods=False,
    ),
    "moved": recreated(
        "The serving moves from the destination `{before}` to `{after}`: what runs is deleted and "
        "made anew.",
        "Wait until its Deployments are gone before the new one is applied, or give it a new "
        "serving_id.",
        pods=False,
        shown_by=(),
    ),
    "domain-came": recreated(
        "The domain `{domain}` moves from the destination `{before}` to `{after}`: the Kuscia "
        "there makes the party `{party}` anew once it is sent the serving, and running pods of the "
        "other parties keep the old address (inferred).",
        ANEW,
        pods=False,
        shown_by=(),
    ),
    "domain-left": orphaned(
        "The domain `{domain}` moves from the destination `{before}` to `{after}`: what runs of "
        "the party `{party}` at `{before}` stays (inferred).",
        f"{AGAIN}, then remove this one.",
        shown_by=(),
    ),
    "refused": refused(
        "The API server rejects the {kind}: {reason}. What runs stays as it is.",
        "Correct it; until then nothing of this change is applied.",
    ),
    "label": ignored(
        "{field} changed on the KusciaDeployment only; Kuscia does not pass it on to what runs."
    ),
    "gitops": in_place("{field} is for the GitOps controller; no pod restarts.", by_platform=False),
}
SERVING_CHANGES = {
    "input-config": rolling(
        "`inputConfig` changed: all pods of all parties are replaced at the same time, each party "
        "by itself{observed}; predictions can fail until every party runs the new one.",
        "For another model, run a second serving beside this one and switch the callers.",
    ),
    "input-config-text": rolling(
        "`inputConfig` is written in another way but holds the same data: Kuscia compares texts, "
        "so all pods of all parties are replaced.",
        "Keep the old text if no restart is wanted.",
    ),
    "replicas": in_place("Kuscia scales to {after} (before: {before}).", shown_by=()),
    "replicas-none": in_place(
        "Kuscia scales to no pods (before: {before}); the serving stays Progressing.",
        "Remove the party's serving if it is not wanted.",
    ),
    "replicas-removed": ignored(
        "`replicas` was removed: Kuscia keeps the last number it was given ({before}).",
        "Write the number that is wanted.",
    ),
    "strategy": in_place(
        "The Deployment has the new `strategy`{observed}: the next rollout follows it."
    ),
    "strategy-removed": ignored(
        "`strategy` was removed: Kuscia keeps the last one it was given.",
        "Write the strategy that is wanted.",
        shown_by=("ignored",),
    ),
    "resources": rolling(
        "`resources` of the container `{container}` changed: the party's pods are replaced."
    ),
    "resources-same": in_place(
        "The container `{container}` asks for the same as before; no pod restarts.",
        shown_by=(NOTHING,),
    ),
    "resources-unknown": ignored(
        "`resources` name the container `{container}`, which the AppImage does not have.",
        "Use the name of one of its containers: {containers}.",
        shown_by=("ignored",),
    ),
    "resources-not-running": ignored(
        "`resources` are for the container `{container}`, which running pods do not have.",
        ANEW,
        shown_by=("ignored",),
    ),
    "affinity": rolling(
        "`affinity` changed: the party's pods are replaced{observed}; Kuscia overwrites the "
        "selectors of pod terms."
    ),
    "affinity-selector": ignored(
        "Only selectors of `affinity` changed, and Kuscia overwrites those.", shown_by=("ignored",)
    ),
    "affinity-removed": ignored(
        "`affinity` was removed: the Deployment keeps the one it has.", ANEW
    ),
    "affinity-mode-none": ignored(
        "The affinity mode `none` matters only when a Deployment is made: the affinity that it has "
        "stays.",
        ANEW,
    ),
    "affinity-mode-set": rolling(
        "The affinity mode is `none` no more: Kuscia adds its anti-affinity and the party's pods "
        "are replaced."
    ),
    "affinity-mode-given": in_place(
        "The affinity mode adds nothing to the `affinity` that changes with it.",
        shown_by=(NOTHING,),
    ),
    "affinity-mode-partner": ignored(
        "The affinity mode is an annotation, which partners are not sent."
    ),
    "pod-field": ignored(
        "`{field}` of a party's template has no effect: Kuscia takes only replicas, strategy, "
        "affinity and the resources of containers from it.",
        "Set it in the AppImage instead, and add the serving under a new serving_id.",
        shown_by=("ignored",),
    ),
    "image-ref": rolling(
        "`appImageRef` changed to `{image}`: the party's pods are replaced by ones with its image "
        "and resources; nothing else of it is applied{observed}.{race}",
        "{order}",
    ),
    "image-ref-partner": rolling(
        "`appImageRef` changed to `{image}`: the partner's pods are replaced once its control "
        "plane has that AppImage; until then every update of the serving fails there.",
        "{order}",
    ),
    "image-ref-same": in_place(
        "`appImageRef` changed to `{image}`, which has the same image and resources; no pod "
        "restarts.",
        "{order}",
        shown_by=(NOTHING,),
    ),
    "party-role": broken(
        "The role of `{before}` changed to `{after}`, for which no ports are allocated "
        f"(AllocatePortsFailed). {STUCK}; the old Deployment keeps running.",
        ANEW,
    ),
    "party-domain": broken(
        "The party `{before}` became `{after}`, for which no ports are allocated "
        f"(AllocatePortsFailed). {STUCK}; what runs in the old domain is left behind.",
        ANEW,
    ),
    "party-added": broken(
        f"The party `{{after}}` was added, and ports are allocated only once "
        f"(AllocatePortsFailed). {STUCK}.",
        ANEW,
    ),
    "party-added-elsewhere": recreated(
        "The party `{after}` is deployed by its own control plane, but running pods never learn "
        "of it, and the serving goes on counting its parties without it.",
        f"{ANEW} {{order}}",
        pods=False,
    ),
    "party-removed": orphaned(
        "What runs of the party `{before}` keeps running: Deployment, Services and "
        "ConfigMap{observed}. Other pods go on calling it, and the serving goes on counting it.",
        f"{AGAIN}, then remove this one.",
    ),
    "parties-reordered": ignored("Running pods keep the old order of parties (CLUSTER_DEFINE)."),
    "service-prefix": orphaned(
        "Services are added under the new `serviceNamePrefix`; the old ones stay, and pods keep "
        "the old addresses.",
        f"{AGAIN}, then remove this one.",
    ),
    "service-prefix-unused": in_place(
        "`serviceNamePrefix` changed, but the party has no Services: nothing happens.",
        shown_by=(NOTHING,),
    ),
    "initiator": ignored("`initiator` changed: what runs does not follow it.", ANEW),
    "initiator-across": recreated(
        "`initiator` changed to `{after}`, and with it the control plane that drives the others; "
        "what runs does not follow.",
        ANEW,
        pods=False,
    ),
    "app-type": ignored(
        "The label `app-type` is fixed when a Deployment is made, also in its selector.",
        ANEW,
    ),
    "rejected": broken(
        f"Kubernetes refuses the Deployment: {{reason}} (RetryProcessingFailed). {STUCK}.",
        "Correct it before it is merged.",
    ),
    "image-missing": broken(
        f"The AppImage `{{image}}` is not there (BuildPartyKitInfoFailed). {STUCK}.",
        "Render the AppImage for this destination, or refer to one that is there.",
    ),
    "no-template": broken(
        "No deploy template of the AppImage `{image}` is for the role {role} "
        f"(BuildPartyKitInfoFailed). {STUCK}.",
        "Give one of its deployTemplates that role, or none.",
    ),
}
