"""What an edit of a companion does: which fields are fixed, which reach pods, and what stays."""

from collections.abc import Mapping

from renderer.backends.fields import text
from renderer.derive.behaviour import Behaviour, ChangeKind, Row, Situation, Stage, all_of, negated
from renderer.kubernetes.quantities import value
from renderer.text.expressions import expression
from renderer.values.changes import Effect
from renderer.values.diagnostics import Path

_PRUNE, _OPTIONS = "kustomize.toolkit.fluxcd.io/prune", "argocd.argoproj.io/sync-options"
_STORAGE: Path = ("spec", "resources", "requests", "storage")
_TEMPLATE: Path = ("spec", "template")
_CONTENT_NAME = expression(r"(.+)-[0-9a-f]{10}")
_RESTART = "kubectl rollout restart"

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
        "`{before}` is now `{after}`: a {kind} is created under the new name, and the old one is "
        "deleted.",
        "What names the old one without being in Git must follow.",
        pods=False,
    ),
    "generation": ChangeKind(
        Effect.REPLACE,
        "The name follows the content: a {kind} `{after}` is made, and what refers to it follows. "
        "`{before}` stays beside it until the content changes again.",
        pods=False,
    ),
    "object-left": ChangeKind(
        Effect.ORPHANS,
        "`{before}` is now `{after}`: a {kind} is created under the new name, and the old one, "
        "which is marked not to be pruned, stays.",
        "If nothing needs it any more, delete it by hand: `{command}`.",
        pods=False,
    ),
    "fixed": ChangeKind(
        Effect.REFUSED,
        "{field} of a {kind} cannot be changed: the API server rejects the object, and what is "
        "there stays as it is.",
        "Give the object another name, or delete it in the cluster first.",
    ),
    "smaller-claim": ChangeKind(
        Effect.REFUSED,
        "A claim cannot ask for less than before: the API server rejects it.",
        "Make a claim of another name, and copy what is needed.",
    ),
    "larger-claim": ChangeKind(
        Effect.UNKNOWN,
        "The claim grows if its StorageClass has `allowVolumeExpansion: true`, else the API server "
        "rejects it; some drivers need pods to restart.",
        "Look at the StorageClass first.",
    ),
    "pods-rolled": ChangeKind(
        Effect.ROLLING, "{field} changed: the pods of the {kind} `{name}` are replaced one by one."
    ),
    "pods-stopped": ChangeKind(
        Effect.RECREATE,
        "{field} changed: by its strategy Recreate all pods of the {kind} `{name}` stop before new "
        "ones start.",
    ),
    "pods-left": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: by its strategy OnDelete pods of the {kind} `{name}` stay until somebody "
        "deletes them.",
    ),
    "content": ChangeKind(
        Effect.DEFERRED,
        "{field} changed, and no pod starts anew: files of a mounted volume follow within a minute "
        "or so (not with subPath), variables keep the old content until their pods restart.",
        f"Restart the pods that read it as variables (`{_RESTART}`).",
    ),
    "object-in-place": ChangeKind(Effect.IN_PLACE, "{field} of the {kind} changes in place."),
    "object-not-known": ChangeKind(
        Effect.UNKNOWN,
        "{field} of the {kind} changed, and it is not known what its controller does.",
        "Try it where nobody depends on it.",
    ),
}

