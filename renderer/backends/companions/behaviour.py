"""What an edit of a companion does: which fields are fixed, which reach pods, and what stays."""

from collections.abc import Mapping

from renderer.backends.companions import claims, content, workload_edits
from renderer.backends.companions.claims import claim_rows
from renderer.backends.companions.content import content_rows
from renderer.backends.companions.fixed_fields import fixed_rows
from renderer.backends.companions.sides import is_new, old_value
from renderer.backends.companions.workload_edits import workload_rows
from renderer.backends.fields import text
from renderer.derive.behaviour import Behaviour, ChangeKind, Row, Situation, Stage, all_of
from renderer.text.expressions import expression
from renderer.values.changes import Effect

_PRUNE, _OPTIONS = "kustomize.toolkit.fluxcd.io/prune", "argocd.argoproj.io/sync-options"
_CONTENT_NAME = expression(r"(.+)-[0-9a-f]{10}")

CHANGE_KINDS: Mapping[str, ChangeKind] = {
    "object-created": ChangeKind(Effect.CREATE, "The {kind} `{name}` is created."),
    "object-deleted": ChangeKind(Effect.DELETE, "The {kind} `{name}` is deleted."),
    "object-kept": ChangeKind(
        Effect.ORPHANS,
        "The {kind} `{name}` is no longer rendered for `{place}`, but is marked not to be pruned: "
        "it stays there.",
        "If nothing needs it any more, delete it in that cluster: `{command}`.",
        pods=False,
    ),
    "object-renamed": ChangeKind(
        Effect.RECREATE,
        "`{before}` is now `{after}`: {a_kind} is created under the new name, and the old one is "
        "deleted.",
        "What names the old one without being in Git must follow.",
        pods=False,
    ),
    "generation": ChangeKind(
        Effect.REPLACE,
        "The name follows the content: {a_kind} `{after}` is made, and what refers to it follows. "
        "`{before}` stays beside it until the content changes again.",
        pods=False,
    ),
    "object-left": ChangeKind(
        Effect.ORPHANS,
        "`{before}` is now `{after}`: {a_kind} is created under the new name, and the old one, "
        "which is marked not to be pruned, stays.",
        "If nothing needs it any more, delete it by hand: `{command}`.",
        pods=False,
    ),
    "fixed": ChangeKind(
        Effect.REFUSED,
        "{field} of {a_kind} cannot be changed: the API server rejects the object, and what is "
        "there stays as it is.",
        "Give the object another name, or delete it in the cluster first.",
    ),
    "family-chosen": ChangeKind(
        Effect.UNKNOWN,
        "{field} is accepted if the first of them is what the cluster has chosen for the Service; "
        "else the API server rejects it.",
        "Look at the Service in the cluster: what it has there is what to write.",
    ),
    "finalizers-kept": ChangeKind(
        Effect.IGNORED, "{field} of a Namespace is changed by its controllers alone."
    ),
    "address-stays": ChangeKind(
        Effect.IGNORED,
        "{field} is no longer written, and the Service keeps what it has.",
        "Delete the Service in the cluster if it is to get another address.",
    ),
    "object-in-place": ChangeKind(Effect.IN_PLACE, "{field} of the {kind} changes in place."),
    "object-not-known": ChangeKind(
        Effect.UNKNOWN,
        "{field} of the {kind} changed, and it is not known what its controller does.",
        "Try it where nobody depends on it.",
    ),
}

#: Whose controllers follow every edit; no pod is replaced.
_FOLLOWED = (
    "APIService", "CSIDriver", "ClusterExternalSecret", "ClusterIssuer", "ClusterQueue",
    "ClusterRole", "ClusterRoleBinding", "ClusterSecretStore", "ClusterTriggerAuthentication",
    "ConfigMap", "CustomResourceDefinition", "DestinationRule", "DeviceClass", "EndpointSlice",
    "Endpoints", "ExternalSecret", "FlowSchema", "GRPCRoute", "Gateway.gateway.networking.k8s.io",
    "Gateway.networking.istio.io", "GatewayClass", "HTTPRoute", "HorizontalPodAutoscaler",
    "InferencePool", "Ingress", "IngressClass", "Issuer", "Lease", "LimitRange", "LocalQueue",
    "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration",
    "Namespace", "NetworkPolicy", "PersistentVolume", "PodDisruptionBudget", "PodMonitor",
    "PodTemplate", "PriorityClass", "PriorityLevelConfiguration", "PrometheusRule",
    "ReferenceGrant", "ResourceFlavor", "ResourceQuota", "Role", "RoleBinding", "RuntimeClass",
    "ScaledObject", "SealedSecret", "Secret", "SecretStore", "Service", "ServiceAccount",
    "ServiceMonitor", "StorageClass", "TriggerAuthentication", "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "VirtualService",
    "VolumeAttributesClass",
)  # fmt: skip


