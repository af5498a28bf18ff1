"""Fields of an AppImage, which Kuscia does not watch; `-now` is with an update of the serving."""

from renderer.backends.kuscia.behaviour.change_kinds import (
    AGAIN,
    ANEW,
    LATER,
    STUCK,
    broken,
    created,
    deferred,
    ignored,
    in_place,
    orphaned,
    rolling,
)

IMAGE_CHANGES = {
    "image": deferred(
        f"The image changed: no pod is replaced yet{{observed}}, but {LATER}.", "{way}", pods=True
    ),
    "image-now": rolling(
        "The image changed: the party's pods are replaced{observed}.{race}",
        "{instead}{order}",
    ),
    "image-pinned": broken(
        "The pods that the image replaces carry the old `image.id` in their annotation: "
        "under {runtime} the node terminates each new one for the mismatch. {left}",
        f"{AGAIN}{{later}}.",
        pods=True,
        shown_by=(),
    ),
    "image-id": ignored("`image.{field}` is taken over only when a Deployment is made."),
    "image-resources": deferred(
        f"`resources` of the container `{{container}}` changed: no pod is replaced "
        f"yet{{observed}}, but {LATER}.",
        "{way}",
        pods=True,
    ),
    "image-resources-now": rolling(
        "`resources` of the container `{container}` changed: the party's pods are replaced"
        "{observed}.{race}",
        "{instead}{order}",
    ),
    "image-resources-overridden": ignored(
        "`resources` of the container `{container}` changed, which the serving overrides."
    ),
    "image-replicas": ignored(
        "The template's `replicas` changed: live replicas follow only the serving.",
        "Set replicas in the serving.",
    ),
    "config-templates": ignored(
        "`configTemplates` changed: running pods keep the old file, and so do pods that restart.",
        f"{AGAIN}, or delete the ConfigMap `{{config_map}}` in the namespace `{{domain}}`: Kuscia "
        "makes it anew, and pods read it when they restart.",
    ),
    "config-templates-added": deferred(
        f"The first `configTemplates`: the ConfigMap `{{config_map}}` is made {LATER}; running "
        "pods, and pods that restart, go on without it.",
        ANEW,
        pods=False,
    ),
    "config-templates-added-now": in_place(
        "The first `configTemplates`: the ConfigMap `{config_map}` is made; running pods, and pods "
        "that restart, go on without it{observed}.{race}",
        f"{ANEW} {{order}}",
    ),
    "config-templates-removed": ignored(
        "`configTemplates` were removed: the ConfigMap `{config_map}` stays, and running pods, and "
        "pods that restart, keep their files.",
        ANEW,
    ),
    "container-field": ignored(
        "`{field}` of the container `{container}` changed: running pods, and pods that restart, "
        "keep the old one.",
        ANEW,
    ),
    "image-affinity": ignored(
        "The template's `affinity` changed: the Deployment keeps the one it has.",
        "Set it in the serving, or add the serving under a new serving_id.",
    ),
    "port-added": broken(
        "The port `{port}` is new, and ports are allocated only once (AllocatePortsFailed at the "
        f"next reconcile). {STUCK}.",
        f"Give the AppImage with this port another name. {AGAIN}.",
    ),
    "port-removed": orphaned("The port `{port}` was removed: its Service stays.", ANEW),
    "port-closed": orphaned(
        "The scope of the port `{port}` is Local now: its Service stays, and pods keep "
        "its address.",
        ANEW,
    ),
    "port-removed-local": ignored("The port `{port}` was removed: running pods keep it.", ANEW),
    "port-opened": deferred(
        f"The port `{{port}}` has no Service yet{{observed}}, but gets one {LATER}; running pods "
        "do not learn of it (CLUSTER_DEFINE).",
        ANEW,
        pods=False,
    ),
    "port-opened-now": in_place(
        "The port `{port}` gets a Service; running pods do not learn of it (CLUSTER_DEFINE)"
        "{observed}.{race}",
        f"{ANEW} {{order}}",
    ),
    "port-field": ignored(
        "`{field}` of the port `{port}` changed: the Service that is there is not updated.", ANEW
    ),
    "port-field-local": ignored(
        "`{field}` of the port `{port}` changed, which has no Service: running pods keep "
        "the old one.",
    ),
    "port-number": ignored("The number of the port `{port}` changed: Kuscia draws numbers itself."),
    "network-policy": ignored(
        "`networkPolicy` changed: Services that are there keep who may call them.", ANEW
    ),
    "container-added": ignored(
        "The container `{container}` was added: running pods keep the containers they have.", ANEW
    ),
    "container-removed": ignored(
        "The container `{container}` was removed: running pods keep the containers they have.",
        ANEW,
    ),
    "template-field": ignored("`{field}` of a deploy template has no effect on what runs."),
    "image-deleted": broken(
        "The AppImage `{image}` is deleted and the serving still refers to it "
        f"(BuildPartyKitInfoFailed at the next reconcile). {STUCK}; pods keep running.",
        "Keep it as long as a serving refers to it.",
    ),
    "image-deleted-left": orphaned(
        "The AppImage `{image}` is deleted, but what runs of the party `{party}` stays, and "
        "nothing updates or mends it any more.",
        "Delete the party's Deployment, Services and ConfigMap there by hand.",
    ),
    "image-created": ignored(
        "The AppImage `{image}` comes after the serving, which does not look again by itself.",
        "Change the serving as well, for instance an annotation of its own.",
    ),
    "image-created-now": created(
        "The AppImage `{image}` is there now, and the serving is updated: Kuscia makes what was "
        "missing."
    ),
}
