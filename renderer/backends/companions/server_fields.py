"""What servers and controllers write into objects of some kinds: a table of paths."""

from collections.abc import Callable, Collection, Iterator

from renderer.backends.companions.table import Path
from renderer.backends.fields import elements, members, text
from renderer.text.wording import path_text
from renderer.values.diagnostics import Path as PathOfValue
from renderer.values.imports import DROPPED, Note
from renderer.values.kinds import Kind
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, drop_paths

Asks = Callable[[Node], bool]
_ANNOTATIONS = ("metadata", "annotations")
_BOUND = "pv.kubernetes.io/bound-by-controller"


class WrittenField(NamedTuple):
    """A path, who writes what stands there, and whether that is so in an object."""

    path: Path
    writer: str
    is_written: Asks = lambda _: True


def _row(path: str, writer: str, is_written: Asks = lambda _: True) -> WrittenField:
    return WrittenField(tuple(path.split(".")), writer, is_written)


def _annotation(key: str, writer: str) -> WrittenField:
    return WrittenField((*_ANNOTATIONS, key), writer)


def _has_address(tree: Node) -> bool:
    """Whether the API server gave a Service its address: only it writes the list of them."""
    is_given = bool(members(tree, "spec").get("clusterIPs"))
    return is_given and text(tree, "spec", "clusterIP") != "None"


def _is_bound(tree: Node) -> bool:
    return _BOUND in members(tree, *_ANNOTATIONS)


def _is_created(tree: Node) -> bool:
    """Whether a Job selects its pods as the API server makes all of them do."""
    selected = members(tree, "spec", "selector", "matchLabels")
    return any(label.endswith(_UID) for label in selected)


_SERVER, _BINDER = "the API server writes it", "the controller that binds claims writes it"
_JOBS, _VOLUMES = "the controller of Jobs writes it", "the provisioner of volumes writes it"
_UID = "controller-uid"
_JOB_LABELS = (_UID, "job-name")
_REVISION = _annotation("deployment.kubernetes.io/revision", "the controller writes it")
#: By the names that specs of a kind have.
_WRITTEN: dict[str, tuple[WrittenField, ...]] = {
    "Service": (
        _row("spec.clusterIPs", _SERVER, _has_address),
        _row("spec.ipFamilies", _SERVER, _has_address),
        _row("spec.clusterIP", _SERVER, _has_address),
        _row("spec.healthCheckNodePort", _SERVER),
    ),
    "PersistentVolumeClaim": (
        _row("spec.volumeName", _BINDER, _is_bound),
        _annotation("pv.kubernetes.io/bind-completed", _BINDER),
        _annotation("volume.beta.kubernetes.io/storage-provisioner", _VOLUMES),
        _annotation("volume.kubernetes.io/storage-provisioner", _VOLUMES),
        _annotation("volume.kubernetes.io/selected-node", _BINDER),
        _annotation(_BOUND, _BINDER),
    ),
    "PersistentVolume": (
        _row("spec.claimRef.uid", _BINDER),
        _row("spec.claimRef.resourceVersion", _BINDER),
        _annotation("pv.kubernetes.io/provisioned-by", _VOLUMES),
        _annotation(_BOUND, _BINDER),
    ),
    "Namespace": (
        _row("spec.finalizers", _SERVER),
        WrittenField(("metadata", "labels", "kubernetes.io/metadata.name"), _SERVER),
    ),
    "Job": (
        _row("spec.selector", _JOBS, _is_created),
        *(
            WrittenField((*place, "labels", f"{prefix}{label}"), _JOBS, _is_created)
            for place in (("metadata",), ("spec", "template", "metadata"))
            for prefix in ("", "batch.kubernetes.io/")
            for label in _JOB_LABELS
        ),
    ),
    "Deployment": (_REVISION,),
    "ReplicaSet": (_REVISION,),
    "DaemonSet": (_annotation("deprecated.daemonset.template.generation", _SERVER),),
}
_ACCOUNT = "ServiceAccount"
_IN_ACCOUNT = ("secrets", "imagePullSecrets")
_MADE_NAMES = ("-token-", "-dockercfg-")
_TOKENS = "a controller makes the Secret for the account, and names it here"


class BareTree(NamedTuple):
    """An object without what others write, and what that was."""

    tree: Node
    notes: tuple[Note, ...] = ()


def drop_server_fields(tree: Node, kind: Kind) -> BareTree:
    """An object as its author might have written it."""
    rows = [row for row in _WRITTEN.get(kind.name, ()) if row.is_written(tree)]
    found: dict[PathOfValue, str] = {row.path: row.writer for row in rows if tree.get(*row.path)}
    found |= dict.fromkeys(_made_secrets(tree), _TOKENS) if kind.name == _ACCOUNT else {}
    bare = _drop_empty(drop_paths(tree, found), found)
    notes = (Note(path_text(path), DROPPED, writer) for path, writer in found.items())
    return BareTree(bare, tuple(notes))


def _made_secrets(tree: Node) -> Iterator[PathOfValue]:
    """Where an account names the Secrets that were made for it."""
    name = text(tree, "metadata", "name")
    made = tuple(f"{name}{part}" for part in _MADE_NAMES)
    for place in _IN_ACCOUNT:
        for number, item in enumerate(elements(tree, place)):
            if text(item, "name").startswith(made):
                yield place, number


def _drop_empty(tree: Node, paths: Collection[PathOfValue]) -> Node:
    """Without the mappings and lists that are empty now."""
    above = {path[:end] for path in paths for end in range(1, len(path))}
    empty = {path for path in above if (node := tree.get(*path)) and node.value in ({}, ())}
    return _drop_empty(drop_paths(tree, empty), paths) if empty else tree