def behaviour() -> Behaviour:
    """Of an object that runs nothing: it is the only unit itself."""
    return Behaviour(_KINDS, (*_LIFE, *_ROWS), unit="object")


def workload_behaviour() -> Behaviour:
    """Of one that makes pods: what Kubernetes does with any such object comes behind these rows."""
    return Behaviour(_KINDS, (*_LIFE, *fixed_rows(), *workload_rows()))


def _is_kept(situation: Situation) -> bool:
    """Whether the object, as the cluster has it, is marked not to be pruned by either engine."""
    tree = situation.before.tree if situation.before else None
    notes = tree.get("metadata", "annotations") if tree else None
    if notes is None:
        return False
    options = (item.strip() for item in text(notes, _OPTIONS).split(","))
    return text(notes, _PRUNE) == "disabled" and "Prune=false" in options


def _is_gone(situation: Situation) -> bool:
    return situation.after is None


def _is_generation(situation: Situation) -> bool:
    """Whether the name is the former one with another digest of the content behind it."""
    sides = (situation.before, situation.after)
    old, new = (_CONTENT_NAME.fullmatch(side.name if side else "") for side in sides)
    former = old[1] if old else situation.before.name if situation.before else ""
    return new is not None and new[1] == former


def _command(situation: Situation) -> Mapping[str, str]:
    """How people delete an object that stays."""
    gone = situation.before or situation.applied
    group = text(gone.tree, "apiVersion").rpartition("/")[0]
    kind = f"{text(gone.tree, 'kind').lower()}.{group}".rstrip(".")
    where = f" --namespace {gone.namespace}" if gone.namespace else ""
    return {"command": f"kubectl delete {kind} {gone.name}{where}", "place": gone.destination}


def _was_immutable(situation: Situation) -> bool:
    return old_value(situation, "immutable") is True


def _is_not_given(situation: Situation) -> bool:
    return situation.change is not None and situation.change.after is None


_LIFE = (
    Row("object-created", stage=Stage.CREATED),
    Row("object-created", stage=Stage.MENDED),
    *(
        row
        for stage in (Stage.DELETED, Stage.MOVED)
        for row in (
            Row("object-kept", stage=stage, when=all_of(_is_gone, _is_kept), words=_command),
            Row("object-deleted", stage=stage, when=_is_gone),
        )
    ),
    Row("object-created", stage=Stage.MOVED),
    Row("object-left", stage=Stage.RENAMED, when=_is_kept, words=_command),
    Row("generation", stage=Stage.RENAMED, when=_is_generation),
    Row("object-renamed", stage=Stage.RENAMED),
    Row("object-in-place", ("metadata",)),
)

_ROWS = (
    *claim_rows(),
    *fixed_rows(),
    *(
        Row("fixed", (key,), of=kind, when=_was_immutable)
        for kind in ("ConfigMap", "Secret")
        for key in ("data", "binaryData", "immutable")
    ),
    *(
        Row("address-stays", ("spec", key), of="Service", when=_is_not_given)
        for key in ("clusterIP", "clusterIPs")
    ),
    Row("family-chosen", ("spec", "ipFamilies"), of="Service", when=is_new),
    Row("finalizers-kept", ("spec", "finalizers"), of="Namespace"),
    Row("object-in-place", ("spec", "volumeMode"), of="PersistentVolumeClaim"),
    *content_rows(),
    *(Row("object-in-place", of=kind) for kind in _FOLLOWED),
    Row("object-not-known"),
)
_KINDS: Mapping[str, ChangeKind] = {
    **CHANGE_KINDS,
    **claims.CHANGE_KINDS,
    **content.CHANGE_KINDS,
    **workload_edits.CHANGE_KINDS,
}
