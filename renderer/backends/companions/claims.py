"""Edits of claims: what can still be changed of one, and whether it grows."""

from collections.abc import Mapping

from renderer.backends.companions.sides import STORAGE, is_new, new_value, storage
from renderer.backends.fields import is_true, text
from renderer.derive.behaviour import ChangeKind, Row, Situation, all_of
from renderer.kubernetes.versions import versions_of
from renderer.values.changes import Effect
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

_CLAIM = "PersistentVolumeClaim"
_ATTRIBUTES: Path = ("spec", "volumeAttributesClassName")
#: The first version that stores it without a feature gate.
_ATTRIBUTES_SINCE = (1, 34)
_DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"

CHANGE_KINDS: Mapping[str, ChangeKind] = {
    "smaller-claim": ChangeKind(
        Effect.REFUSED,
        "A claim cannot ask for less than before: the API server rejects it.",
        "Make a claim of another name, and copy what is needed.",
    ),
    "larger-claim": ChangeKind(
        Effect.UNKNOWN,
        "The claim grows if its StorageClass has `allowVolumeExpansion: true`, else the API server "
        "rejects it; some drivers need pods to restart.",
        "Look at the StorageClass first; one that is in Git is known.",
    ),
    "growing-claim": ChangeKind(
        Effect.IN_PLACE,
        "The claim grows in place once it is bound, as its StorageClass `{class}` allows it; with "
        "some drivers the file system follows when pods restart.",
    ),
    "fixed-claim": ChangeKind(
        Effect.REFUSED,
        "The claim cannot grow, as {reason}: the API server rejects it.",
        "Make a claim of another name, and copy what is needed.",
    ),
    "same-amount": ChangeKind(
        Effect.IN_PLACE, "{field} is the same amount in other words: nothing changes."
    ),
    "claim-chosen": ChangeKind(
        Effect.UNKNOWN,
        "{field} is accepted as long as the cluster has chosen none for the claim; else the API "
        "server rejects it.",
        "Look at the claim in the cluster: what it has there is what to write.",
    ),
    "not-stored": ChangeKind(
        Effect.IGNORED,
        "{field} is dropped by API servers before Kubernetes 1.34 unless a feature is turned on.",
        "Set `kubernetes.version` if the cluster is newer.",
    ),
}


def _is_same_amount(situation: Situation) -> bool:
    old, new = storage(situation.before), storage(situation.after)
    return old is not None and old == new


def _shrinks(situation: Situation) -> bool:
    old, new = storage(situation.before), storage(situation.after)
    return old is not None and new is not None and new < old


def _grows(situation: Situation) -> bool:
    old, new = storage(situation.before), storage(situation.after)
    return old is not None and new is not None and new > old


def _storage_class(situation: Situation) -> Node | None:
    """The class of a claim, if it is in Git: the one that it names, else the default one."""
    applied = situation.applied
    given = new_value(situation, "spec", "storageClassName")
    for (kind, _, name), tree in applied.needed.get(applied.cluster, {}).items():
        is_default = given is None and text(tree, "metadata", "annotations", _DEFAULT_CLASS)
        if kind == "StorageClass" and (name == given or is_default == "true"):
            return tree
    return None


def _has_no_class(situation: Situation) -> bool:
    return new_value(situation, "spec", "storageClassName") == ""


def _class_grows(situation: Situation) -> bool:
    found = _storage_class(situation)
    return found is not None and is_true(found, "allowVolumeExpansion")


def _class_stays(situation: Situation) -> bool:
    return _storage_class(situation) is not None


def _class_words(situation: Situation) -> Mapping[str, str]:
    found = _storage_class(situation)
    name = text(found, "metadata", "name") if found else ""
    without = 'it has no StorageClass (`storageClassName: ""`)'
    reason = f"its StorageClass `{name}` has no `allowVolumeExpansion: true`" if name else without
    return {"class": name, "reason": reason}


def _is_old_server(situation: Situation) -> bool:
    applied = situation.applied
    there = [i for i in applied.environment.destinations if i.name == applied.destination]
    return versions_of(applied.environment, there)[0] < _ATTRIBUTES_SINCE


def claim_rows() -> tuple[Row, ...]:
    """Before those of fixed fields: all else of what a claim asks for is fixed."""
    return (
        Row("same-amount", STORAGE, of=_CLAIM, when=_is_same_amount),
        Row("smaller-claim", STORAGE, of=_CLAIM, when=_shrinks),
        Row(
            "growing-claim",
            STORAGE,
            of=_CLAIM,
            when=all_of(_grows, _class_grows),
            words=_class_words,
        ),
        Row(
            "fixed-claim", STORAGE, of=_CLAIM, when=all_of(_grows, _class_stays), words=_class_words
        ),
        Row(
            "fixed-claim",
            STORAGE,
            of=_CLAIM,
            when=all_of(_grows, _has_no_class),
            words=_class_words,
        ),
        Row("larger-claim", STORAGE, of=_CLAIM, when=_grows),
        *(
            Row("claim-chosen", ("spec", key), of=_CLAIM, when=is_new)
            for key in ("storageClassName", "volumeName")
        ),
        Row("not-stored", _ATTRIBUTES, of=_CLAIM, when=_is_old_server),
        Row("object-in-place", _ATTRIBUTES, of=_CLAIM),
    )
