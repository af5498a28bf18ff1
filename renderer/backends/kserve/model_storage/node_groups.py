"""Nodes that keep models: which they are, and claims that can be bound there."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.plain_objects import NODE_GROUP, ObjectView
from renderer.backends.kserve.settings import PLATFORM
from renderer.kubernetes.pods import Field
from renderer.kubernetes.quantities import value
from renderer.kubernetes.versions import versions_of
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SOURCE = "kserve/kserve: pkg/controller/v1alpha1/utils, localmodel/reconcilers"
_VOLUME, _CLAIM = "persistentVolumeSpec", "persistentVolumeClaimSpec"


@rule("KSV650", Severity.ERROR, NODE_GROUP, since=_SINCE)
def group_has_nodes(view: ObjectView) -> Iterator[Finding]:
    """The volume says by `nodeAffinity.required` which nodes are in the group.

    Without it no node is, and nothing is fetched.

    Fails:
        persistentVolumeSpec:
          hostPath: {path: /models}
          local: null
          nodeAffinity: null
    Passes:
        persistentVolumeSpec:
          nodeAffinity:
            required:
              nodeSelectorTerms:
                - matchExpressions: [{key: pool, operator: In, values: [gpu]}]
    """
    volume = Field((), view.tree).get(_VOLUME)
    if volume and not elements(volume.node, "nodeAffinity", "required", "nodeSelectorTerms"):
        fix = "write nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: […]}]}}"
        yield volume.wrong_key("no node is in the group: the volume names none", fix)


@rule("KSV651", Severity.ERROR, NODE_GROUP, since=_SINCE)
def claim_fits_the_volume(view: ObjectView) -> Iterator[Finding]:
    """The claim asks for no more than the volume has.

    Otherwise Kubernetes never binds it, and nothing is fetched.

    Fails: persistentVolumeClaimSpec: {resources: {requests: {storage: 900Gi}}}
    Passes: persistentVolumeClaimSpec: {resources: {requests: {storage: 500Gi}}}
    """
    asked = Field((), view.tree).get(_CLAIM, "resources", "requests", "storage")
    given = text(view.tree, _VOLUME, "capacity", "storage")
    wanted, there = value(str(asked.node.value)) if asked else None, value(given) if given else None
    if asked and wanted is not None and there is not None and wanted > there:
        message = f"the claim asks for {asked.node.value}, and the volume has {given}"
        yield asked.wrong(message, f"write {given}, or a larger capacity")


@rule("KSV652", Severity.ERROR, NODE_GROUP, since=_SINCE)
def claim_has_the_class(view: ObjectView) -> Iterator[Finding]:
    """The claim has the `storageClassName` of the volume.

    Kubernetes binds no claim of another class, and gives its default class to a claim that says
    none; one for volumes without a class says "".

    Fails: persistentVolumeClaimSpec: {storageClassName: fast}
    Passes: persistentVolumeClaimSpec: {storageClassName: ''}
    """
    claim = Field((), view.tree).get(_CLAIM)
    volume = Field((), view.tree).get(_VOLUME)
    if claim is None or volume is None:
        return
    own, wanted = claim.get("storageClassName"), text(volume.node, "storageClassName")
    if own is None:
        message = "the claim says no storageClassName, and gets the default of the cluster"
        given = wanted or '""'
        yield claim.wrong_key(message, f"write storageClassName: {given}")
    elif own.text != wanted:
        message = f"the claim has the class {own.text!r}, and the volume {wanted!r}"
        yield own.wrong(message, "write the same in both")


@rule("KSV653", Severity.ERROR, NODE_GROUP, since=_SINCE)
def claim_has_modes_of_the_volume(view: ObjectView) -> Iterator[Finding]:
    """The claim asks for ways of mounting that the volume offers: `accessModes`, `volumeMode`.

    Otherwise Kubernetes never binds it, and nothing is fetched.

    Fails: persistentVolumeClaimSpec: {accessModes: [ReadWriteMany]}
    Passes: persistentVolumeClaimSpec: {accessModes: [ReadWriteOnce]}
    """
    claim, volume = (Field((), view.tree).get(key) for key in (_CLAIM, _VOLUME))
    if claim is None or volume is None:
        return
    offered = [item.text for item in volume.each("accessModes")]
    for mode in claim.each("accessModes"):
        if mode.text not in offered:
            message = f"the volume does not offer {mode.text}"
            yield mode.wrong(message, f"write {listed(offered, 'or') or 'it there as well'}")
    modes = [text(item.node, "volumeMode") or "Filesystem" for item in (claim, volume)]
    if modes[0] != modes[1]:
        place = claim.get("volumeMode") or claim
        yield place.wrong(
            f"the claim is for a {modes[0]}, the volume is a {modes[1]}", "align them"
        )


@rule("KSV654", Severity.ERROR, NODE_GROUP, since=_SINCE)
def kubernetes_takes_volumes_and_claims(view: ObjectView) -> Iterator[Finding]:
    """The volume and the claim are such that Kubernetes takes them.

    KServe takes anything. The API server then refuses the volumes or claims that KServe makes of it
    (observed), which only KServe's log says.

    Fails: persistentVolumeSpec: {hostPath: {path: /models}, local: {path: /models}}
    Passes: persistentVolumeSpec: {hostPath: {path: /models}, local: null}
    """
    from renderer.kubernetes.forms.claim import CLAIM
    from renderer.kubernetes.forms.persistent_volume import PERSISTENT_VOLUME
    from renderer.kubernetes.forms.shape import Walk, ready

    environment = view.environment
    walk = Walk(versions_of(environment, environment.platform_destinations(PLATFORM)))
    for key, shape in ((_VOLUME, PERSISTENT_VOLUME), (_CLAIM, CLAIM)):
        if node := view.tree.get(key):
            ready(shape)(node, (key,), walk)
    yield from (finding for _, finding in walk.found)


RULES = rules_with_source(
    (
        group_has_nodes,
        claim_fits_the_volume,
        claim_has_the_class,
        claim_has_modes_of_the_volume,
        kubernetes_takes_volumes_and_claims,
    ),
    _SOURCE,
)
