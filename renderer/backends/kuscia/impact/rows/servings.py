"""Fields of a KusciaDeployment: an apply is acted on at once."""

from renderer.backends.kuscia.impact.rows.row import AGAIN, STUCK, Row
from renderer.values.changes import Effect

ROWS = {
    "input-config": Row(
        Effect.ROLLING,
        "`inputConfig` changed: all pods of all parties are replaced at the same time, each party "
        "by itself; predictions can fail until every party runs the new one.",
        "For another model, run a second serving beside this one and switch the callers.",
    ),
    "input-config-text": Row(
        Effect.ROLLING,
        "`inputConfig` is written in another way but holds the same data: Kuscia compares texts, "
        "so all pods of all parties are replaced.",
        "Keep the old text if no restart is wanted.",
    ),
    "replicas": Row(Effect.IN_PLACE, "Kuscia scales to {after} (before: {before})."),
    "replicas-none": Row(
        Effect.IN_PLACE,
        "Kuscia scales to no pods (before: {before}); the serving stays Progressing.",
        "Remove the party's serving if it is not wanted.",
    ),
    "replicas-removed": Row(
        Effect.IGNORED,
        "`replicas` was removed: Kuscia keeps the last number it was given ({before}).",
        "Write the number that is wanted.",
    ),
    "strategy": Row(Effect.IN_PLACE, "The next rollout follows the new `strategy`."),
    "strategy-removed": Row(
        Effect.IGNORED,
        "`strategy` was removed: Kuscia keeps the last one it was given.",
        "Write the strategy that is wanted.",
    ),
    "resources": Row(
        Effect.ROLLING,
        "`resources` of the container `{container}` changed: the party's pods are replaced.",
    ),
    "resources-same": Row(
        Effect.IN_PLACE,
        "The container `{container}` asks for the same as before; no pod restarts.",
    ),
    "resources-unknown": Row(
        Effect.IGNORED,
        "`resources` name the container `{container}`, which the AppImage does not have.",
        "Use the name of one of its containers: {containers}.",
    ),
    "resources-not-running": Row(
        Effect.IGNORED,
        "`resources` are for the container `{container}`, which running pods do not have.",
        f"{AGAIN}.",
    ),
    "affinity": Row(
        Effect.ROLLING,
        "`affinity` changed: the party's pods are replaced; Kuscia overwrites the selectors of pod "
        "terms.",
    ),
    "affinity-selector": Row(
        Effect.IGNORED, "Only selectors of `affinity` changed, and Kuscia overwrites those."
    ),
    "affinity-removed": Row(
        Effect.IGNORED, "`affinity` was removed: the Deployment keeps the one it has.", f"{AGAIN}."
    ),
    "affinity-mode-none": Row(
        Effect.IGNORED,
        "The affinity mode `none` matters only when a Deployment is made: the affinity that it has "
        "stays.",
        f"{AGAIN}.",
    ),
    "affinity-mode-set": Row(
        Effect.ROLLING,
        "The affinity mode is `none` no more: Kuscia adds its anti-affinity and the party's pods "
        "are replaced.",
    ),
    "affinity-mode-given": Row(
        Effect.IN_PLACE, "The affinity mode adds nothing to the `affinity` that changes with it."
    ),
    "affinity-mode-partner": Row(
        Effect.IGNORED, "The affinity mode is an annotation, which partners are not sent."
    ),
    "pod-field": Row(
        Effect.IGNORED,
        "`{field}` of a party's template has no effect: Kuscia takes only replicas, strategy, "
        "affinity and the resources of containers from it.",
        "Set it in the AppImage instead, and add the serving under a new serving_id.",
    ),
    "image-ref": Row(
        Effect.ROLLING,
        "`appImageRef` changed to `{image}`: the party's pods are replaced by ones with its image "
        "and resources; nothing else of it is applied.",
    ),
    "image-ref-partner": Row(
        Effect.ROLLING,
        "`appImageRef` changed to `{image}`: the partner's pods are replaced once its control "
        "plane has that AppImage; until then every update of the serving fails there.",
        "See that the partner has `{image}` before this is applied.",
    ),
    "image-ref-same": Row(
        Effect.IN_PLACE,
        "`appImageRef` changed to `{image}`, which has the same image and resources; no pod "
        "restarts.",
    ),
    "party-role": Row(
        Effect.BREAKS,
        "The role of `{before}` changed to `{after}`, for which no ports are allocated "
        f"(AllocatePortsFailed). {STUCK}; the old Deployment keeps running.",
        f"{AGAIN}.",
    ),
    "party-domain": Row(
        Effect.BREAKS,
        "The party `{before}` became `{after}`, for which no ports are allocated "
        f"(AllocatePortsFailed). {STUCK}; what runs in the old domain is left behind.",
        f"{AGAIN}.",
    ),
    "party-added": Row(
        Effect.BREAKS,
        f"The party `{{after}}` was added, and ports are allocated only once "
        f"(AllocatePortsFailed). {STUCK}.",
        f"{AGAIN}.",
    ),
    "party-added-elsewhere": Row(
        Effect.RECREATE,
        "The party `{after}` is deployed by its own control plane, but running pods never learn "
        "of it, and the serving goes on counting its parties without it.",
        f"{AGAIN}.",
    ),
    "party-removed": Row(
        Effect.ORPHANS,
        "What runs of the party `{before}` keeps running: Deployment, Services and ConfigMap. "
        "Other pods go on calling it, and the serving goes on counting it.",
        f"{AGAIN}, then remove this one.",
    ),
    "parties-reordered": Row(
        Effect.IGNORED, "Running pods keep the old order of parties (CLUSTER_DEFINE)."
    ),
    "service-prefix": Row(
        Effect.ORPHANS,
        "Services are added under the new `serviceNamePrefix`; the old ones stay, and pods keep "
        "the old addresses.",
        f"{AGAIN}, then remove this one.",
    ),
    "initiator": Row(
        Effect.IGNORED, "`initiator` changed: what runs does not follow it.", f"{AGAIN}."
    ),
    "initiator-across": Row(
        Effect.RECREATE,
        "`initiator` changed to `{after}`, and with it the control plane that drives the others; "
        "what runs does not follow.",
        f"{AGAIN}.",
    ),
    "app-type": Row(
        Effect.IGNORED,
        "The label `app-type` is fixed when a Deployment is made, also in its selector.",
        f"{AGAIN}.",
    ),
    "rejected": Row(
        Effect.BREAKS,
        f"Kubernetes refuses the Deployment: {{reason}} (RetryProcessingFailed). {STUCK}.",
        "Correct it before it is merged.",
    ),
    "image-missing": Row(
        Effect.BREAKS,
        f"The AppImage `{{image}}` is not there (BuildPartyKitInfoFailed). {STUCK}.",
        "Render the AppImage for this destination, or refer to one that is there.",
    ),
    "no-template": Row(
        Effect.BREAKS,
        "No deploy template of the AppImage `{image}` is for the role {role} "
        f"(BuildPartyKitInfoFailed). {STUCK}.",
        "Give one of its deployTemplates that role, or none.",
    ),
}
