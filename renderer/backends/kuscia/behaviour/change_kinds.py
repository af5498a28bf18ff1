"""Changes of objects and of a KusciaDeployment's fields, on which an apply acts at once."""

from renderer.derive.behaviour import ChangeKind
from renderer.values.changes import Effect

AGAIN = "Add the serving under a new serving_id and switch its callers"
LATER = "when something else touches the serving there: a pod restart, an edit, a new controller"
STUCK = "Kuscia then updates none of its parties here, and keeps saying Available"
HASHED = "Set kuscia.appimage_naming to hashed, so that edits reach every party at once."
TOUCH = "Restart one of the party's pods there, so that Kuscia looks."
PLAIN_RACE = (
    "Normally at once, not always: of 12 such edits Kuscia took over 12, while busy 8, and 6 where "
    "the KusciaDeployment came first (observed); a missed one waits for the next event."
)
NAME_RACE = (
    "If the AppImage comes first: of 12 such changes Kuscia took over 12, busy or not; 4 where the "
    "KusciaDeployment came first (observed), and the others stay failed behind Available."
)
OBJECT_CHANGES = {
    "created": ChangeKind(
        Effect.CREATE, "Kuscia creates the Deployment `{deployment}` in the domain `{domain}`."
    ),
    "created-at-partner": ChangeKind(
        Effect.CREATE,
        "The partner's Kuscia creates the Deployment `{deployment}` in its domain `{domain}`.",
        "Its control plane must have the AppImage `{image}` first.",
    ),
    "deleted": ChangeKind(
        Effect.DELETE,
        "Kuscia deletes the Deployment `{deployment}`, its Services and its ConfigMap; if the "
        "object is deleted in the foreground, as Argo CD does unless told otherwise, or with "
        "orphaning, they keep running until one of its pods changes.",
        "With Argo CD, set PrunePropagationPolicy=background in the Application's syncOptions.",
        observed=True,
    ),
    "deleted-at-partner": ChangeKind(
        Effect.DELETE, "Kuscia deletes the partner's copy and with it what runs of it."
    ),
    "renamed": ChangeKind(
        Effect.RECREATE,
        "`{before}` is now called `{after}`: a new serving with new ports, Service names and "
        "SERVING_ID starts, and the old one is deleted.",
        "Callers must change host and service_spec.id; keep both until they have.",
        observed=True,
        pods=False,
    ),
    "moved": ChangeKind(
        Effect.RECREATE,
        "The serving moves from the destination `{before}` to `{after}`: what runs is deleted and "
        "made anew.",
        "Wait until its Deployments are gone before the new one is applied, or give it a new "
        "serving_id.",
        pods=False,
    ),
    "domain-came": ChangeKind(
        Effect.RECREATE,
        "The domain `{domain}` moves from the destination `{before}` to `{after}`: the Kuscia "
        "there makes the party `{party}` anew once it is sent the serving, and running pods of the "
        "other parties keep the old address (inferred).",
        f"{AGAIN}.",
        pods=False,
    ),
    "domain-left": ChangeKind(
        Effect.ORPHANS,
        "The domain `{domain}` moves from the destination `{before}` to `{after}`: what runs of "
        "the party `{party}` at `{before}` stays (inferred).",
        f"{AGAIN}, then remove this one.",
    ),
    "refused": ChangeKind(
        Effect.REFUSED,
        "The API server rejects the {kind}: {reason}. What runs stays as it is.",
        "Correct it; until then nothing of this change is applied.",
    ),
    "label": ChangeKind(
        Effect.IGNORED,
        "{field} changed on the KusciaDeployment only; Kuscia does not pass it on to what runs.",
        observed=True,
    ),
    "gitops": ChangeKind(
        Effect.IN_PLACE, "{field} is for the GitOps controller; no pod restarts.", by_platform=False
    ),
}
SERVING_CHANGES = {
    "input-config": ChangeKind(
        Effect.ROLLING,
        "`inputConfig` changed: all pods of all parties are replaced at the same time, each party "
        "by itself; predictions can fail until every party runs the new one.",
        "For another model, run a second serving beside this one and switch the callers.",
        observed=True,
    ),
    "input-config-text": ChangeKind(
        Effect.ROLLING,
        "`inputConfig` is written in another way but holds the same data: Kuscia compares texts, "
        "so all pods of all parties are replaced.",
        "Keep the old text if no restart is wanted.",
        observed=True,
    ),
    "replicas": ChangeKind(Effect.IN_PLACE, "Kuscia scales to {after} (before: {before})."),
    "replicas-none": ChangeKind(
        Effect.IN_PLACE,
        "Kuscia scales to no pods (before: {before}); the serving stays Progressing.",
        "Remove the party's serving if it is not wanted.",
        observed=True,
    ),
    "replicas-removed": ChangeKind(
        Effect.IGNORED,
        "`replicas` was removed: Kuscia keeps the last number it was given ({before}).",
        "Write the number that is wanted.",
        observed=True,
    ),
    "strategy": ChangeKind(
        Effect.IN_PLACE, "The next rollout follows the new `strategy`.", observed=True
    ),
    "strategy-removed": ChangeKind(
        Effect.IGNORED,
        "`strategy` was removed: Kuscia keeps the last one it was given.",
        "Write the strategy that is wanted.",
    ),
    "resources": ChangeKind(
        Effect.ROLLING,
        "`resources` of the container `{container}` changed: the party's pods are replaced.",
        observed=True,
    ),
    "resources-same": ChangeKind(
        Effect.IN_PLACE,
        "The container `{container}` asks for the same as before; no pod restarts.",
        observed=True,
    ),
    "resources-unknown": ChangeKind(
        Effect.IGNORED,
        "`resources` name the container `{container}`, which the AppImage does not have.",
        "Use the name of one of its containers: {containers}.",
    ),
    "resources-not-running": ChangeKind(
        Effect.IGNORED,
        "`resources` are for the container `{container}`, which running pods do not have.",
        f"{AGAIN}.",
    ),
    "affinity": ChangeKind(
        Effect.ROLLING,
        "`affinity` changed: the party's pods are replaced; Kuscia overwrites the selectors of pod "
        "terms.",
        observed=True,
    ),
    "affinity-selector": ChangeKind(
        Effect.IGNORED, "Only selectors of `affinity` changed, and Kuscia overwrites those."
    ),
    "affinity-removed": ChangeKind(
        Effect.IGNORED, "`affinity` was removed: the Deployment keeps the one it has.", f"{AGAIN}."
    ),
    "affinity-mode-none": ChangeKind(
        Effect.IGNORED,
        "The affinity mode `none` matters only when a Deployment is made: the affinity that it has "
        "stays.",
        f"{AGAIN}.",
        observed=True,
    ),
    "affinity-mode-set": ChangeKind(
        Effect.ROLLING,
        "The affinity mode is `none` no more: Kuscia adds its anti-affinity and the party's pods "
        "are replaced.",
        observed=True,
    ),
    "affinity-mode-given": ChangeKind(
        Effect.IN_PLACE,
        "The affinity mode adds nothing to the `affinity` that changes with it.",
        observed=True,
    ),
    "affinity-mode-partner": ChangeKind(
        Effect.IGNORED, "The affinity mode is an annotation, which partners are not sent."
    ),
    "pod-field": ChangeKind(
        Effect.IGNORED,
        "`{field}` of a party's template has no effect: Kuscia takes only replicas, strategy, "
        "affinity and the resources of containers from it.",
        "Set it in the AppImage instead, and add the serving under a new serving_id.",
    ),
    "image-ref": ChangeKind(
        Effect.ROLLING,
        "`appImageRef` changed to `{image}`: the party's pods are replaced by ones with its image "
        "and resources; nothing else of it is applied{observed}.{race}",
        observed=True,
    ),
    "image-ref-partner": ChangeKind(
        Effect.ROLLING,
        "`appImageRef` changed to `{image}`: the partner's pods are replaced once its control "
        "plane has that AppImage; until then every update of the serving fails there.",
        "See that the partner has `{image}` before this is applied.",
    ),
    "image-ref-same": ChangeKind(
        Effect.IN_PLACE,
        "`appImageRef` changed to `{image}`, which has the same image and resources; no pod "
        "restarts.",
        observed=True,
    ),
    "party-role": ChangeKind(
        Effect.BREAKS,
        "The role of `{before}` changed to `{after}`, for which no ports are allocated "
        f"(AllocatePortsFailed). {STUCK}; the old Deployment keeps running.",
        f"{AGAIN}.",
        observed=True,
    ),
    "party-domain": ChangeKind(
        Effect.BREAKS,
        "The party `{before}` became `{after}`, for which no ports are allocated "
        f"(AllocatePortsFailed). {STUCK}; what runs in the old domain is left behind.",
        f"{AGAIN}.",
    ),
    "party-added": ChangeKind(
        Effect.BREAKS,
        f"The party `{{after}}` was added, and ports are allocated only once "
        f"(AllocatePortsFailed). {STUCK}.",
        f"{AGAIN}.",
        observed=True,
    ),
    "party-added-elsewhere": ChangeKind(
        Effect.RECREATE,
        "The party `{after}` is deployed by its own control plane, but running pods never learn "
        "of it (observed), and the serving goes on counting its parties without it.",
        f"{AGAIN}.",
        pods=False,
    ),
    "party-removed": ChangeKind(
        Effect.ORPHANS,
        "What runs of the party `{before}` keeps running: Deployment, Services and ConfigMap. "
        "Other pods go on calling it, and the serving goes on counting it.",
        f"{AGAIN}, then remove this one.",
        observed=True,
    ),
    "parties-reordered": ChangeKind(
        Effect.IGNORED,
        "Running pods keep the old order of parties (CLUSTER_DEFINE).",
        observed=True,
    ),
    "service-prefix": ChangeKind(
        Effect.ORPHANS,
        "Services are added under the new `serviceNamePrefix`; the old ones stay, and pods keep "
        "the old addresses.",
        f"{AGAIN}, then remove this one.",
        observed=True,
    ),
    "service-prefix-unused": ChangeKind(
        Effect.IN_PLACE,
        "`serviceNamePrefix` changed, but the party has no Services: nothing happens.",
        observed=True,
    ),
    "initiator": ChangeKind(
        Effect.IGNORED,
        "`initiator` changed: what runs does not follow it.",
        f"{AGAIN}.",
        observed=True,
    ),
    "initiator-across": ChangeKind(
        Effect.RECREATE,
        "`initiator` changed to `{after}`, and with it the control plane that drives the others; "
        "what runs does not follow.",
        f"{AGAIN}.",
        pods=False,
    ),
    "app-type": ChangeKind(
        Effect.IGNORED,
        "The label `app-type` is fixed when a Deployment is made, also in its selector.",
        f"{AGAIN}.",
    ),
    "rejected": ChangeKind(
        Effect.BREAKS,
        f"Kubernetes refuses the Deployment: {{reason}} (RetryProcessingFailed). {STUCK}.",
        "Correct it before it is merged.",
    ),
    "image-missing": ChangeKind(
        Effect.BREAKS,
        f"The AppImage `{{image}}` is not there (BuildPartyKitInfoFailed). {STUCK}.",
        "Render the AppImage for this destination, or refer to one that is there.",
        observed=True,
    ),
    "no-template": ChangeKind(
        Effect.BREAKS,
        "No deploy template of the AppImage `{image}` is for the role {role} "
        f"(BuildPartyKitInfoFailed). {STUCK}.",
        "Give one of its deployTemplates that role, or none.",
        observed=True,
    ),
}