#: Fields that the API server refuses to change.
_FIXED: Mapping[str, tuple[Path, ...]] = {
    "ClusterRoleBinding": (("roleRef",),),
    "DaemonSet": (("spec", "selector"),),
    "Deployment": (("spec", "selector"),),
    "IngressClass": (("spec", "controller"),),
    "Job": (("spec", "selector"), ("spec", "completionMode"), _TEMPLATE),
    "PersistentVolumeClaim": tuple(
        ("spec", key)
        for key in ("accessModes", "dataSource", "dataSourceRef", "selector", "volumeMode")
    ),
    "PriorityClass": (("value",), ("preemptionPolicy",)),
    "ReplicaSet": (("spec", "selector"),),
    "ResourceClaim": (("spec",),),
    "RoleBinding": (("roleRef",),),
    "RuntimeClass": (("handler",),),
    "Secret": (("type",),),
    "StatefulSet": tuple(
        ("spec", key)
        for key in ("podManagementPolicy", "selector", "serviceName", "volumeClaimTemplates")
    ),
    "StorageClass": tuple(
        (key,) for key in ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")
    ),
}
#: What pods read: their own controllers do not look at it.
_CONTENT: Mapping[str, tuple[str, ...]] = {
    "ConfigMap": ("data", "binaryData"),
    "ExternalSecret": ("spec",),
    "SealedSecret": ("spec",),
}
#: Whose controllers follow every edit; no pod is replaced.
_FOLLOWED = (
    "ClusterRole", "ClusterRoleBinding", "ConfigMap", "ExternalSecret", "GRPCRoute", "HTTPRoute",
    "HorizontalPodAutoscaler", "Ingress", "LimitRange", "NetworkPolicy", "PodDisruptionBudget",
    "PodMonitor", "PrometheusRule", "ResourceQuota", "Role", "RoleBinding", "SealedSecret",
    "SecretStore", "ServiceAccount", "ServiceMonitor",
)  # fmt: skip


def behaviour() -> Behaviour:
    return Behaviour(CHANGE_KINDS, ROWS, unit="object")


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


def _was(situation: Situation, *path: str) -> object:
    node = situation.before.tree.get(*path) if situation.before else None
    return node.value if node else None


def _is_suspended(situation: Situation) -> bool:
    """Of a suspended Job, where its pods may go can still be changed."""
    return _was(situation, "spec", "suspend") is True


def _was_immutable(situation: Situation) -> bool:
    return _was(situation, "immutable") is True


def _shrinks(situation: Situation) -> bool:
    change = situation.change
    sides = (change.before, change.after) if change else (None, None)
    old, new = (value(str(node.value)) if node else None for node in sides)
    return old is not None and new is not None and new < old


def _stops_first(situation: Situation) -> bool:
    after = situation.applied.tree.get("spec", "strategy", "type")
    return after is not None and after.value == "Recreate"


def _waits_for_deletion(situation: Situation) -> bool:
    after = situation.applied.tree.get("spec", "updateStrategy", "type")
    return after is not None and after.value == "OnDelete"


def _fixed_rows() -> tuple[Row, ...]:
    may_move = ("Job", _TEMPLATE)
    return tuple(
        Row("fixed", path, of=kind, when=negated(_is_suspended))
        if (kind, path) == may_move
        else Row("fixed", path, of=kind)
        for kind, paths in _FIXED.items()
        for path in paths
    )


ROWS = (
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
    *_fixed_rows(),
    *(
        Row("fixed", (key,), of=kind, when=_was_immutable)
        for kind in ("ConfigMap", "Secret")
        for key in ("data", "binaryData", "immutable")
    ),
    Row("smaller-claim", _STORAGE, of="PersistentVolumeClaim", when=_shrinks),
    Row("larger-claim", _STORAGE, of="PersistentVolumeClaim"),
    Row("pods-stopped", _TEMPLATE, of="Deployment", when=_stops_first),
    Row("pods-rolled", _TEMPLATE, of="Deployment"),
    *(
        row
        for kind in ("DaemonSet", "StatefulSet")
        for row in (
            Row("pods-left", _TEMPLATE, of=kind, when=_waits_for_deletion),
            Row("pods-rolled", _TEMPLATE, of=kind),
        )
    ),
    *(Row("content", (key,), of=kind) for kind, keys in _CONTENT.items() for key in keys),
    *(Row("object-in-place", of=kind) for kind in _FOLLOWED),
    Row("object-not-known"),
)
