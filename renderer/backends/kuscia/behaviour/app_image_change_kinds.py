"""Fields of an AppImage, which Kuscia does not watch; `-now` is with an update of the serving."""

from renderer.backends.kuscia.behaviour.change_kinds import AGAIN, LATER, STUCK
from renderer.derive.behaviour import ChangeKind
from renderer.values.changes import Effect

IMAGE_CHANGES = {
    "image": ChangeKind(
        Effect.DEFERRED,
        f"The image changed: pods are replaced {LATER}.",
        "{way}",
        observed=True,
        pods=True,
    ),
    "image-now": ChangeKind(
        Effect.ROLLING,
        "The image changed: the party's pods are replaced{observed}.{race}",
        "{instead}",
        observed=True,
    ),
    "image-pinned": ChangeKind(
        Effect.BREAKS,
        "The pods that the image replaces carry the old `image.id` in their annotation (observed): "
        "under {runtime} the node terminates each new one for the mismatch. {left}",
        f"{AGAIN}{{later}}.",
        pods=True,
    ),
    "image-id": ChangeKind(
        Effect.IGNORED,
        "`image.{field}` is taken over only when a Deployment is made.",
        observed=True,
    ),
    "image-resources": ChangeKind(
        Effect.DEFERRED,
        f"`resources` of the container `{{container}}` changed: pods are replaced {LATER}.",
        "{way}",
        observed=True,
        pods=True,
    ),
    "image-resources-now": ChangeKind(
        Effect.ROLLING,
        "`resources` of the container `{container}` changed: the party's pods are replaced"
        "{observed}.{race}",
        "{instead}",
        observed=True,
    ),
    "image-resources-overridden": ChangeKind(
        Effect.IGNORED,
        "`resources` of the container `{container}` changed, which the serving overrides.",
        observed=True,
    ),
    "image-replicas": ChangeKind(
        Effect.IGNORED,
        "The template's `replicas` changed: live replicas follow only the serving.",
        "Set replicas in the serving.",
        observed=True,
    ),
    "config-templates": ChangeKind(
        Effect.IGNORED,
        "`configTemplates` changed: running pods keep the old file, and so do pods that restart.",
        f"{AGAIN}, or delete the ConfigMap `{{config_map}}` in the namespace `{{domain}}`: Kuscia "
        "makes it anew, and pods read it when they restart.",
        observed=True,
    ),
    "config-templates-added": ChangeKind(
        Effect.DEFERRED,
        f"The first `configTemplates`: the ConfigMap `{{config_map}}` is made {LATER}; running "
        "pods, and pods that restart, go on without it.",
        f"{AGAIN}.",
        observed=True,
        pods=False,
    ),
    "config-templates-added-now": ChangeKind(
        Effect.IN_PLACE,
        "The first `configTemplates`: the ConfigMap `{config_map}` is made; running pods, and pods "
        "that restart, go on without it{observed}.{race}",
        f"{AGAIN}.",
        observed=True,
    ),
    "config-templates-removed": ChangeKind(
        Effect.IGNORED,
        "`configTemplates` were removed: the ConfigMap `{config_map}` stays, and running pods, and "
        "pods that restart, keep their files.",
        f"{AGAIN}.",
        observed=True,
    ),
    "container-field": ChangeKind(
        Effect.IGNORED,
        "`{field}` of the container `{container}` changed: running pods, and pods that restart, "
        "keep the old one.",
        f"{AGAIN}.",
        observed=True,
    ),
    "image-affinity": ChangeKind(
        Effect.IGNORED,
        "The template's `affinity` changed: the Deployment keeps the one it has.",
        "Set it in the serving, or add the serving under a new serving_id.",
        observed=True,
    ),
    "port-added": ChangeKind(
        Effect.BREAKS,
        "The port `{port}` is new, and ports are allocated only once (AllocatePortsFailed at the "
        f"next reconcile). {STUCK}.",
        f"Give the AppImage with this port another name. {AGAIN}.",
        observed=True,
    ),
    "port-removed": ChangeKind(
        Effect.ORPHANS,
        "The port `{port}` was removed: its Service stays.",
        f"{AGAIN}.",
        observed=True,
    ),
    "port-closed": ChangeKind(
        Effect.ORPHANS,
        "The scope of the port `{port}` is Local now: its Service stays, and pods keep "
        "its address.",
        f"{AGAIN}.",
        observed=True,
    ),
    "port-removed-local": ChangeKind(
        Effect.IGNORED,
        "The port `{port}` was removed: running pods keep it.",
        f"{AGAIN}.",
        observed=True,
    ),
    "port-opened": ChangeKind(
        Effect.DEFERRED,
        f"The port `{{port}}` gets a Service {LATER}; running pods do not learn of it "
        "(CLUSTER_DEFINE).",
        f"{AGAIN}.",
        observed=True,
        pods=False,
    ),
    "port-opened-now": ChangeKind(
        Effect.IN_PLACE,
        "The port `{port}` gets a Service; running pods do not learn of it (CLUSTER_DEFINE)"
        "{observed}.{race}",
        f"{AGAIN}.",
        observed=True,
    ),
    "port-field": ChangeKind(
        Effect.IGNORED,
        "`{field}` of the port `{port}` changed: the Service that is there is not updated.",
        f"{AGAIN}.",
        observed=True,
    ),
    "port-field-local": ChangeKind(
        Effect.IGNORED,
        "`{field}` of the port `{port}` changed, which has no Service: running pods keep "
        "the old one.",
    ),
    "port-number": ChangeKind(
        Effect.IGNORED,
        "The number of the port `{port}` changed: Kuscia draws numbers itself.",
        observed=True,
    ),
    "network-policy": ChangeKind(
        Effect.IGNORED,
        "`networkPolicy` changed: Services that are there keep who may call them.",
        f"{AGAIN}.",
        observed=True,
    ),
    "container-added": ChangeKind(
        Effect.IGNORED,
        "The container `{container}` was added: running pods keep the containers they have.",
        f"{AGAIN}.",
        observed=True,
    ),
    "container-removed": ChangeKind(
        Effect.IGNORED,
        "The container `{container}` was removed: running pods keep the containers they have.",
        f"{AGAIN}.",
    ),
    "template-field": ChangeKind(
        Effect.IGNORED, "`{field}` of a deploy template has no effect on what runs.", observed=True
    ),
    "image-deleted": ChangeKind(
        Effect.BREAKS,
        "The AppImage `{image}` is deleted and the serving still refers to it "
        f"(BuildPartyKitInfoFailed at the next reconcile). {STUCK}; pods keep running.",
        "Keep it as long as a serving refers to it.",
        observed=True,
    ),
    "image-deleted-left": ChangeKind(
        Effect.ORPHANS,
        "The AppImage `{image}` is deleted, but what runs of the party `{party}` stays, and "
        "nothing updates or mends it any more.",
        "Delete the party's Deployment, Services and ConfigMap there by hand.",
    ),
    "image-created": ChangeKind(
        Effect.IGNORED,
        "The AppImage `{image}` comes after the serving, which does not look again by itself.",
        "Change the serving as well, for instance an annotation of its own.",
        observed=True,
    ),
    "image-created-now": ChangeKind(
        Effect.CREATE,
        "The AppImage `{image}` is there now, and the serving is updated: Kuscia makes what was "
        "missing.",
        observed=True,
    ),
}
