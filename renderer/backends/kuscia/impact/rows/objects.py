"""Objects that come, go or are refused, and what is written on them."""

from renderer.backends.kuscia.impact.rows.row import AGAIN, Row
from renderer.values.changes import Effect

ROWS = {
    "created": Row(
        Effect.CREATE, "Kuscia creates the Deployment `{deployment}` in the domain `{domain}`."
    ),
    "created-at-partner": Row(
        Effect.CREATE,
        "The partner's Kuscia creates the Deployment `{deployment}` in its domain `{domain}`.",
        "Its control plane must have the AppImage `{image}` first.",
    ),
    "deleted": Row(
        Effect.DELETE,
        "Kuscia deletes the Deployment `{deployment}`, its Services and its ConfigMap; if the "
        "object is deleted in the foreground, as Argo CD does unless told otherwise, they keep "
        "running (inferred from the controller's source).",
        "With Argo CD, set PrunePropagationPolicy=background in the Application's syncOptions.",
    ),
    "deleted-at-partner": Row(
        Effect.DELETE, "Kuscia deletes the partner's copy and with it what runs of it."
    ),
    "renamed": Row(
        Effect.RECREATE,
        "`{before}` is now called `{after}`: a new serving with new ports, Service names and "
        "SERVING_ID starts, and the old one is deleted.",
        "Callers must change host and service_spec.id; keep both until they have.",
    ),
    "moved": Row(
        Effect.RECREATE,
        "The serving moves from the destination `{before}` to `{after}`: what runs is deleted and "
        "made anew.",
        "Wait until its Deployments are gone before the new one is applied, or give it a new "
        "serving_id.",
    ),
    "domain-came": Row(
        Effect.RECREATE,
        "The domain `{domain}` moves from the destination `{before}` to `{after}`: the Kuscia "
        "there makes the party `{party}` anew once it is sent the serving, and running pods of the "
        "other parties keep the old address (inferred).",
        f"{AGAIN}.",
    ),
    "domain-left": Row(
        Effect.ORPHANS,
        "The domain `{domain}` moves from the destination `{before}` to `{after}`: what runs of "
        "the party `{party}` at `{before}` stays (inferred).",
        f"{AGAIN}, then remove this one.",
    ),
    "refused": Row(
        Effect.REFUSED,
        "The API server rejects the {kind}: {reason}. What runs stays as it is.",
        "Correct it; until then nothing of this change is applied.",
    ),
    "label": Row(
        Effect.IGNORED,
        "{what} changed on the KusciaDeployment only; Kuscia does not pass it on to what runs.",
    ),
    "gitops": Row(Effect.IN_PLACE, "{what} is for the GitOps controller; no pod restarts."),
}
